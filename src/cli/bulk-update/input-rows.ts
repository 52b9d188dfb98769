import { createHash } from 'node:crypto';
import type { ArticleUpdateDraft } from '../../core/articles/bulk-updates.ts';
import { doubtfulItems, listNames, MAX_NAMED } from '../../core/articles/item-warnings.ts';
import { readBoundedFile } from '../../core/base/bounded-file.ts';
import { countJsonValues, isObject, type JsonBounds } from '../../core/base/json.ts';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { conflictMessage, HashedTexts, SharedValues } from '../../core/sheets/shared-values.ts';
import { CHUNK_BYTES, MAX_ROW_BYTES, problemChunk } from '../../core/sheets/sheet-rows.ts';
import { utf8Of } from '../../core/sheets/sheet-text.ts';
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
    .flatMap((text, index) =>
      text.trim() === '' ? [] : [rowOf(parseJson(text, ROW_BOUNDS), `line ${firstLine + index}`)],
    );
}

const TOO_LONG = err(`takes more than ${MAX_ROW_BYTES} bytes.`);

/** Items of a chunk. */
const CHUNK_ITEMS = 1_000;

/** Reads the items of an array, or of the array "articles" of an object. */
function* readJsonRows(bytes: Buffer): Generator<RowChunk> {
  const parsed = parseJson(bytes.toString(), FILE_BOUNDS);
  const items = parsed.ok ? itemsIn(parsed.value) : null;
  if (items === null) {
    const message = parsed.ok ? NO_LIST : `the file ${parsed.error}`;
    return yield problemChunk({ place: 'the input', message });
  }
  for (let start = 0; start < items.length; start += CHUNK_ITEMS) {
    const rows = items
      .slice(start, start + CHUNK_ITEMS)
      .map((item, index) => rowOf(ok(item), `item ${start + index + 1}`));
    yield { rows, again: () => rows };
  }
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
