import { err, ok, type Result } from '../../../base/result.ts';
import { isArticleField, parseArticleFields, parseCell } from './article-fields.ts';
import { type ColumnMapping, fieldOfColumn, isIgnoredMember, unknownField } from './columns.ts';
import { readCsvRows } from './csv-rows.ts';
import type { InputFile, InputFormat } from './input-file.ts';
import { type InputRow, MAX_ROW_CHARS, type ReadRow, type RowProblem } from './input-row.ts';
import { readJsonRows } from './json-rows.ts';
import { readNdjsonRows } from './ndjson-rows.ts';

export interface RowsOptions {
  readonly file: InputFile;
  readonly format: InputFormat;
  readonly mapping: ColumnMapping;
}

/** A row that can be sent. */
export interface UpdateRow {
  readonly line: number;
  readonly articleId: string;
  /** The `ArticleUpdateInput` as JSON. */
  readonly json: string;
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

/** Parses a row, whose problems may be several. */
export function parseRow(row: InputRow, { format, mapping }: RowsOptions): Result<UpdateRow, readonly RowProblem[]> {
  const fields = format === 'csv' ? fieldsOfCells(row, mapping) : fieldsOfMembers(row);
  const unknown = Object.keys(fields).filter((name) => !isArticleField(name));
  const parsed = unknown.length > 0 ? err(unknown.map(unknownField)) : parseArticleFields(fields);
  if (!parsed.ok) return err(parsed.error.map((message) => ({ line: row.line, message })));
  const json = JSON.stringify(parsed.value);
  if (Buffer.byteLength(json) > MAX_ROW_CHARS) {
    return err([{ line: row.line, message: `the row takes more than ${MAX_ROW_CHARS} bytes.` }]);
  }
  return ok({ line: row.line, articleId: parsed.value.articleId, json });
}

function fieldsOfCells({ members }: InputRow, mapping: ColumnMapping): Readonly<Record<string, unknown>> {
  const entries = Object.entries(members).flatMap(([column, cell]): [string, unknown][] => {
    const field = fieldOfColumn(column, mapping);
    const value = field === null ? undefined : parseCell(field, String(cell));
    return field === null || value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(entries);
}

const fieldsOfMembers = ({ members }: InputRow): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !isIgnoredMember(name)));
