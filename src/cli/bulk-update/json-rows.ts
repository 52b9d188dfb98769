import { err, ok } from '../../base/result.ts';
import { MAX_ROW_CHARS, type ReadRow, tooLongRow } from './article-rows.ts';

/** Reads one JSON object of each line. Blank lines are skipped. */
export async function* readNdjsonRows(text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  let line = 1;
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const row of lines) {
      if (row.length > MAX_ROW_CHARS) yield err(tooLongRow(line));
      else if (row.trim() !== '') yield parseRow(row, line);
      line += 1;
    }
    if (rest.length > MAX_ROW_CHARS) return yield err(tooLongRow(line));
  }
  if (rest.trim() !== '') yield parseRow(rest, line);
}

function parseRow(text: string, line: number): ReadRow {
  try {
    const members: unknown = JSON.parse(text);
    if (typeof members === 'object' && members !== null && !Array.isArray(members))
      return ok({ line, members: { ...members } });
    return err({ line, message: 'the row is no object with the fields of an article.' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return err({ line, message: `the row is no JSON: ${reason}` });
  }
}

/** Characters before the first item, and after the last one. */
const MAX_FRAME_CHARS = 4_096;

const OPENING = /^\s*(?:\[|\{\s*"articles"\s*:\s*\[)/u;

const FORM = 'the input is no array of articles, and no object whose only member is "articles"';

/** Reads the items of an array, or of the array "articles" of an object, without holding the document. */
export async function* readJsonRows(text: AsyncIterable<string>): AsyncGenerator<ReadRow> {
  let opening = '';
  let items: JsonItems | null = null;
  for await (const piece of text) {
    if (items !== null) yield* items.read(piece);
    else {
      opening += piece;
      const [frame] = OPENING.exec(opening) ?? [];
      if (frame === undefined && opening.length > MAX_FRAME_CHARS) break;
      if (frame === undefined) continue;
      items = new JsonItems(frame);
      yield* items.read(opening.slice(frame.length));
    }
    if (items.hasFailed) return;
  }
  if (items === null) yield err({ line: 1, message: `${FORM}.` });
  else yield* items.end();
}

/** The next characters that matter outside and inside of strings. */
const STRUCTURE = /["{}[\],\n]/gu;
const STRING_END = /["\\]/gu;

/** Splits an array of JSON into the texts of its items. */
class JsonItems {
  readonly #closing: RegExp;
  #line: number;
  #item = '';
  #itemLine = 1;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #items = 0;
  /** The text after the array; null before its end. */
  #trailing: string | null = null;
  hasFailed = false;

  constructor(opening: string) {
    this.#closing = opening.trimStart().startsWith('{') ? /^\s*\}\s*$/u : /^\s*$/u;
    this.#line = opening.split('\n').length;
    this.#itemLine = this.#line;
  }

  *read(piece: string): Generator<ReadRow> {
    let at = 0;
    while (at < piece.length && this.#trailing === null && !this.hasFailed) {
      const end = this.#nextPosition(piece, at);
      this.#append(piece.slice(at, end));
      if (end < piece.length) yield* this.#take(piece.charAt(end));
      at = end + 1;
      if (this.#item.length > MAX_ROW_CHARS) yield this.#fail(tooLongRow(this.#itemLine).message);
    }
    if (this.#trailing === null) return;
    this.#trailing += piece.slice(at);
    if (this.#trailing.length > MAX_FRAME_CHARS) yield* this.end();
  }

  *end(): Generator<ReadRow> {
    if (this.hasFailed) return;
    if (this.#trailing === null) yield this.#fail('the input ends before the list of articles does.');
    else if (!this.#closing.test(this.#trailing)) yield this.#fail(`${FORM}: more follows the list.`);
  }

  #nextPosition(piece: string, at: number): number {
    if (this.#isEscaped) return at;
    const pattern = this.#isInString ? STRING_END : STRUCTURE;
    pattern.lastIndex = at;
    return pattern.exec(piece)?.index ?? piece.length;
  }

  *#take(character: string): Generator<ReadRow> {
    if (character === '\n') this.#line += 1;
    if (this.#isInString) this.#takeOfString(character);
    else if (this.#depth === 0 && (character === ',' || character === ']')) return yield* this.#endItem(character);
    else if (character === '"') this.#isInString = true;
    else if (character === '{' || character === '[') this.#depth += 1;
    else if (character === '}' || character === ']') this.#depth -= 1;
    this.#append(character);
    if (this.#depth < 0) yield this.#fail('a bracket is closed that was not opened.');
  }

  #takeOfString(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\') this.#isEscaped = true;
    else if (character === '"') this.#isInString = false;
  }

  *#endItem(character: string): Generator<ReadRow> {
    const isEmptyList = character === ']' && this.#items === 0;
    if (this.#item !== '') yield parseRow(this.#item, this.#itemLine);
    else if (!isEmptyList) yield this.#fail('an article is missing beside a comma.');
    this.#items += 1;
    this.#item = '';
    if (character === ']') this.#trailing = '';
  }

  /** The spaces before an item are left out. */
  #append(text: string): void {
    const part = this.#item === '' ? text.trimStart() : text;
    if (this.#item === '' && part !== '') this.#itemLine = this.#line;
    this.#item += part;
  }

  #fail(message: string): ReadRow {
    this.hasFailed = true;
    return err({ line: this.#line, message });
  }
}
