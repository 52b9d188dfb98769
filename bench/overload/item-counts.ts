/** More than are sent in a minute. */
const MAX_ITEMS = 2 ** 26;
const FIRST_ITEMS = 2 ** 20;

/** Of an item of which no answer tells whether it was sent. */
export const UNKNOWN_TIMES = 255;

/**
 * A small count of each item, by the number of the item. A `Map` of millions stops this process for a quarter of a second
 * as it grows, and all clients with it, which then come at once.
 */
export class ItemCounts {
  /** Grows with its buffer. */
  readonly #counts = new Uint8Array(new ArrayBuffer(FIRST_ITEMS, { maxByteLength: MAX_ITEMS }));
  #length = 0;

  /** One more than the greatest number that was set. */
  get length(): number {
    return this.#length;
  }

  at(item: number): number {
    return this.#counts[item] ?? 0;
  }

  set(item: number, count: number): void {
    const { buffer } = this.#counts;
    while (item >= buffer.byteLength) buffer.resize(2 * buffer.byteLength);
    this.#counts[item] = count;
    this.#length = Math.max(this.#length, item + 1);
  }
}
