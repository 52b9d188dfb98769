import { isUtf8 } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import type { ArticleUpdateDraft } from '../../core/articles/bulk-updates.ts';
import { doubtfulItems, listNames, MAX_NAMED } from '../../core/articles/item-warnings.ts';
import { readBoundedFile } from '../../core/base/bounded-file.ts';
import { countJsonValues, isObject } from '../../core/base/json.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import {
  DocumentError,
  type DocumentHandler,
  type DocumentPart,
  DocumentSplitter,
} from '../../store/knowledge-base/document-splitter.ts';
import {
  CHUNK_BYTES,
  type ColumnMapping,
  fieldsOfCells,
  fieldsOfMembers,
  type InputRow,
  MAX_ROW_BYTES,
  parseFields,
  problemChunk,
  type ReadRow,
  type RowChunk,
  type UpdateRow,
} from './article-rows.ts';
import { readCsvRows } from './csv-rows.ts';

export type InputFormat = 'csv' | 'json' | 'ndjson';

interface InputOptions {
  readonly format: InputFormat;
  readonly mapping: ColumnMapping;
}

/** Rows that can be sent, in their order. */
export interface UpdateRows {
  readonly length: number;
  at(index: number): UpdateRow | undefined;
}

interface CheckedRows {
  readonly rows: UpdateRows;
  /** Sentences about rows that can be sent, and that few people mean. */
  readonly warnings: readonly string[];
}

/** A file of which every row can be sent. */
export interface Input extends CheckedRows {
  /** The SHA-256 of the file. */
  readonly digest: string;
}

/** The file is held whole, and its rows are parsed when they are needed. */
export const MAX_INPUT_BYTES = 256 * 1024 ** 2;

/** Reads a file, and checks all rows. The error lists the problems of the file. */
export function readInput(path: string, options: InputOptions): Result<Input, string> {
  const name = toPrintable(path);
  const read = readBoundedFile(path, { maxBytes: MAX_INPUT_BYTES });
  if (!read.ok) return err(`${name} ${read.error}.`);
  const bytes = read.value;
  if (!isUtf8(bytes)) return err(`${name} is not UTF-8. Save it as UTF-8.`);
  const rows = checkRows(name, bytes, options);
  return rows.ok ? ok({ ...rows.value, digest: createHash('sha256').update(bytes).digest('hex') }) : rows;
}

/** Problems that are listed; the rest is counted. Each takes time, so that counting ends, too. */
const [MAX_LISTED_PROBLEMS, MAX_COUNTED_PROBLEMS] = [100, 10_000];

/** The most rows of a file: a job has no more items, unless its gateway has another bound. */
const MAX_ROWS = 1_000_000;

/** @internal Exported for tests. */
export function checkRows(name: string, bytes: Buffer, options: InputOptions): Result<CheckedRows, string> {
  const rows = new FileRows(options);
  const doubts = new Doubts();
  const problems = new RowProblems();
  for (const chunk of readChunks(bytes, options)) {
    doubts.add(checkChunk(chunk, options, problems));
    rows.add(chunk);
    if (rows.length > MAX_ROWS) return err(`nothing was sent: ${name} ${TOO_MANY}`);
    if (problems.count > MAX_COUNTED_PROBLEMS) break;
  }
  if (problems.count > 0) return err(`nothing was sent: ${name} has ${problems.text()}`);
  return rows.length > 0 ? ok({ rows, warnings: doubts.warnings() }) : err(`${name} has no rows.`);
}

const TOO_MANY = `has more than ${MAX_ROWS} rows, which is the largest job (MAX_JOB_ITEMS). Split the file.`;

/** The updates of rows without problems, by their places. */
type PlacedUpdates = readonly (readonly [place: string, update: ArticleUpdateDraft])[];

function checkChunk({ rows }: RowChunk, options: InputOptions, problems: RowProblems): PlacedUpdates {
  return rows.flatMap((row): PlacedUpdates => {
    const { place } = row.ok ? row.value : row.error;
    const parsed = row.ok ? parseFields(fieldsOf(row.value, options)) : err([row.error.message]);
    if (parsed.ok) return [[place, parsed.value]];
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
    return row?.ok && parsed?.ok ? { ...row.value, json: JSON.stringify(parsed.value) } : undefined;
  }
}

/** Gathers the warnings about rows. */
class Doubts {
  readonly #texts = new TextHashes();
  readonly #found = new Map<string, { readonly places: string[]; count: number }>();

  add(placed: PlacedUpdates): void {
    const updates = placed.map(([, update]) => update);
    for (const { predicate, indexes } of doubtfulItems(updates, this.#texts)) {
      const found = this.#found.get(predicate) ?? { places: [], count: 0 };
      const room = MAX_NAMED - found.places.length;
      for (const index of indexes.slice(0, room)) found.places.push(placed[index]?.[0] ?? '');
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

/** A set of texts by their hashes, since a million texts take more memory than their file. */
class TextHashes {
  size = 0;
  /** 0 where nothing is. A full place is rare enough below 24 of 25, and a larger table would take more than small files. */
  #hashes = new Float64Array(1_024);

  add(text: string): this {
    if (25 * this.size >= 24 * this.#hashes.length) {
      const old = this.#hashes;
      this.#hashes = new Float64Array(2 * old.length);
      this.size = 0;
      for (const one of old) if (one !== 0) this.#put(one);
    }
    this.#put(1 + Number.parseInt(hash('sha1', text).slice(0, 12), 16));
    return this;
  }

  #put(one: number): void {
    let at = one % this.#hashes.length;
    while (this.#hashes[at] !== 0 && this.#hashes[at] !== one) at = (at + 1) % this.#hashes.length;
    if (this.#hashes[at] === 0) this.size += 1;
    this.#hashes[at] = one;
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

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

function readChunks(bytes: Buffer, { format, mapping }: InputOptions): Generator<RowChunk> {
  const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return READERS[format](hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes, mapping);
}

/**
 * Reads the rows of a file as they stand there.
 * @internal Exported for tests.
 */
export const readRows = (bytes: Buffer, options: InputOptions): readonly ReadRow[] =>
  [...readChunks(bytes, options)].flatMap(({ rows }) => rows);

const fieldsOf = (row: InputRow, options: InputOptions) =>
  options.format === 'csv' ? fieldsOfCells(row, options.mapping) : fieldsOfMembers(row);

const [LINE_FEED, SPACE, OPEN_BRACKET] = [0x0a, 0x20, 0x5b];

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
  /** The items of earlier chunks. */
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

  /** The chunks so far, and at the end the last one. */
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

/** Values of one row, of which an update has eleven. */
const ROW_BOUNDS = { maxValues: 100_000, maxListItems: 100_000 };

/** Bounds the values of a row before they are built. The error is the rest of a sentence about it. */
function parseJson(text: string): Result<unknown, string> {
  const counted = countJsonValues(text, ROW_BOUNDS);
  if (!counted.ok) return err(`${counted.error}.`);
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return err(`is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
