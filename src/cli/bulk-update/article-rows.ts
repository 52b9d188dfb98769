import { z } from 'zod';
import { type ArticleUpdateDraft, validateArticleUpdates } from '../../core/articles/bulk-updates.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { closestName } from '../../core/base/spelling.ts';

/** A row of the input with all of its members: texts of cells in CSV, else any JSON. */
export interface InputRow {
  /** The line on which the row begins, or its position in a list of JSON. */
  readonly place: string;
  readonly members: Readonly<Record<string, unknown>>;
}

export interface RowProblem {
  readonly place: string;
  readonly message: string;
}

export type ReadRow = Result<InputRow, RowProblem>;

/** Consecutive rows of a file. */
export interface RowChunk {
  readonly rows: readonly ReadRow[];
  /** Reads the same rows again. A file may have more of them than fit in memory. */
  readonly again: () => readonly ReadRow[];
}

/** A chunk of so many bytes takes no other row. */
export const CHUNK_BYTES = 64 * 1024;

export function problemChunk(problem: RowProblem): RowChunk {
  const rows = [err(problem)];
  return { rows, again: () => rows };
}

/** A row that can be sent. */
export interface UpdateRow extends InputRow {
  /** The `ArticleUpdateInput` as JSON. */
  readonly json: string;
}

/** Bytes of one row. A longer one does not fit into a request. */
export const MAX_ROW_BYTES = 8 * 1024 ** 2;

const STATUSES = ['NONE', 'NEEDS_TRANSLATION', 'TRANSLATED'] as const;

const text = z.string('must be a text').nullish();
const wholeNumber = z.int32('must be a whole number').nullish();
const flag = z.boolean('must be true or false').nullish();
const status = z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`).nullish();

/** True for a translation status that an update can set. */
export const isStatus = (name: string): boolean => STATUSES.some((settable) => settable === name);

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
    if (field !== '' && !FIELD_TYPES.has(field)) return err(`--columns: ${unknownField(field)}`);
    mapping.set(column, field === '' ? null : field);
  }
  return ok(mapping);
}

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

/** The command itself adds members and columns whose names begin so. They are ignored when they are read. */
export const isIgnoredMember = (name: string): boolean => name.startsWith('_');

/** The field that a column sets; null when the column is ignored. */
function fieldOfColumn(column: string, mapping: ColumnMapping): string | null {
  const mapped = mapping.get(column);
  if (mapped !== undefined) return mapped;
  return isIgnoredMember(column) ? null : column;
}

/** The fields of a row of CSV. */
export function fieldsOfCells({ members }: InputRow, mapping: ColumnMapping): InputRow['members'] {
  const entries = Object.entries(members).flatMap(([column, cell]): [string, unknown][] => {
    const field = fieldOfColumn(column, mapping);
    // An empty cell leaves its field out.
    return field === null || cell === '' ? [] : [[field, parseCell(field, String(cell))]];
  });
  return Object.fromEntries(entries);
}

const TRUE_WORDS = '1 true yes y on wahr ja vrai oui verdadero sí vero sì verdadeiro sim waar prawda tak';
const FALSE_WORDS = '0 false no n off falsch nein faux non falso não onwaar nee fałsz nie';

/** The words for true and false in the spreadsheets of many languages, and those that people type. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...TRUE_WORDS.split(' ').map((word) => [word, true] as const),
  ...FALSE_WORDS.split(' ').map((word) => [word, false] as const),
]);

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
  if (type === wholeNumber) return /^-?\d{1,15}$/u.test(word) ? Number(word) : cell;
  if (type === flag) return FLAGS.get(word.toLowerCase()) ?? cell;
  if (type === status) return isStatus(word.toUpperCase()) ? word.toUpperCase() : cell;
  return cell;
}

/** The fields of a row of JSON. */
export const fieldsOfMembers = ({ members }: InputRow): InputRow['members'] =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !isIgnoredMember(name)));

/** Parses the fields of a row, by the rules that the gateway has. The result is the update, or all problems. */
export function parseFields(fields: InputRow['members']): Result<ArticleUpdateDraft, readonly string[]> {
  const unknown = Object.keys(fields).filter((name) => !FIELD_TYPES.has(name));
  if (unknown.length > 0) return err(unknown.map(unknownField));
  const parsed = articleUpdate.safeParse(fields);
  if (!parsed.success) return err(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`));
  const problems = [...validateArticleUpdates([parsed.data], 1)].map(({ message }) => message);
  if (problems.length > 0) return err(problems);
  const isTooLong = jsonBytesOf(parsed.data) > MAX_ROW_BYTES;
  return isTooLong ? err([`the row takes more than ${MAX_ROW_BYTES} bytes.`]) : ok(parsed.data);
}

/** The bytes of an update as JSON, without building that: a long text would be there once more. */
function jsonBytesOf(update: ArticleUpdateDraft): number {
  const texts = Object.values(update).filter((value) => typeof value === 'string');
  const withoutTexts = JSON.stringify(update, (_, value) => (typeof value === 'string' ? '' : value));
  return texts.reduce((bytes, value) => bytes + Buffer.byteLength(value) + escapesIn(value), withoutTexts.length);
}

/** The bytes that JSON takes for a text beside those of its characters: `\n` takes one more, and `\u0000` five. */
function escapesIn(value: string): number {
  let bytes = 0;
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at);
    if (unit === 0x22 || unit === 0x5c) bytes += 1;
    else if (unit < 0x20) bytes += SHORT_ESCAPES.has(unit) ? 1 : 5;
  }
  return bytes;
}

/** The control characters that JSON has a letter for. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set(Array.from('\b\t\n\f\r', (one) => one.charCodeAt(0)));
