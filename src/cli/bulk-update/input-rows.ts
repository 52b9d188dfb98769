import { createHash } from 'node:crypto';
import type { ArticleUpdateDraft } from '../../core/articles/bulk-updates.ts';
import { doubtfulItems, listNames, MAX_NAMED } from '../../core/articles/item-warnings.ts';
import { readBoundedFile } from '../../core/base/bounded-file.ts';
import { countJsonValues, isObject } from '../../core/base/json.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { conflictMessage, HashedTexts, SharedValues } from '../../core/sheets/shared-values.ts';
import { CHUNK_BYTES, MAX_ROW_BYTES, problemChunk } from '../../core/sheets/sheet-rows.ts';
import { utf8Of } from '../../core/sheets/sheet-text.ts';
import {
  DocumentError,
  type DocumentHandler,
  type DocumentPart,
  DocumentSplitter,
} from '../../store/knowledge-base/document-splitter.ts';
import {
  type ColumnMapping,
  fieldsOfCells,
  fieldsOfMembers,
  type InputRow,
  parseFields,
  type ReadRow,
  type RowChunk,
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

/** Rows that can be sent, in their order. */
export interface UpdateRows {
  readonly length: number;
  at(index: number): UpdateRow | undefined;
}

/** The rows at some positions of a file. */
export const rowsAt = (rows: UpdateRows, positions: readonly number[]): UpdateRows => ({
  length: positions.length,
  at: (index) => {
    const position = positions[index];
    return position === undefined ? undefined : rows.at(position);
  },
});

/**
 * Leaves what all languages of an article share to the last row of the article that sets it: a row with a revision would
 * else not be attempted once an earlier part of the same file has changed it.
 */
export function withSharedLast(rows: UpdateRows): UpdateRows {
  const last = new HashedTexts();
  for (let index = rows.length - 1; index >= 0; index -= 1)
    for (const key of sharedKeys(rows.at(index)?.update)) last.put(key, index);
  return {
    length: rows.length,
    at(index) {
      const row = rows.at(index);
      if (row?.update.ifRevision == null || !changesText(row.update)) return row;
      const isLater = sharedKeys(row.update).every((key) => last.get(key) !== index);
      const { hidden: _hidden, categoryId: _category, ...update } = row.update;
      return isLater ? { ...row, update, json: JSON.stringify(update) } : row;
    },
  };
}

/** A key for each member that an update sets of the article as a whole, and that revisions are of. */
const sharedKeys = (update: ArticleUpdateDraft | undefined): readonly string[] =>
  (['hidden', 'categoryId'] as const)
    .filter((name) => update?.[name] != null)
    .map((name) => `${name} ${update?.articleId.toLowerCase()}`);

const changesText = ({ title, content, htmlContent, translationStatus }: ArticleUpdateDraft): boolean =>
  [title, content, htmlContent, translationStatus].some((value) => value !== undefined);

interface CheckedRows {
  readonly rows: UpdateRows;
  /** Warnings about rows that can be sent and are probably not meant. */
  readonly warnings: readonly string[];
}

/** A file of which every row can be sent. */
export interface Input extends CheckedRows {
  /** The SHA-256 of the file. */
  readonly digest: string;
}

/** Bytes of a file. It is held whole, and its rows are parsed when they are needed. */
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
  const rows = new FileRows(options);
  const doubts = new Doubts();
  const problems = new RowProblems();
  const shared = new SharedValues();
  for (const chunk of readChunks(bytes, options)) {
    const first = rows.length;
    rows.add(chunk);
    const placed = checkChunk(chunk, options, problems);
    doubts.add(placed);
    for (const { index, place, update } of placed)
      for (const conflict of shared.add(first + index, update, (earlier) => rows.at(earlier)?.update))
        problems.add(place, [conflictMessage(conflict, update, rows.at(conflict.index)?.place)]);
    if (rows.length > MAX_ROWS) return err(`nothing was sent: ${name} ${TOO_MANY}`);
    if (problems.count > MAX_COUNTED_PROBLEMS) break;
  }
  if (problems.count > 0) return err(`nothing was sent: ${name} has ${problems.text()}`);
  return rows.length > 0 ? ok({ rows, warnings: doubts.warnings() }) : err(`${name} has no rows.`);
}

