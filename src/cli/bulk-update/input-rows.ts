import { createHash } from 'node:crypto';
import type { ArticleUpdateDraft } from '../../core/articles/bulk-updates.ts';
import { doubtfulItems, listNames, MAX_NAMED } from '../../core/articles/item-warnings.ts';
import { readBoundedFile } from '../../core/base/bounded-file.ts';
import { countJsonValues, isObject, type JsonBounds } from '../../core/base/json.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, mapOk, ok, type Result } from '../../core/base/result.ts';
import { conflictMessage, SharedValues } from '../../core/sheets/shared-values.ts';
import { utf8Of } from '../../core/sheets/sheet-text.ts';
import {
  type ColumnMapping,
  fieldsOfCells,
  fieldsOfMembers,
  type InputRow,
  parseFields,
  type ReadRow,
  readCsvRows,
  type UpdateRow,
} from './article-rows.ts';

export type InputFormat = 'csv' | 'json' | 'ndjson';

interface InputOptions {
  readonly format: InputFormat;
  readonly mapping: ColumnMapping;
  /** True where rows are sent without their revisions. */
  readonly ignoresRevisions?: boolean;
}

/**
 * Leaves what all languages of an article share to the last row of the article that sets it: a row with a revision would
 * else not be attempted once an earlier part of the same file has changed it.
 */
export function withSharedLast(rows: readonly UpdateRow[]): readonly UpdateRow[] {
  const last = new Map(rows.flatMap(({ update }, index) => sharedKeys(update).map((key) => [key, index] as const)));
  return rows.map((row, index) => {
    const { hidden: _hidden, categoryId: _category, ...update } = row.update;
    const isDue = sharedKeys(row.update).some((key) => last.get(key) === index);
    return isDue || update.ifRevision == null || !changesText(update) ? row : { ...row, update };
  });
}

/** A key for each member that an update sets of the article as a whole, and that revisions are of. */
const sharedKeys = ({ articleId, ...update }: ArticleUpdateDraft): readonly string[] =>
  (['hidden', 'categoryId'] as const)
    .filter((name) => update[name] != null)
    .map((name) => `${name} ${articleId.toLowerCase()}`);

const changesText = ({ title, content, htmlContent, translationStatus }: ArticleUpdateDraft): boolean =>
  [title, content, htmlContent, translationStatus].some((value) => value !== undefined);

interface CheckedRows {
  readonly rows: readonly UpdateRow[];
  /** Warnings about rows that can be sent and are probably not meant. */
  readonly warnings: readonly string[];
}

/** A file of which every row can be sent. */
export interface Input extends CheckedRows {
  /** The SHA-256 of the file. */
  readonly digest: string;
}

/** Bytes of a file. It is held whole, with its rows. */
export const MAX_INPUT_BYTES = 256 * 1024 ** 2;

/** Reads a file, and checks all rows. The error lists the problems of the file. */
export function readInput(path: string, options: InputOptions): Result<Input, string> {
  const name = toPrintable(path);
  const read = readBoundedFile(path, { maxBytes: MAX_INPUT_BYTES });
  if (!read.ok) return err(`${name} ${read.error}.`);
  const text = utf8Of(read.value);
  if (!text.ok) return err(`${name} ${text.error}`);
  const rows = checkRows(name, text.value, options);
  return rows.ok ? ok({ ...rows.value, digest: createHash('sha256').update(read.value).digest('hex') }) : rows;
}

/** The numbers of problems that are listed, and that are counted before reading ends: each takes time. */
const MAX_LISTED_PROBLEMS = 100;
const MAX_COUNTED_PROBLEMS = 10_000;

/** The most rows of a file: a job has no more items, unless its gateway has another bound. */
const MAX_ROWS = 1_000_000;

/** @internal Exported for tests. */
export function checkRows(name: string, bytes: Uint8Array, options: InputOptions): Result<CheckedRows, string> {
  const read = readRows(bytes, options);
  if (read.length > MAX_ROWS) return err(`nothing was sent: ${name} ${TOO_MANY}`);
  const rows: UpdateRow[] = [];
  const problems = new RowProblems();
  const shared = new SharedValues();
  for (const row of read) {
    if (problems.count > MAX_COUNTED_PROBLEMS) break;
    const { place } = row.ok ? row.value : row.error;
    const checked = checkRow(row, options);
    if (checked.ok) rows.push(checked.value);
    problems.add(place, checked.ok ? conflictsOf(checked.value, shared) : checked.error);
  }
  if (problems.count > 0) return err(`nothing was sent: ${name} has ${problems.text()}`);
  return rows.length > 0 ? ok({ rows, warnings: warningsOf(rows) }) : err(`${name} has no rows.`);
}

const TOO_MANY = `has more than ${MAX_ROWS} rows, which is the largest job (MAX_JOB_ITEMS). Split the file.`;

