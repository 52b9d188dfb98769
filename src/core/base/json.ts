import { MAX_JSON_DEPTH, MAX_OBJECT_MEMBERS, MAX_OBJECT_SHAPES } from './limits.ts';
import { err, ok, type Result } from './result.ts';
import { decodeText } from './text.ts';

/** A JSON object whose members are not validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for JSON objects: neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a JSON text of bounded length; undefined where the text is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type JsonParseFailure =
  | { readonly kind: 'encoding' }
  | { readonly kind: 'limit'; readonly problem: string }
  /** `position` starts at 0. It is the length of a text that ends too early, and null when the parser reports none. */
  | { readonly kind: 'syntax'; readonly position: number | null }
  | { readonly kind: 'out-of-memory' };

type JsonParseResult = Result<unknown, JsonParseFailure>;

/** The parts of the event loop and of the memory of the process that one request uses. */
export interface ParseBudget {
  /** Resolves in a tick of its own, before a large text is parsed. */
  nextTick(): Promise<void>;
  /** Sets the total bytes that the request uses. Returns false when the memory of the process has no room for them. */
  charge(bytes: number): boolean;
}

export interface JsonParseOptions {
  readonly bounds: JsonBounds;
  readonly budget: ParseBudget;
}

/** Texts of this size and more are parsed in ticks of their own. 64 kB hold some 250 items, and take a millisecond. */
const LARGE_BYTES = 64 * 1024;

/** The values of larger texts are used in a later tick. Those of smaller ones are still in the processor's caches. */
const ALONE_BYTES = 384 * 1024;

/** Memory for each byte of a body: the byte itself, and its character, which may take two bytes. */
const BYTES_WHILE_PARSING = 3;
const BYTES_PER_CHARACTER = 2;
/**
 * Memory for each value besides its characters. A bulk update of 100 articles with seven members each takes 124 kB until it is
 * answered, with what GraphQL and the call make of it (measured); 70 kB of them are counted as characters.
 */
const BYTES_PER_VALUE = 64;

/** Parses a JSON text within bounds: a small text at once, a large one in a tick of its own. */
export async function parseBoundedJson(bytes: Uint8Array, options: JsonParseOptions): Promise<JsonParseResult> {
  return bytes.length >= LARGE_BYTES ? parseLargeJson(bytes, options) : parseAtOnce(bytes, options);
}

/** The bounds limit the time of one text: docs/decisions/0044-decoded-once.md has the figures. */
async function parseLargeJson(bytes: Uint8Array, options: JsonParseOptions): Promise<JsonParseResult> {
  const { budget } = options;
  const { length } = bytes;
  if (!budget.charge(BYTES_WHILE_PARSING * length)) return err({ kind: 'out-of-memory' });
  await budget.nextTick();
  const parsed = parseAtOnce(bytes, options);
  if (length > ALONE_BYTES) await budget.nextTick();
  return parsed;
}

function parseAtOnce(bytes: Uint8Array, { bounds, budget }: JsonParseOptions): JsonParseResult {
  const text = decodeText(bytes);
  if (text === null) return err({ kind: 'encoding' });
  const values = countJsonValues(text, bounds);
  if (!values.ok) return err({ kind: 'limit', problem: values.error });
  if (!budget.charge(BYTES_PER_CHARACTER * text.length + BYTES_PER_VALUE * values.value))
    return err({ kind: 'out-of-memory' });
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    // The parser's message is left out, since it quotes the text.
    const message = error instanceof Error ? error.message : '';
    const position =
      / at position (\d+)/u.exec(message)?.[1] ?? (message.startsWith('Unexpected end') ? text.length : null);
    return err({ kind: 'syntax', position: position === null ? null : Number(position) });
  }
}

export interface JsonBounds {
  /** Values in all arrays and objects together. */
  readonly maxValues: number;
  readonly maxListItems: number;
}

/** The number of names that are not compared. Objects of so many kinds take about 10 ms to parse. */
const FREE_NAMES = 10_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The shape of an object without members. */
const EMPTY_SHAPE = 0;
/** The shape of an open array. */
const ARRAY = -1;

/**
 * Counts the values of a JSON text before it is parsed, since the time of parsing texts of one length differs a
 * hundredfold: 10 MB of brackets take 2.5 s, 10 MB of plain text 8 ms. Fails with the bound that the text exceeds.
 * Syntax errors are left to the parser. The text may be UTF-8 that was decoded as Latin-1: a character of JSON's syntax
 * is one byte in both.
 */
