// A spreadsheet runs a cell of CSV as a formula when it begins with one of a few signs, and converts one that looks like
// a number or a date. A program that separates cells by semicolons or tabs treats quotation marks within a cell as text,
// and splits cells that contain separators.

/** The last column of a file whose cells are prefixed. Its cells are empty. */
export const SPREADSHEET_COLUMN = '_for_spreadsheet';

/** True for a column that the project itself adds to a sheet, and does not read. */
export const isIgnoredColumn = (name: string): boolean => name.startsWith('_');

const PREFIX = "'";

/** The signs that begin a formula, with their full-width and small forms. */
const SIGNS = String.raw`=+\-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}\u{fe66}\u{fe62}\u{fe63}\u{fe6b}`;

/** Characters that some programs skip at the beginning of a cell, and that others use to separate cells. */
const BREAKS = String.raw`\t\r\n`;

/** Characters that a program may remove at the beginning of a cell: spaces, characters without width, and quotation marks. */
const BLANK = String.raw`[[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}"]--[;${BREAKS}]]`;

/** The beginning of a part that may become a cell. */
const PART = `(?<=[;${BREAKS}])`;

/**
 * What a spreadsheet takes for a number, a date or a time, and saves in another form: 0042 as 42, and 1/2 as a day. Whole
 * numbers of up to 15 digits stay as they are.
 */
const CONVERTED = String.raw`(?!(?:0|[1-9]\d{0,14})$)(?:\p{Sc}\s?)?[.,]?\d[\d.,:\/\-\s'’]{0,40}(?:[Ee][+\-]?\d{1,3}|\s?[%\p{Sc}]|[AaPp]\.?[Mm]\.?)?$`;

const TO_PREFIX = new RegExp(
  `^(?=${PREFIX}|${BLANK}*[${SIGNS}${BREAKS}]|${CONVERTED})|${PART}(?=${PREFIX}|${BLANK}*[${SIGNS}])`,
  'gv',
);
const PREFIXED = new RegExp(`(?:^|${PART})${PREFIX}`, 'gv');

/**
 * Prefixes a cell so that no part of it can become a formula, and the whole is not converted. `fromSpreadsheetCell` reverses this exactly.
 * @internal Exported for tests.
 */
export const toSpreadsheetCell = (cell: string): string => cell.replace(TO_PREFIX, PREFIX);

/** Removes the prefix of `toSpreadsheetCell`. */
export const fromSpreadsheetCell = (cell: string): string => cell.replace(PREFIXED, '');

/**
 * Encodes a row of CSV as in RFC 4180. Cells that other programs would split are quoted, too.
 * @internal Exported for tests.
 */
export const csvRecord = (cells: readonly string[]): string =>
  `${cells.length === 1 && cells[0] === '' ? '""' : cells.map(csvCell).join(',')}\r\n`;

const csvCell = (cell: string): string => (/[",;\t\r\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

interface WrittenRow {
  /** True for the first row, before which the header is written. */
  readonly isFirst: boolean;
  /** True where no cell may begin a formula, not even one of the input. */
  readonly isForSpreadsheet: boolean;
}

/** A row of a file that `readSheet` reads again. */
export function csvLine(members: Readonly<Record<string, unknown>>, { isFirst, isForSpreadsheet }: WrittenRow): string {
  const marked = isForSpreadsheet ? { ...members, [SPREADSHEET_COLUMN]: '' } : members;
  const cellOf = (name: string, cell: string) =>
    isForSpreadsheet || isIgnoredColumn(name) ? toSpreadsheetCell(cell) : cell;
  const header = Object.keys(marked).map((name) => (isForSpreadsheet ? toSpreadsheetCell(name) : name));
  const cells = Object.entries(marked).map(([name, value]) => cellOf(name, String(value)));
  return (isFirst ? csvRecord(header) : '') + csvRecord(cells);
}
