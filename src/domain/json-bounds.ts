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

/**
 * How many more commas what is open at a depth may have. One array for all texts, which are looked through one after another;
 * a limit may be Infinity, which no integer array holds.
 */
const COMMAS = new Float64Array(MAX_DEPTH + 1);

/**
 * What speaks against parsing a JSON text; null where nothing does. Texts of one length differ a hundredfold in what
 * they cost to parse (10 MB of brackets 2.5 s, of plain text 5 ms), so their parts are counted first, which takes 30 ms.
 * Whether the text is JSON at all is for the parser to say.
 */
export function jsonProblem(bytes: Uint8Array, { maxValues, maxListItems }: JsonBounds): string | null {
  COMMAS[0] = maxListItems;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at + 1);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > MAX_DEPTH) return `must not nest lists and objects more than ${MAX_DEPTH} deep`;
        COMMAS[depth] = (bytes[at] === OPEN_LIST ? maxListItems : MAX_MEMBERS) - 1;
        values++;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth = Math.max(0, depth - 1);
        break;
      case COMMA:
        COMMAS[depth] = (COMMAS[depth] ?? 0) - 1;
        if (COMMAS[depth] === -1) {
          return `must not hold a list of more than ${maxListItems} items, or an object of more than ${MAX_MEMBERS} members`;
        }
        values++;
    }
    if (values > maxValues) return `must not hold more than ${maxValues} values`;
  }
  return null;
}

/** So far a text is looked at byte by byte: most end before that. */
const NEAR = 32;

/** Where the quote stands that ends the text, or the end of everything. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  const near = Math.min(start + NEAR, bytes.length);
  while (at < near && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  if (at < near) return at;
  for (let quote = bytes.indexOf(QUOTE, at); quote !== -1; quote = bytes.indexOf(QUOTE, at)) {
    let backslashes = 0;
    while (quote - backslashes > at && bytes[quote - backslashes - 1] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
    at = quote + 1;
  }
  return bytes.length;
}
