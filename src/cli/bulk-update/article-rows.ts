import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { isSettableStatus, STATUSES_OF_UPDATES } from '../../core/articles/articles.ts';
import { type ArticleUpdateDraft, validateArticleUpdates } from '../../core/articles/bulk-updates.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { closestName } from '../../core/base/spelling.ts';
import { shorten } from '../../core/base/text.ts';
import { flagOfCell, wholeNumberOf } from '../../core/sheets/cell-values.ts';
import { MAX_ROW_BYTES, type RowProblem, readSheet } from '../../core/sheets/sheet-rows.ts';
import { isIgnoredColumn } from '../../core/sheets/spreadsheet-cells.ts';

/** A row of the input with all of its members: texts of cells in CSV, else any JSON. */
export interface InputRow {
  /** The line on which the row begins, or its position in a list of JSON. */
  readonly place: string;
  readonly members: Readonly<Record<string, unknown>>;
}

export type ReadRow = Result<InputRow, RowProblem>;

/** A row that can be sent. */
export interface UpdateRow extends InputRow {
  readonly update: ArticleUpdateDraft;
}

const text = z.string('must be a text').nullish();
const wholeNumber = z.int32('must be a whole number').nullish();
const flag = z.boolean('must be true or false').nullish();
const status = z.enum(STATUSES_OF_UPDATES, `must be one of ${STATUSES_OF_UPDATES.join(', ')}`).nullish();

/** The fields of `ArticleUpdateInput`. */
const articleUpdate = z.strictObject({
  articleId: z.string('must be there, and be a text'),
  languageCode: text,
  title: text,
  content: text,
  htmlContent: text,
  categoryId: text,
  hidden: flag,
  versionNumber: wholeNumber,
  ifRevision: text,
  translationStatus: status,
  source: text,
  order: wholeNumber,
} satisfies Record<keyof ArticleUpdateDraft, z.ZodType>);

const FIELD_TYPES: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(articleUpdate.shape));

/** The field of each mapped column; null for a column that is ignored. */
export type ColumnMapping = ReadonlyMap<string, string | null>;

/** Parses `Column=field,…`. `Column=` ignores the column, and `field` alone maps the column of that name. */
export function parseColumns(columns: string): Result<ColumnMapping, string> {
  const mapping = new Map<string, string | null>();
  for (const pair of columns.split(',')) {
    const equals = pair.lastIndexOf('=');
    const field = pair.slice(equals + 1).trim();
    const column = equals === -1 ? field : pair.slice(0, equals).trim();
    if (column === '') return err(`--columns takes Column=field,…; "${toPrintable(pair)}" has no such form.`);
    if (mapping.has(column)) return err(`--columns has the column "${toPrintable(column)}" twice.`);
    if (field !== '' && !FIELD_TYPES.has(fieldNamed(field))) return err(`--columns: ${unknownField(field)}`);
    mapping.set(column, field === '' ? null : fieldNamed(field));
  }
  return ok(mapping);
}

/** The name of the column that `export --csv` gives to what an update expects. */
const REVISION_COLUMN = 'revision';

const fieldNamed = (name: string): string => (name === REVISION_COLUMN ? 'ifRevision' : name);

/** The problems of a header, given the columns that it has. */
export function* columnProblems(columns: readonly string[], mapping: ColumnMapping): Generator<string> {
  for (const column of mapping.keys()) {
    if (!columns.includes(column)) yield `there is no column "${toPrintable(column)}", which --columns names.`;
  }
  const columnOfField = new Map<string, string>();
  for (const column of columns) {
    const field = fieldOfColumn(column, mapping);
    if (field === null) continue;
    const other = columnOfField.get(field);
    if (other !== undefined)
      yield `the columns "${toPrintable(other)}" and "${toPrintable(column)}" both set ${field}.`;
    if (!FIELD_TYPES.has(field)) yield `${unknownField(field)} ${HINT}`;
    columnOfField.set(field, column);
  }
  if (!columnOfField.has('articleId')) yield 'no column sets articleId.';
}

const HINT = 'Map the column with --columns "Column=field", or ignore it with --columns "Column=".';

/** @internal Exported for tests. */
export function unknownField(name: string): string {
  const closest = closestName(name, [...FIELD_TYPES.keys()]);
  return `an article has no field "${toPrintable(name)}"${closest === null ? '.' : `; is ${closest} meant?`}`;
}

/** The field that a column sets; null when the column is ignored. */
function fieldOfColumn(column: string, mapping: ColumnMapping): string | null {
  const mapped = mapping.get(column);
  if (mapped !== undefined) return mapped;
  return isIgnoredColumn(column) ? null : fieldNamed(column);
}

export const readCsvRows = (bytes: Uint8Array, mapping: ColumnMapping, maxRows?: number): readonly ReadRow[] =>
  readSheet(bytes, {
    parse,
    isKnown: (column) => FIELD_TYPES.has(fieldOfColumn(column, mapping) ?? 'articleId'),
    isIgnored: (column) => fieldOfColumn(column, mapping) === null,
    problemsOf: (columns) => columnProblems(columns, mapping),
    ...(maxRows !== undefined && { maxRows }),
  });

export function fieldsOfCells({ members }: InputRow, mapping: ColumnMapping): InputRow['members'] {
  const entries = Object.entries(members).flatMap(([column, cell]): [string, unknown][] => {
    const field = fieldOfColumn(column, mapping);
    // An empty cell leaves its field out.
    return field === null || cell === '' ? [] : [[field, parseCell(field, String(cell))]];
  });
  return Object.fromEntries(entries);
}

/** The fields whose spaces count. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'content', 'htmlContent', 'source']);

/** The text of a cell that means null, as PostgreSQL and MySQL write it. */
const NULL_CELL = '\\N';

/**
 * The value of a field in a cell. A text that is not of the field's type is returned as it is, and found by validation.
 * @internal Exported for tests.
 */
export function parseCell(field: string, cell: string): unknown {
  if (cell === NULL_CELL) return null;
  const type = FIELD_TYPES.get(field);
  const word = cell.trim();
  if (type === wholeNumber) return wholeNumberOf(cell) ?? cell;
  if (type === flag) return flagOfCell(cell) ?? cell;
  if (type === status) return isSettableStatus(word.toUpperCase()) ? word.toUpperCase() : cell;
  return TEXTS.has(field) ? cell : word;
}

export const fieldsOfMembers = ({ members }: InputRow): InputRow['members'] =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !isIgnoredColumn(name)));

/** Parses the fields of a row, by the rules that the gateway has. The result is the update, or all problems. */
export function parseFields(fields: InputRow['members']): Result<ArticleUpdateDraft, readonly string[]> {
  const unknown = Object.keys(fields).filter((name) => !FIELD_TYPES.has(name));
  if (unknown.length > 0) return err(unknown.map(unknownField));
  const parsed = articleUpdate.safeParse(fields);
  if (!parsed.success)
    return err(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}${shownValue(fields, path)}.`),
    );
  const problems = [...validateArticleUpdates([parsed.data], 1)].map(({ message }) => message);
  if (problems.length > 0) return err(problems);
  const isTooLong = Buffer.byteLength(JSON.stringify(parsed.data)) > MAX_ROW_BYTES;
  return isTooLong ? err([`the row takes more than ${MAX_ROW_BYTES} bytes.`]) : ok(parsed.data);
}

function shownValue(fields: InputRow['members'], path: readonly PropertyKey[]): string {
  const value = fields[String(path[0])];
  return typeof value === 'string' && value !== '' ? `, and not "${shorten(value)}"` : '';
}