const checkRow = (row: ReadRow, options: InputOptions): Result<UpdateRow, readonly string[]> =>
  row.ok
    ? mapOk(parseFields(fieldsOf(row.value, options)), (update) => ({ ...row.value, update }))
    : err([row.error.message]);

const conflictsOf = ({ place, update }: UpdateRow, shared: SharedValues): readonly string[] =>
  shared.add(place, update).map((conflict) => conflictMessage(conflict, update));

/** The warnings about rows that can be sent and are probably not meant. */
const warningsOf = (rows: readonly UpdateRow[]): readonly string[] =>
  doubtfulItems(
    rows.map(({ update }) => update),
    new Set(),
  ).map(({ predicate, indexes }) => {
    const places = indexes.slice(0, MAX_NAMED).map((index) => rows[index]?.place);
    return `warning: rows that ${predicate}: ${listNames(places, indexes.length)}.`;
  });

/** The first problems as lines, and the number of all. */
class RowProblems {
  count = 0;
  readonly #lines: string[] = [];

  add(place: string, messages: readonly string[]): void {
    this.count += messages.length;
    const room = MAX_LISTED_PROBLEMS - this.#lines.length;
    this.#lines.push(...messages.slice(0, room).map((message) => `  ${place}: ${toPrintable(message)}`));
  }

  text(): string {
    const rest = this.count - this.#lines.length;
    const count = this.count > MAX_COUNTED_PROBLEMS ? `more than ${MAX_COUNTED_PROBLEMS}` : this.count;
    return [`${count} problems.`, ...this.#lines, ...(rest > 0 ? [`  and ${rest} more.`] : [])].join('\n');
  }
}

const READERS = {
  csv: (bytes: Uint8Array, mapping: ColumnMapping) => readCsvRows(bytes, mapping, MAX_ROWS),
  json: readJsonRows,
  ndjson: readNdjsonRows,
};

/**
 * Reads the rows of a file without changes, at most one more than a file may have.
 * @internal Exported for tests.
 */
export const readRows = (bytes: Uint8Array, { format, mapping }: InputOptions): readonly ReadRow[] =>
  READERS[format](bytes, mapping);

function fieldsOf(row: InputRow, { format, mapping, ignoresRevisions = false }: InputOptions): InputRow['members'] {
  const fields = format === 'csv' ? fieldsOfCells(row, mapping) : fieldsOfMembers(row);
  return ignoresRevisions
    ? Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'ifRevision'))
    : fields;
}

/** Reads one JSON object of each line. Blank lines are skipped. */
function readNdjsonRows(bytes: Uint8Array): readonly ReadRow[] {
  const text = new TextDecoder().decode(bytes);
  const rows: ReadRow[] = [];
  let start = 0;
  for (let line = 1; start < text.length && rows.length <= MAX_ROWS; line += 1) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed;
    const row = text.slice(start, end);
    if (row.trim() !== '') rows.push(rowOf(parseJson(row, ROW_BOUNDS), `line ${line}`));
    start = end + 1;
  }
  return rows;
}

/** Reads the items of an array, or of the array "articles" of an object. */
function readJsonRows(bytes: Uint8Array): readonly ReadRow[] {
  const parsed = parseJson(new TextDecoder().decode(bytes), FILE_BOUNDS);
  if (!parsed.ok) return [err({ place: 'the input', message: `the file ${parsed.error}` })];
  const items = itemsIn(parsed.value);
  return (
    items?.map((item, index) => rowOf(ok(item), `item ${index + 1}`)) ?? [err({ place: 'the input', message: NO_LIST })]
  );
}

const NO_LIST = 'is no array of articles, and no object whose only member is "articles".';

function itemsIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  const { articles, ...others } = isObject(value) ? value : {};
  return Array.isArray(articles) && Object.keys(others).length === 0 ? articles : null;
}

function rowOf(parsed: Result<unknown, string>, place: string): ReadRow {
  if (!parsed.ok) return err({ place, message: `the row ${parsed.error}` });
  const members = parsed.value;
  return isObject(members)
    ? ok({ place, members })
    : err({ place, message: 'the row is no object with the fields of an article.' });
}

/** Bounds of the values of one row. An update has eleven. */
const ROW_BOUNDS = { maxValues: 100_000, maxListItems: 100_000 };

/** Bounds of the values of a file of JSON, of which each row may have all fields. */
const FILE_BOUNDS = { maxValues: 20 * MAX_ROWS, maxListItems: MAX_ROWS };

/** Parses JSON within bounds. The error is the rest of a sentence about it. */
function parseJson(text: string, bounds: JsonBounds): Result<unknown, string> {
  const counted = countJsonValues(text, bounds);
  if (!counted.ok) return err(`${counted.error}.`);
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return err(`is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
