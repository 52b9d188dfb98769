import { err, ok } from '../../../domain/result.ts';
import { type ColumnMapping, columnProblems } from './columns.ts';
import { CsvRecords } from './csv-records.ts';
import type { ReadRow } from './input-row.ts';

/** Reads CSV as RFC 4180 has it: the first record names the columns. Blank lines are skipped. */
export async function* readCsvRows(text: AsyncIterable<string>, mapping: ColumnMapping): AsyncGenerator<ReadRow> {
  const records = new CsvRecords();
  let columns: readonly string[] | null = null;
  for await (const record of recordsOf(text, records)) {
    if (!record.ok) yield record;
    else if (columns !== null) yield toRow(columns, record.value);
    else {
      columns = record.value.cells.map((name) => name.trim());
      const problems = headerProblems(columns, mapping);
      for (const message of problems) yield err({ line: record.value.line, message });
      if (problems.length > 0) return;
    }
  }
  if (columns === null && !records.hasFailed) yield err({ line: 1, message: 'the input has no header with columns.' });
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

function toRow(columns: readonly string[], { line, cells }: { line: number; cells: readonly string[] }): ReadRow {
  if (cells.length === columns.length) {
    return ok({ line, members: Object.fromEntries(columns.map((name, index) => [name, cells[index]])) });
  }
  return err({ line, message: `the row has ${cells.length} cells, and the header has ${columns.length} columns.` });
}
