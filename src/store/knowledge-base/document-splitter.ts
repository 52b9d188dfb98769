import { isUtf8 } from 'node:buffer';
import { jsonIn } from '../../core/base/json.ts';
import { MAX_JSON_DEPTH } from '../../core/base/limits.ts';
import { MAX_FILE_BYTES } from './document.ts';

/** The bytes that are kept allocated for the next value. */
const FREE_BYTES = 1024 ** 2;

/** A value of a document: an item of one of its lists, or a member that is no list. */
export interface DocumentPart {
  readonly member: string;
  /** The position in the list; null for a member that is no list. */
  readonly index: number | null;
  /** The number of bytes of its JSON. */
  readonly length: number;
  readonly text: string;
  /** The line on which the value begins, from 1. */
  readonly line: number;
}

export interface DocumentHandler {
  onMember(name: string, line: number): void;
  onPart(part: DocumentPart): void;
}

/** Thrown for a document that is no JSON object, or exceeds a bound. The message is for people. */
export class DocumentError extends Error {}

/** The syntax that may follow, between values. */
type State =
  | 'document'
  | 'first name'
  | 'name'
  | 'colon'
  | 'value'
  | 'first item'
  | 'item'
  | 'after item'
  | 'after value'
  | 'end';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** The state after a byte between values, 'held' where it begins a value. Undefined where the byte is not allowed there. */
interface Next {
  readonly [byte: number]: State | 'held' | undefined;
  readonly other?: 'held';
}

const NEXT: Readonly<Record<State, Next>> = {
  document: { [OPEN_BRACE]: 'first name', other: 'held' },
  'first name': { [CLOSE_BRACE]: 'end', [QUOTE]: 'held' },
  name: { [QUOTE]: 'held' },
  colon: { [COLON]: 'value' },
  value: { [OPEN_BRACKET]: 'first item', other: 'held' },
  'first item': { [CLOSE_BRACKET]: 'after value', other: 'held' },
  item: { other: 'held' },
  'after item': { [COMMA]: 'item', [CLOSE_BRACKET]: 'after value' },
  'after value': { [COMMA]: 'name', [CLOSE_BRACE]: 'end' },
  end: {},
};

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09;

/**
 * Splits the bytes of a JSON object into the items of its lists and its other members, as they come in, so that only
 * one of them is in memory. Their content is left to the parser.
 */
export class DocumentSplitter {
  readonly #handler: DocumentHandler;
  #state: State = 'document';
  #member = '';
  #index = 0;
  #line = 1;
  #isBegun = false;
  /** The value that is being read, which no reader gives more bytes than a file has. Its depth is null between values. */
  readonly #held = new ArrayBuffer(FREE_BYTES, { maxByteLength: MAX_FILE_BYTES });
  #heldBytes = 0;
  #heldLine = 1;
  #depth: number | null = null;
  #isInString = false;
  /** True within a string after an odd number of backslashes. */
  #isEscaped = false;

  constructor(handler: DocumentHandler) {
    this.#handler = handler;
  }