export const countJsonValues = (text: string, bounds: JsonBounds): Result<number, string> =>
  new JsonScanner(bounds).count(text);

class JsonScanner {
  readonly #bounds: JsonBounds;
  #values = 0;
  #depth = 0;
  #expectsName = false;
  /** The number of further names that are not compared. */
  #freeNames = FREE_NAMES;
  /** The number of further commas that the array or object at each depth may have. */
  readonly #commasLeft: number[];
  /** The shape of the object at each depth. */
  readonly #shapeAt: number[] = [ARRAY];
  /** The next shapes of each shape, by the added name; null until names are compared. */
  #nextShapes: Map<string, number>[] | null = null;
  /** The bound that the text exceeds; null while it exceeds none. */
  #problem: string | null = null;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
    this.#commasLeft = [bounds.maxListItems];
  }

  count(text: string): Result<number, string> {
    let position = 0;
    while (position < text.length) {
      const character = text.charCodeAt(position++);
      if (character === QUOTE) {
        const end = endOfString(text, position);
        if (this.#expectsName) this.#countName(text, position, end);
        position = end + 1;
      } else if (character === COMMA || character >= OPEN_BRACKET) this.#countCharacter(character);
      else continue;
      if (this.#problem !== null) return err(this.#problem);
    }
    return ok(this.#values);
  }

  #countCharacter(character: number): void {
    if (character === COMMA) this.#countComma();
    else if (character === OPEN_BRACKET || character === OPEN_BRACE) this.#openContainer(character === OPEN_BRACE);
    else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) this.#depth = Math.max(0, this.#depth - 1);
  }

  #openContainer(isObject: boolean): void {
    this.#depth++;
    if (this.#depth > MAX_JSON_DEPTH) {
      this.#problem = `must not nest lists and objects more than ${MAX_JSON_DEPTH} deep`;
      return;
    }
    this.#commasLeft[this.#depth] = (isObject ? MAX_OBJECT_MEMBERS : this.#bounds.maxListItems) - 1;
    this.#shapeAt[this.#depth] = isObject ? EMPTY_SHAPE : ARRAY;
    this.#expectsName = isObject;
    this.#addValue();
  }

  #countComma(): void {
    const left = (this.#commasLeft[this.#depth] ?? 0) - 1;
    this.#commasLeft[this.#depth] = left;
    if (left < 0) {
      this.#problem = `must not hold a list of more than ${this.#bounds.maxListItems} items, or an object of more than ${MAX_OBJECT_MEMBERS} members`;
      return;
    }
    this.#expectsName = this.#shapeAt[this.#depth] !== ARRAY;
    this.#addValue();
  }

  #addValue(): void {
    this.#values++;
    if (this.#values > this.#bounds.maxValues)
      this.#problem = `must not hold more than ${this.#bounds.maxValues} values`;
  }

  /** Counts a name. Invalid JSON may have a name outside of an object, which counts as that of an empty one. */
  #countName(text: string, start: number, end: number): void {
    this.#expectsName = false;
    if (this.#freeNames-- > 0) return;
    this.#nextShapes ??= [new Map()];
    const shapes = this.#nextShapes;
    const nextShapes = shapes[this.#shapeAt[this.#depth] ?? EMPTY_SHAPE] ?? shapes[EMPTY_SHAPE];
    const name = text.slice(start, end);
    let shape = nextShapes?.get(name);
    if (shape === undefined) {
      shape = shapes.push(new Map()) - 1;
      nextShapes?.set(name, shape);
      if (shape > MAX_OBJECT_SHAPES) this.#problem = `must not hold objects of more than ${MAX_OBJECT_SHAPES} kinds`;
    }
    this.#shapeAt[this.#depth] = shape;
  }
}

/** The position of the quotation mark that ends a string of JSON, which begins at `start`, or the end of a text without one. */
export function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start);
  if (quote === -1) return text.length;
  if (text.charCodeAt(quote - 1) !== BACKSLASH) return quote;
  // Escaped quotes are skipped in one pass.
  let position = start;
  for (let character = text.charCodeAt(position); character !== QUOTE; character = text.charCodeAt(position)) {
    position += character === BACKSLASH ? 2 : 1;
    if (position >= text.length) return text.length;
  }
  return position;
}
