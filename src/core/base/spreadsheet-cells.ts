// A spreadsheet runs a cell of CSV as a formula when it begins with one of a few signs. A program that separates cells
// by semicolons or tabs treats quotation marks within a cell as text, and splits cells that contain separators. The
// console writes its files by this file, too.

/** The last column of a file whose cells are prefixed. Its cells are empty. */
export const SPREADSHEET_COLUMN = '_for_spreadsheet';

const PREFIX = "'";

/** The signs that begin a formula, with their full-width and small forms. */
const SIGNS = String.raw`=+\-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}\u{fe66}\u{fe62}\u{fe63}\u{fe6b}`;

/** Characters that some programs skip at the beginning of a cell, and that others use to separate cells. */
const BREAKS = String.raw`\t\r\n`;

/** Characters that a program may remove at the beginning of a cell: spaces, characters without width, and quotation marks. */
const BLANK = String.raw`[[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}"]--[;${BREAKS}]]`;

/** The beginning of a part that may become a cell. */
const PART = `(?<=[;${BREAKS}])`;

const TO_PREFIX = new RegExp(
  `^(?=${PREFIX}|${BLANK}*[${SIGNS}${BREAKS}])|${PART}(?=${PREFIX}|${BLANK}*[${SIGNS}])`,
  'gv',
);
const PREFIXED = new RegExp(`(?:^|${PART})${PREFIX}`, 'gv');

/** Prefixes a cell so that no part of it can become a formula. `fromSpreadsheetCell` reverses this exactly. */
export const toSpreadsheetCell = (cell: string): string => cell.replace(TO_PREFIX, PREFIX);

/** Removes the prefix of `toSpreadsheetCell`. */
export const fromSpreadsheetCell = (cell: string): string => cell.replace(PREFIXED, '');

/** Encodes a row of CSV as in RFC 4180. Cells that other programs would split are quoted, too. */
export const csvRecord = (cells: readonly string[]): string =>
  `${cells.length === 1 && cells[0] === '' ? '""' : cells.map(csvCell).join(',')}\r\n`;

const csvCell = (cell: string): string => (/[",;\t\r\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