const TOO_MANY = `has more than ${MAX_ROWS} rows, which is the largest job (MAX_JOB_ITEMS). Split the file.`;

/** The updates of rows without problems, with their places and their positions in the chunk. */
type PlacedUpdates = readonly {
  readonly index: number;
  readonly place: string;
  readonly update: ArticleUpdateDraft;
}[];

function checkChunk({ rows }: RowChunk, options: InputOptions, problems: RowProblems): PlacedUpdates {
  return rows.flatMap((row, index): PlacedUpdates => {
    const { place } = row.ok ? row.value : row.error;
    const parsed = row.ok ? parseFields(fieldsOf(row.value, options)) : err([row.error.message]);
    if (parsed.ok) return [{ index, place, update: parsed.value }];
    problems.add(place, parsed.error);
    return [];
  });
}

/** The rows of a file without problems. Those of one chunk are kept at a time. */
class FileRows implements UpdateRows {
  length = 0;
  readonly #options: InputOptions;
  readonly #chunks: { readonly start: number; readonly again: RowChunk['again'] }[] = [];
  #last: { readonly start: number; readonly rows: readonly ReadRow[] } = { start: 0, rows: [] };

  constructor(options: InputOptions) {
    this.#options = options;
  }

  add({ rows, again }: RowChunk): void {
    if (rows.length > 0) this.#chunks.push({ start: this.length, again });
    this.length += rows.length;
  }

  at(index: number): UpdateRow | undefined {
    const { start, rows } = this.#last;
    if (index < start || index >= start + rows.length) {
      const chunk = this.#chunks.findLast((one) => one.start <= index);
      if (chunk === undefined || index >= this.length) return undefined;
      this.#last = { start: chunk.start, rows: chunk.again() };
    }
    const row = this.#last.rows[index - this.#last.start];
    const parsed = row?.ok ? parseFields(fieldsOf(row.value, this.#options)) : undefined;
    return row?.ok && parsed?.ok
      ? { ...row.value, update: parsed.value, json: JSON.stringify(parsed.value) }
      : undefined;
  }
}

/** Gathers the warnings about rows. */
class Doubts {
  readonly #texts = new HashedTexts();
  readonly #found = new Map<string, { readonly places: string[]; count: number }>();

  add(placed: PlacedUpdates): void {
    const updates = placed.map(({ update }) => update);
    for (const { predicate, indexes } of doubtfulItems(updates, this.#texts)) {
      const found = this.#found.get(predicate) ?? { places: [], count: 0 };
      const room = MAX_NAMED - found.places.length;
      for (const index of indexes.slice(0, room)) found.places.push(placed[index]?.place ?? '');
      found.count += indexes.length;
      this.#found.set(predicate, found);
    }
  }

  warnings(): readonly string[] {
    return [...this.#found].map(
      ([predicate, { places, count }]) => `warning: rows that ${predicate}: ${listNames(places, count)}.`,
    );
  }
}

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

const READERS = { csv: readCsvRows, json: readJsonRows, ndjson: readNdjsonRows };

const readChunks = (bytes: Uint8Array, { format, mapping }: InputOptions): Generator<RowChunk> =>
  READERS[format](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), mapping);

/**
 * Reads the rows of a file without changes.
 * @internal Exported for tests.
 */
export const readRows = (bytes: Uint8Array, options: InputOptions): readonly ReadRow[] =>
  [...readChunks(bytes, options)].flatMap(({ rows }) => rows);

function fieldsOf(row: InputRow, { format, mapping, ignoresRevisions = false }: InputOptions): InputRow['members'] {
  const fields = format === 'csv' ? fieldsOfCells(row, mapping) : fieldsOfMembers(row);
  return ignoresRevisions
    ? Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'ifRevision'))
    : fields;
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const OPEN_BRACKET = 0x5b;

/** Reads one JSON object of each line. Blank lines are skipped. */
function* readNdjsonRows(bytes: Buffer): Generator<RowChunk> {
  for (let [start, end, line] = [0, 0, 1]; start < bytes.length; start = end) {
    const firstLine = line;
    while (end < bytes.length && end - start < CHUNK_BYTES) {
      const feed = bytes.indexOf(LINE_FEED, end);
      const next = feed === -1 ? bytes.length : feed + 1;
      // A line that is large is alone in its chunk.
      if (end > start && next - end > CHUNK_BYTES) break;
      end = next;
      line += 1;
    }
    const part = bytes.subarray(start, end);
    const again = () => rowsOfLines(part, firstLine);
    yield { rows: again(), again };
  }
}

function rowsOfLines(part: Buffer, firstLine: number): readonly ReadRow[] {
  const place = `line ${firstLine}`;
  if (part.length > MAX_ROW_BYTES + CHUNK_BYTES) return [rowOf(TOO_LONG, place)];
  return part
    .toString()
    .split('\n')
    .flatMap((text, index) => (text.trim() === '' ? [] : [rowOf(parseJson(text), `line ${firstLine + index}`)]));
}

const TOO_LONG = err(`takes more than ${MAX_ROW_BYTES} bytes.`);

/** Reads the items of an array, or of the array "articles" of an object. */
function* readJsonRows(bytes: Buffer): Generator<RowChunk> {
  const items = new JsonItems();
  const splitter = new DocumentSplitter(items);
  const isList = bytes.find((byte) => byte > SPACE) === OPEN_BRACKET;
  try {
    if (isList) splitter.push(Buffer.from('{"articles":'));
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      splitter.push(bytes.subarray(at, at + CHUNK_BYTES));
      yield* items.take(false);
    }
    if (isList) splitter.push(Buffer.from('}'));
    splitter.end();
    yield* items.take(true);
    if (items.isOther) yield problemChunk({ place: 'the input', message: NO_LIST });
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    yield problemChunk({ place: 'the input', message: `${error.message}.` });
  }
}

