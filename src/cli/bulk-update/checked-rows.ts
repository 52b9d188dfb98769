import { toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import {
  type ColumnMapping,
  fieldsOfCells,
  fieldsOfMembers,
  parseFields,
  type ReadRow,
  type RowProblem,
  type UpdateRow,
} from './article-rows.ts';
import { readCsvRows } from './csv-rows.ts';
import type { InputFile, InputFormat } from './input-file.ts';
import { readJsonRows, readNdjsonRows } from './json-rows.ts';

export interface RowsOptions {
  readonly file: InputFile;
  readonly format: InputFormat;
  readonly mapping: ColumnMapping;
}

/** Reads the rows of the text as they stand there. */
export function readInputRows({ format, mapping }: RowsOptions, text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  switch (format) {
    case 'csv':
      return readCsvRows(text, mapping);
    case 'json':
      return readJsonRows(text);
    case 'ndjson':
      return readNdjsonRows(text);
  }
}

/** Reads the rows of the text as they are sent. The problems of one row may be several. */
export async function* readUpdateRows(
  options: RowsOptions,
  text: AsyncIterable<string>,
): AsyncGenerator<Result<UpdateRow, readonly RowProblem[]>> {
  for await (const row of readInputRows(options, text)) {
    if (!row.ok) yield err([row.error]);
    else if (options.format !== 'csv') yield parseFields(row.value.place, fieldsOfMembers(row.value));
    else yield parseFields(row.value.place, fieldsOfCells(row.value, options.mapping));
  }
}

/** Problems that are listed; the rest is counted. */
const MAX_LISTED_PROBLEMS = 100;

export interface CheckedRows {
  readonly rows: number;
  /** The SHA-256 of the file. */
  readonly digest: string;
}

/** Reads all rows before any is sent. The error lists the problems of the file. */
export async function checkRows(options: RowsOptions): Promise<Result<CheckedRows, string>> {
  const { name } = options.file;
  const reading = options.file.read();
  const listed: string[] = [];
  let rows = 0;
  let problems = 0;
  for await (const row of readUpdateRows(options, reading.text)) {
    rows += 1;
    if (row.ok) continue;
    problems += row.error.length;
    for (const { place, message } of row.error.slice(0, MAX_LISTED_PROBLEMS - listed.length))
      listed.push(`  ${place}: ${toPrintable(message)}`);
  }
  if (rows === 0) return err(`${name} has no rows.`);
  const digest = reading.digest();
  if (problems === 0 && digest !== null) return ok({ rows, digest });
  const more = problems - listed.length;
  if (more > 0) listed.push(`  and ${more} more.`);
  return err(`nothing was sent: ${name} has ${problems} problems.\n${listed.join('\n')}`);
}
