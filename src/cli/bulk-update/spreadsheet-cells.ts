// A spreadsheet takes a cell of CSV for a formula, and runs it, when it begins with one of a few signs. The console has this rule, too.

/** The last column of a file whose cells are prefixed. Its cells are empty. */
export const SPREADSHEET_COLUMN = '_for_spreadsheet';

const PREFIX = "'";

/** The signs that begin a formula, with their full-width and small forms; tabs and line ends, which some programs skip. */
const SIGNS = String.raw`[=+\-@\t\r\n\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}\u{fe66}\u{fe62}\u{fe63}\u{fe6b}]`;

/** Characters that a program may leave out at the beginning of a cell: spaces, and those without width. */
const BLANK = String.raw`[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]`;

const FORMULA = new RegExp(`^${BLANK}*${SIGNS}`, 'v');

/** The beginnings of formulas, also where a program splits a cell at semicolons, tabs and line ends. */
const FORMULAS = new RegExp(String.raw`(?<=^|[;\t\r\n])(?=[${BLANK}--[;\t\r\n]]*${SIGNS})`, 'gv');

/** A cell of a column of the command's own, which nothing reads again. No part of it can become a formula. */
export const withoutFormulas = (cell: string): string => cell.replace(FORMULAS, PREFIX);

/** A cell of the input, which `fromSpreadsheetCell` gives back exactly. */
export const toSpreadsheetCell = (cell: string): string =>
  cell.startsWith(PREFIX) || FORMULA.test(cell) ? `${PREFIX}${cell}` : cell;

export const fromSpreadsheetCell = (cell: string): string =>
  cell.startsWith(PREFIX) ? cell.slice(PREFIX.length) : cell;