const NO_LIST = 'is no array of articles, and no object whose only member is "articles".';

/** Gathers the items of the list "articles" in chunks. */
class JsonItems implements DocumentHandler {
  readonly #members: string[] = [];
  readonly #chunks: RowChunk[] = [];
  #items: string[] = [];
  #length = 0;
  /** The number of items in earlier chunks. */
  #earlier = 0;
  #hasOther = false;

  get isOther(): boolean {
    return this.#hasOther || this.#members.length !== 1;
  }

  onMember(name: string): void {
    if (this.#members.length < 2) this.#members.push(name);
    if (name !== 'articles') this.#hasOther = true;
  }

  onPart({ index, length, text }: DocumentPart): void {
    if (index === null) this.#hasOther = true;
    if (this.isOther) return;
    this.#items.push(text);
    this.#length += length;
    if (this.#length >= CHUNK_BYTES) this.#endChunk();
  }

  /** The complete chunks so far, and at the end also the last one. */
  take(isEnd: boolean): readonly RowChunk[] {
    if (isEnd) this.#endChunk();
    return this.#chunks.splice(0);
  }

  #endChunk(): void {
    const first = this.#earlier + 1;
    const list = Buffer.from(`[${this.#items.join(',')}]`);
    const rows = this.#items.map((item, index) => rowOf(parseJson(item), `item ${first + index}`));
    const again = () => {
      const items: readonly unknown[] = JSON.parse(list.toString());
      return items.map((item, index) => rowOf(ok(item), `item ${first + index}`));
    };
    this.#chunks.push({ rows, again });
    this.#earlier += rows.length;
    this.#items = [];
    this.#length = 0;
  }
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

/** Parses the JSON of a row within these bounds. The error is the rest of a sentence about the row. */
function parseJson(text: string): Result<unknown, string> {
  const counted = countJsonValues(text, ROW_BOUNDS);
  if (!counted.ok) return err(`${counted.error}.`);
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return err(`is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