  push(chunk: Buffer): void {
    const hasMark = !this.#isBegun && chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    this.#isBegun = true;
    for (let at = hasMark ? BYTE_ORDER_MARK.length : 0; at < chunk.length; ) {
      if (this.#depth !== null) at = this.#readValue(chunk, at);
      else if (!isSpace(chunk[at])) at += this.#readBetween(chunk[at] ?? 0);
      else {
        if (chunk[at] === LINE_FEED) this.#line += 1;
        at += 1;
      }
    }
  }

  end(): void {
    if (this.#depth !== null && this.#state === 'document') this.#endValue();
    if (this.#state !== 'end') throw this.#noJson();
  }

  #noJson(): DocumentError {
    return new DocumentError(`the file is not JSON (line ${this.#line})`);
  }

  /** Returns how many bytes it has taken: none where a value begins. */
  #readBetween(byte: number): 0 | 1 {
    const { [byte]: after, other } = NEXT[this.#state];
    const next = after ?? other;
    if (next === undefined) throw this.#noJson();
    if (next !== 'held') {
      if (next === 'first item') this.#index = 0;
      this.#state = next;
      return 1;
    }
    this.#depth = 0;
    this.#heldBytes = 0;
    this.#heldLine = this.#line;
    this.#isInString = false;
    return 0;
  }

  /** Reads a value, or the part of it that is in the chunk. Returns the position after it. */
  #readValue(chunk: Buffer, start: number): number {
    let at = start;
    let isEnded = false;
    while (at < chunk.length && !isEnded) {
      if (this.#isInString) {
        at = this.#afterString(chunk, at);
        isEnded = !this.#isInString && this.#depth === 0;
        continue;
      }
      const byte = chunk[at] ?? 0;
      if (this.#depth === 0 && this.#heldBytes + at - start > 0 && endsLiteral(byte)) {
        isEnded = true;
        break;
      }
      isEnded = this.#countByte(byte);
      at += 1;
    }
    this.#hold(chunk.subarray(start, at));
    if (isEnded) this.#endValue();
    return at;
  }

  /** Returns whether the byte ends the value, which is an object or a list. */
  #countByte(byte: number): boolean {
    const depth = this.#depth ?? 0;
    if (byte === QUOTE) {
      this.#isInString = true;
      this.#isEscaped = false;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (depth === MAX_JSON_DEPTH)
        throw new DocumentError(`lists and objects nest more than ${MAX_JSON_DEPTH} deep (line ${this.#line})`);
      this.#depth = depth + 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) throw this.#noJson();
      this.#depth = depth - 1;
      return depth === 1;
    }
    return false;
  }

  /** The position after the quote that ends the string, or the length of a chunk that ends within it. */
  #afterString(chunk: Buffer, start: number): number {
    for (let at = start; ; ) {
      const quote = chunk.indexOf(QUOTE, at);
      const end = quote === -1 ? chunk.length : quote;
      let first = end;
      while (first > at && chunk[first - 1] === BACKSLASH) first -= 1;
      const isOdd = (end - first) % 2 === 1;
      const isEscaped: boolean = first === at && at === start && this.#isEscaped ? !isOdd : isOdd;
      this.#isEscaped = isEscaped;
      if (quote === -1) return chunk.length;
      at = quote + 1;
      if (!isEscaped) {
        this.#isInString = false;
        return at;
      }
      this.#isEscaped = false;
    }
  }

  #hold(bytes: Buffer): void {
    const length = this.#heldBytes + bytes.length;
    if (length > this.#held.byteLength) this.#held.resize(Math.min(MAX_FILE_BYTES, length + FREE_BYTES));
    new Uint8Array(this.#held).set(bytes, this.#heldBytes);
    this.#heldBytes = length;
    for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) this.#line += 1;
  }

  #endValue(): void {
    const text = this.#takeText();
    this.#depth = null;
    const state = this.#state;
    if (state === 'first name' || state === 'name') {
      const name = jsonIn(text);
      if (typeof name !== 'string') throw this.#noJson();
      this.#member = name;
      this.#state = 'colon';
      this.#handler.onMember(name, this.#heldLine);
      return;
    }
    const isItem = state === 'first item' || state === 'item';
    this.#state = isItem ? 'after item' : state === 'document' ? 'end' : 'after value';
    const index = isItem ? this.#index++ : null;
    const [member, length] = [state === 'document' ? '' : this.#member, this.#heldBytes];
    this.#handler.onPart({ member, index, length, text, line: this.#heldLine });
  }

  /** The text of the value that was read. The bytes of a large value are released before it is parsed. */
  #takeText(): string {
    const bytes = Buffer.from(this.#held, 0, this.#heldBytes);
    if (!isUtf8(bytes)) throw new DocumentError('the file is not UTF-8');
    const text = bytes.toString();
    this.#held.resize(FREE_BYTES);
    return text;
  }
}

const endsLiteral = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte);
