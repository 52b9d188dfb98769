import { isObject } from '../../base/json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { lineOf, MAX_ROW_CHARS, type ReadRow, tooLongRow } from './article-rows.ts';

/** Reads one JSON object of each line. Blank lines are skipped. */
export async function* readNdjsonRows(text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  let line = 1;
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const row of lines) {
      if (row.length > MAX_ROW_CHARS) yield err(tooLongRow(line));
      else if (row.trim() !== '') yield parseLine(row, line);
      line += 1;
    }
    if (rest.length > MAX_ROW_CHARS) return yield err(tooLongRow(line));
  }
  if (rest.trim() !== '') yield parseLine(rest, line);
}

function parseLine(text: string, line: number): ReadRow {
  const parsed = parseJson(text);
  return parsed.ok
    ? rowOf(parsed.value, lineOf(line))
    : err({ place: lineOf(line), message: `the row is no JSON: ${parsed.error}` });
}

/** Characters of a file of JSON, which is held whole. NDJSON has no such bound. */
const MAX_JSON_CHARS = 64 * 1024 ** 2;

/** Reads the items of an array, or of the array "articles" of an object. */
export async function* readJsonRows(text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  const pieces: string[] = [];
  let chars = 0;
  for await (const piece of text) {
    chars += piece.length;
    if (chars > MAX_JSON_CHARS)
      return yield err(ofWhole(`has more than ${MAX_JSON_CHARS} characters; write it as NDJSON.`));
    pieces.push(piece);
  }
  const parsed = parseJson(pieces.join(''));
  if (!parsed.ok) return yield err(ofWhole(`is no JSON: ${parsed.error}`));
  const items = listIn(parsed.value);
  if (items === null)
    return yield err(ofWhole('is no array of articles, and no object whose only member is "articles".'));
  for (const [index, item] of items.entries()) yield rowOf(item, `item ${index + 1}`);
}

const ofWhole = (message: string) => ({ place: 'the input', message });

function listIn(document: unknown): readonly unknown[] | null {
  const list = isObject(document) && Object.keys(document).length === 1 ? document['articles'] : document;
  return Array.isArray(list) ? list : null;
}

const rowOf = (members: unknown, place: string): ReadRow =>
  isObject(members)
    ? ok({ place, members })
    : err({ place, message: 'the row is no object with the fields of an article.' });

function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}
