import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import {
  csvRecord,
  fromSpreadsheetCell,
  SPREADSHEET_COLUMN,
  toSpreadsheetCell,
} from '../../../src/core/base/spreadsheet-cells.ts';

export type Row = Readonly<Record<string, string>>;

/** The text of a file for spreadsheets. `parseRows` reads the original values from it. */
export function csvText(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const header = csvRecord([...columns.map(toSpreadsheetCell), SPREADSHEET_COLUMN]);
  return header + rows.map((cells) => csvRecord([...cells.map(toSpreadsheetCell), ''])).join('');
}

/** Spreadsheets of many countries separate cells by semicolons. */
const SEMICOLONS = /^[^\r\n,]*;/u;

/** Reads CSV whose first row names the columns. The result is a reason where the text is no CSV. */
export function parseRows(text: string): readonly Row[] | string {
  const delimiter = SEMICOLONS.test(text) ? ';' : ',';
  const lines = { skip_empty_lines: true, record_delimiter: ['\r\n', '\n', '\r'] };
  try {
    const rows: readonly Row[] = parse(text, { bom: true, columns: true, delimiter, ...lines });
    if (!(SPREADSHEET_COLUMN in (rows[0] ?? {}))) return rows;
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, fromSpreadsheetCell(cell)])),
    );
  } catch (error) {
    if (error instanceof CsvError) return `The file is no CSV: ${error.message}`;
    throw error;
  }
}
