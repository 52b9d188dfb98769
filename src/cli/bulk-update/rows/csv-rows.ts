import { err, ok } from '../../../base/result.ts';
import { type ColumnMapping, columnProblems, isIgnoredMember } from './columns.ts';
import { CsvRecords } from './csv-records.ts';
import type { ReadRow } from './input-row.ts';
import { fromSpreadsheetCell, SPREADSHEET_COLUMN } from './spreadsheet-cells.ts';

/** Reads CSV as RFC 4180 has it: the first record names the columns. Blank lines are skipped. */
export async function* readCsvRows(text: AsyncIterable<string>, mapping: ColumnMapping): AsyncGenerator<ReadRow> {
  const records = new CsvRecords();
  let header: CsvHeader | null = null;
  for await (const record of recordsOf(text, records)) {
    if (!record.ok) yield record;
    else if (header !== null) yield toRow(header, record.value);
    else {
      header = headerOf(record.value.cells);
      const problems = headerProblems(header.columns, mapping);
      for (const message of problems) yield err({ line: record.value.line, message });
      if (problems.length > 0) return;
    }
  }
  if (header === null && !records.hasFailed) yield err({ line: 1, message: 'the input has no header with columns.' });
}

interface CsvHeader {
  readonly columns: readonly string[];
  /** True where the command itself has prefixed the cells. */
  readonly isPrefixed: boolean;
}

function headerOf(cells: readonly string[]): CsvHeader {
  const names = cells.map((name) => name.trim());
  const isPrefixed = names.includes(SPREADSHEET_COLUMN);
  return { columns: isPrefixed ? names.map(fromSpreadsheetCell) : names, isPrefixed };
}

async function* recordsOf(text: AsyncIterable<string>, records: CsvRecords) {
  for await (const piece of text) {
    yield* records.read(piece);
    if (records.hasFailed) return;
  }
  yield* records.end();
}

/** The problems of a header that are told. Each takes time, for what may be meant. */
const MAX_PROBLEMS = 20;

function headerProblems(columns: readonly string[], mapping: ColumnMapping): readonly string[] {
  if (columns.length === 1 && columns[0]?.includes(';')) {
    return ['the columns are separated by semicolons; separate them by commas.'];
  }
  const names = new Set<string>();
  const ownProblems = columns.flatMap((name, index) => {
    if (name === '') return [`the column ${index + 1} has no name.`];
    return names.size < names.add(name).size ? [] : [`there are two columns "${name}".`];
  });
  return ownProblems.length > 0
    ? ownProblems.slice(0, MAX_PROBLEMS)
    : [...columnProblems(columns, mapping).take(MAX_PROBLEMS)];
}

interface RowCells {
  readonly line: number;
  readonly cells: readonly string[];
}

function toRow({ columns, isPrefixed }: CsvHeader, { line, cells }: RowCells): ReadRow {
  if (cells.length !== columns.length) {
    return err({ line, message: `the row has ${cells.length} cells, and the header has ${columns.length} columns.` });
  }
  const members = columns.map((name, index): [string, string] => {
    const cell = cells[index] ?? '';
    return [name, isPrefixed && !isIgnoredMember(name) ? fromSpreadsheetCell(cell) : cell];
  });
  // The mark is about this file, and not about its rows.
  return ok({ line, members: Object.fromEntries(members.filter(([name]) => name !== SPREADSHEET_COLUMN)) });
}
