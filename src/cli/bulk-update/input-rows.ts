import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readBoundedFile } from '../../base/bounded-file.ts';
import { countJsonValues, isObject } from '../../base/json.ts';
import { toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { ArticleUpdateDraft } from '../../domain/articles/bulk-updates.ts';
import { doubtfulItems, listNames } from '../../domain/articles/item-warnings.ts';
import {
  type ColumnMapping,
  fieldsOfCells,
  fieldsOfMembers,
  type InputRow,
  parseFields,
  type ReadRow,
  type UpdateRow,
} from './article-rows.ts';
import { readCsvRows } from './csv-rows.ts';

export type InputFormat = 'csv' | 'json' | 'ndjson';

interface InputOptions {
  readonly format: InputFormat;
  readonly mapping: ColumnMapping;
}

interface CheckedRows {
  readonly rows: readonly UpdateRow[];
  /** Sentences about rows that can be sent, and that few people mean. */
  readonly warnings: readonly string[];
}

/** A file of which every row can be sent. */
export interface Input extends CheckedRows {
  /** The SHA-256 of the file. */
  readonly digest: string;
}

/** The file is held whole, and its rows beside it. */
export const MAX_INPUT_BYTES = 256 * 1024 ** 2;

/** Reads a file, and checks all rows. The error lists the problems of the file. */
export function readInput(path: string, options: InputOptions): Result<Input, string> {
  const name = toPrintable(path);
  const read = readBoundedFile(path, { maxBytes: MAX_INPUT_BYTES });
  if (!read.ok) return err(`${name} ${read.error}.`);
  const bytes = read.value;
  if (!isUtf8(bytes)) return err(`${name} is not UTF-8. Save it as UTF-8.`);
  // Without the byte order mark.
  const rows = checkRows(name, new TextDecoder().decode(bytes), options);
  return rows.ok ? ok({ ...rows.value, digest: createHash('sha256').update(bytes).digest('hex') }) : rows;
}

/** Problems that are listed; the rest is counted. */
const MAX_LISTED_PROBLEMS = 100;

/** @internal Exported for tests. */
export function checkRows(name: string, text: string, options: InputOptions): Result<CheckedRows, string> {
  const rows: UpdateRow[] = [];
  const updates: ArticleUpdateDraft[] = [];
  const problems = new RowProblems();
  for (const row of readRows(text, options)) {
    const parsed = row.ok ? parseFields(fieldsOf(row.value, options)) : err([row.error.message]);
    if (row.ok && parsed.ok) {
      rows.push({ ...row.value, json: parsed.value.json });
      updates.push(parsed.value.update);
    }
    if (!parsed.ok) problems.add((row.ok ? row.value : row.error).place, parsed.error);
  }
  if (problems.count > 0) return err(`nothing was sent: ${name} has ${problems.count} problems.\n${problems.text()}`);
  return rows.length > 0 ? ok({ rows, warnings: warningsOf(rows, updates) }) : err(`${name} has no rows.`);
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
    return [...this.#lines, ...(rest > 0 ? [`  and ${rest} more.`] : [])].join('\n');
  }
}

const warningsOf = (rows: readonly UpdateRow[], updates: readonly ArticleUpdateDraft[]): readonly string[] =>
  doubtfulItems(updates).map(({ predicate, indexes }) => {
    const places = indexes.map((index) => rows[index]?.place);
    return `warning: rows that ${predicate}: ${listNames(places)}.`;
  });

const READERS = { csv: readCsvRows, json: readJsonRows, ndjson: readNdjsonRows };

/**
 * Reads the rows of a text as they stand there.
 * @internal Exported for tests.
 */
export const readRows = (text: string, { format, mapping }: InputOptions): readonly ReadRow[] =>
  READERS[format](text, mapping);

const fieldsOf = (row: InputRow, options: InputOptions) =>
  options.format === 'csv' ? fieldsOfCells(row, options.mapping) : fieldsOfMembers(row);

/** Reads one JSON object of each line. Blank lines are skipped. */
function readNdjsonRows(text: string): readonly ReadRow[] {
  return text.split('\n').flatMap((line, index): readonly ReadRow[] => {
    if (line.trim() === '') return [];
    const place = `line ${index + 1}`;
    const parsed = parseJson(line);
    return [parsed.ok ? rowOf(parsed.value, place) : err({ place, message: `the row ${parsed.error}` })];
  });
}

/** Reads the items of an array, or of the array "articles" of an object. */
function readJsonRows(text: string): readonly ReadRow[] {
  const parsed = parseJson(text);
  if (!parsed.ok) return [err({ place: 'the input', message: parsed.error })];
  const items = listIn(parsed.value);
  const message = 'is no array of articles, and no object whose only member is "articles".';
  return items === null
    ? [err({ place: 'the input', message })]
    : items.map((item, index) => rowOf(item, `item ${index + 1}`));
}

function listIn(document: unknown): readonly unknown[] | null {
  const list = isObject(document) && Object.keys(document).length === 1 ? document['articles'] : document;
  return Array.isArray(list) ? list : null;
}

const rowOf = (members: unknown, place: string): ReadRow =>
  isObject(members)
    ? ok({ place, members })
    : err({ place, message: 'the row is no object with the fields of an article.' });

/** Values of a text besides one for each of so many characters. The shortest row of an update has nine for each. */
const [FREE_VALUES, CHARACTERS_PER_VALUE] = [500_000, 6];

/** Bounds the values of a text before they are built. The error is the rest of a sentence about it. */
function parseJson(text: string): Result<unknown, string> {
  const most = FREE_VALUES + Math.floor(text.length / CHARACTERS_PER_VALUE);
  const counted = countJsonValues(text, { maxValues: most, maxListItems: most });
  if (!counted.ok) return err(`${counted.error}.`);
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return err(`is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
