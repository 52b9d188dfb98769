// A spreadsheet takes a cell of CSV for a formula, and runs it, when it begins with one of a few signs. A program that
// separates cells by semicolons or tabs takes quotation marks within a cell for text, and splits cells that have these.
// The console writes its files by this file, too.

/** The last column of a file whose cells are prefixed. Its cells are empty. */
export const SPREADSHEET_COLUMN = '_for_spreadsheet';

const PREFIX = "'";

/** The signs that begin a formula, with their full-width and small forms. */
const SIGNS = String.raw`=+\-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}\u{fe66}\u{fe62}\u{fe63}\u{fe6b}`;

/** Some programs skip these at the beginning of a cell, and others separate cells by them. */
const BREAKS = String.raw`\t\r\n`;

/** Characters that a program may leave out at the beginning of a cell: spaces, those without width, and quotation marks. */
const BLANK = String.raw`[[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}"]--[;${BREAKS}]]`;

/** Where a part begins that may become a cell. */
const PART = `(?<=[;${BREAKS}])`;

const TO_PREFIX = new RegExp(
  `^(?=${PREFIX}|${BLANK}*[${SIGNS}${BREAKS}])|${PART}(?=${PREFIX}|${BLANK}*[${SIGNS}])`,
  'gv',
);
const PREFIXED = new RegExp(`(?:^|${PART})${PREFIX}`, 'gv');

/** The same cell, of which no part can become a formula. `fromSpreadsheetCell` gives it back exactly. */
export const toSpreadsheetCell = (cell: string): string => cell.replace(TO_PREFIX, PREFIX);

export const fromSpreadsheetCell = (cell: string): string => cell.replace(PREFIXED, '');

/** A row of CSV as RFC 4180 has it. Cells that other programs would split, too, are in quotation marks. */
export const csvRecord = (cells: readonly string[]): string =>
  `${cells.length === 1 && cells[0] === '' ? '""' : cells.map(csvCell).join(',')}\r\n`;

const csvCell = (cell: string): string => (/[",;\t\r\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
