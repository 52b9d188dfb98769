import { isObject } from '../../base/json/json-objects.ts';

/** The most characters of one text, and the most items of one list. */
export interface ResultPartLimits {
  readonly textChars: number;
  readonly items: number;
}

/** Once a result has so many characters of text and items together, its lists end. 100 outcomes with the longest texts have fewer. */
const MAX_RESULT_SIZE = 250_000;

/** The piece of an article's text that a call asks for has a bound of its own. */
export const SHORT_PARTS: ResultPartLimits = { textChars: 1_000, items: 200 };

/** No part is cut while the whole result is within its bound. */
export const WHOLE_PARTS: ResultPartLimits = { textChars: MAX_RESULT_SIZE, items: MAX_RESULT_SIZE };

/** A text or a list of a result that was cut. */
export interface Truncation {
  readonly path: string;
  readonly unit: 'characters' | 'items';
  readonly kept: number;
  readonly total: number;
}

/** A cursor that is cut would be none. */
const WHOLE_TEXTS: ReadonlySet<string> = new Set(['endCursor']);

/** Cuts long texts and lists, so that a result fits into the context of its reader. Nothing is cut untold. */
export class BoundedValues {
  readonly truncations: Truncation[] = [];
  readonly #limits: ResultPartLimits;
  #size = 0;

  constructor(limits: ResultPartLimits) {
    this.#limits = limits;
  }

  bound(value: unknown, path: readonly string[] = []): unknown {
    if (typeof value === 'string') return this.#boundText(value, path);
    if (Array.isArray(value)) return this.#boundList(value, path);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([name, member]) => [name, this.bound(member, [...path, name])]);
    return Object.fromEntries(entries);
  }

  #boundText(text: string, path: readonly string[]): string {
    // Short texts stay whole, since only the ends of lists bound their number.
    const room = Math.max(SHORT_PARTS.textChars, MAX_RESULT_SIZE - this.#size);
    const maxChars = Math.min(this.#limits.textChars, room);
    const kept = WHOLE_TEXTS.has(path.at(-1) ?? '') ? text : sliceText(text, 0, maxChars);
    this.#size += kept.length;
    if (kept.length < text.length) this.#truncate(path, 'characters', { kept: kept.length, total: text.length });
    return kept;
  }

  #boundList(list: readonly unknown[], path: readonly string[]): readonly unknown[] {
    const kept: unknown[] = [];
    for (const item of list) {
      if (kept.length === this.#limits.items || this.#size >= MAX_RESULT_SIZE) break;
      this.#size += 1;
      kept.push(this.bound(item, [...path, `${kept.length}`]));
    }
    if (kept.length < list.length) this.#truncate(path, 'items', { kept: kept.length, total: list.length });
    return kept;
  }

  #truncate(path: readonly string[], unit: Truncation['unit'], counts: Pick<Truncation, 'kept' | 'total'>): void {
    this.truncations.push({ path: path.join('.'), unit, ...counts });
  }
}

/** A part of a text that ends between two characters, also where these are pairs of surrogates. */
export function sliceText(text: string, start: number, end: number): string {
  const splitsPair = end < text.length && /[\uD800-\uDBFF]/u.test(text.charAt(end - 1)) && end - 1 > start;
  return text.slice(start, splitsPair ? end - 1 : end);
}
