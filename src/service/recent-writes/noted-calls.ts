import { NOTED_CALLS_BYTES } from '../../core/base/limits.ts';

/** A call whose items are bytes of JSON. */
interface NotedCall<Outcome> {
  readonly outcome: Outcome;
  readonly start: number;
  readonly end: number;
}

interface Block<Outcome> {
  readonly bytes: Buffer;
  readonly calls: NotedCall<Outcome>[];
}

/** The most bytes in UTF-8 of one UTF-16 code unit. */
const MAX_CHARACTER_BYTES = 3;

const BLOCK_BYTES = NOTED_CALLS_BYTES / 2;

/**
 * Calls with their items, until they are asked for. As objects, the items of busy gateways would live just long enough for the
 * garbage collector to move most of them, which cost a sixth of a bulk update of 1,000 articles; here they are text outside its
 * heap, and most are never read. Where there is no room, the earlier half of the calls is forgotten, after a call of `onForget`.
 */
export class NotedCalls<Outcome, Item> {
  readonly #onForget: () => void;
  #earlier: Block<Outcome> | null = null;
  #later: Block<Outcome> | null = null;

  constructor(onForget: () => void) {
    this.#onForget = onForget;
  }

  /** Adds a call. False where its items are too large, and nothing was added. */
  tryAdd(outcome: Outcome, items: readonly Item[]): boolean {
    const json = JSON.stringify(items);
    const mostBytes = json.length * MAX_CHARACTER_BYTES;
    if (mostBytes > BLOCK_BYTES) return false;
    const block = this.#blockWith(mostBytes);
    const start = endOf(block);
    block.calls.push({ outcome, start, end: start + block.bytes.write(json, start) });
    return true;
  }

  #blockWith(room: number): Block<Outcome> {
    if (this.#later !== null && endOf(this.#later) + room <= BLOCK_BYTES) return this.#later;
    if (this.#earlier?.calls.length) this.#onForget();
    const bytes = this.#earlier?.bytes ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#earlier = this.#later;
    this.#later = { bytes, calls: [] };
    return this.#later;
  }

  /** Returns the calls, the earliest first, and forgets them. */
  *takeAll(): IterableIterator<{ readonly outcome: Outcome; readonly items: readonly Item[] }> {
    for (const block of [this.#earlier, this.#later]) {
      if (block === null) continue;
      for (const { outcome, start, end } of block.calls.splice(0))
        yield { outcome, items: JSON.parse(block.bytes.toString('utf8', start, end)) };
    }
  }
}

const endOf = <Outcome>({ calls }: Block<Outcome>): number => calls.at(-1)?.end ?? 0;
