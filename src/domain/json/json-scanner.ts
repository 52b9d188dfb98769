import { ObjectKinds } from './object-shapes.ts';

/** How much a JSON text may hold. */
export interface JsonBounds {
  /** Values in all lists and objects together. */
  readonly maxValues: number;
  /** Items in one list. */
  readonly maxListItems: number;
}

/** Lists and objects within each other. What the gateway takes needs fewer than ten. */
const MAX_DEPTH = 64;

/** Members of one object. What the gateway takes needs fewer than twenty, but for the variables of a large document. */
const MAX_MEMBERS = 5_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Stands in the place of the kind of an object where a list is open. */
const LIST = -1;

/**
 * Counts the parts of a JSON text before it is parsed, as many characters at a time as the caller wishes. Texts of one
 * length differ a hundredfold in what they cost to parse (10 MB of brackets 2.5 s, of plain text 8 ms); counting takes up
 * to 190 ms for 10 MB, which is too long without a pause. It leaves to the parser whether the text is JSON at all.
 */
export class JsonScan {
  readonly #text: string;
  readonly #bounds: JsonBounds;
  readonly #kinds: ObjectKinds | null;
  #at = 0;
  #depth = 0;
  #values = 0;
  /** Where the text began whose closing quote is looked for; -1 outside of texts. */
  #textStart = -1;
  #expectsName = false;
  /** How many more commas what is open at a depth may have. */
  readonly #commas: number[];
  /** The kind of the object that is open at a depth. */
  readonly #kindAt: number[] = [LIST];

  /** Without `kinds`, objects may be of as many kinds as there are values. */
  constructor(text: string, bounds: JsonBounds, kinds: ObjectKinds | null = null) {
    this.#text = text;
    this.#bounds = bounds;
    this.#kinds = kinds;
    this.#commas = [bounds.maxListItems];
  }

  /** Values counted so far. */
  get values(): number {
    return this.#values;
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Counts on for so many characters, and tells what speaks against parsing the text; null where nothing does so far. */
  advance(characters = Number.POSITIVE_INFINITY): string | null {
    const end = Math.min(this.#at + characters, this.#text.length);
    while (this.#at < end) {
      if (this.#textStart !== -1) {
        if (this.#findEndOfText() && this.#kinds?.isFull)
          return `must not hold objects of more than ${this.#kinds.most} kinds`;
        continue;
      }
      const character = this.#text.charCodeAt(this.#at++);
      if (character === QUOTE) this.#textStart = this.#at;
      else if (character === COMMA || character >= OPEN_LIST) {
        const problem = this.#count(character);
        if (problem !== null) return problem;
      }
    }
    return null;
  }

  /** Goes past the next quote, and tells whether that ends the text. */
  #findEndOfText(): boolean {
    const quote = this.#text.indexOf('"', this.#at);
    this.#at = quote === -1 ? this.#text.length : quote + 1;
    let backslashes = 0;
    while (this.#text.charCodeAt(quote - backslashes - 1) === BACKSLASH) backslashes++;
    if (quote === -1 || backslashes % 2 === 1) return false;
    if (this.#kinds && this.#expectsName) {
      const kind = this.#kindAt[this.#depth] ?? LIST;
      this.#kindAt[this.#depth] = this.#kinds.withMember(kind, this.#text.slice(this.#textStart, quote));
    }
    this.#expectsName = false;
    this.#textStart = -1;
    return true;
  }

  #count(character: number): string | null {
    switch (character) {
      case OPEN_LIST:
      case OPEN_OBJECT:
        return this.#open(character === OPEN_OBJECT);
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        this.#depth = Math.max(0, this.#depth - 1);
        return null;
      case COMMA:
        return this.#goOn();
    }
    return null;
  }

  #open(isObject: boolean): string | null {
    this.#depth++;
    if (this.#depth > MAX_DEPTH) return `must not nest lists and objects more than ${MAX_DEPTH} deep`;
    this.#commas[this.#depth] = (isObject ? MAX_MEMBERS : this.#bounds.maxListItems) - 1;
    this.#kindAt[this.#depth] = isObject ? ObjectKinds.EMPTY : LIST;
    this.#expectsName = isObject;
    return this.#addValue();
  }

  #goOn(): string | null {
    const left = (this.#commas[this.#depth] ?? 0) - 1;
    this.#commas[this.#depth] = left;
    if (left < 0) {
      return `must not hold a list of more than ${this.#bounds.maxListItems} items, or an object of more than ${MAX_MEMBERS} members`;
    }
    this.#expectsName = this.#kindAt[this.#depth] !== LIST;
    return this.#addValue();
  }

  #addValue(): string | null {
    this.#values++;
    return this.#values > this.#bounds.maxValues ? `must not hold more than ${this.#bounds.maxValues} values` : null;
  }
}

/** What speaks against parsing a JSON text; null where nothing does. For texts so short that they need no pause. */
export const jsonProblem = (text: string, bounds: JsonBounds): string | null => new JsonScan(text, bounds).advance();
