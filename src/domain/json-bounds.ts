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
 * they cost to parse (10 MB of brackets 2.5 s, of plain text 5 ms), so their parts are counted first, which takes 90 ms at
 * most. Whether the text is JSON at all is for the parser to say.
 */
export function jsonProblem(text: string, { maxValues, maxListItems }: JsonBounds): string | null {
  COMMAS[0] = maxListItems;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    switch (character) {
      case QUOTE:
        at = endOfText(text, at + 1);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > MAX_DEPTH) return `must not nest lists and objects more than ${MAX_DEPTH} deep`;
        COMMAS[depth] = (character === OPEN_LIST ? maxListItems : MAX_MEMBERS) - 1;
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

/** Where the quote stands that ends the text that begins at `start`, or the end of everything. */
function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - backslashes - 1) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
  }
  return text.length;
}
