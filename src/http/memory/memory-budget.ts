import { type Owner, REQUEST_BYTES, RequestMemory } from './request-memory.ts';

/** How many bytes may be held of what strangers send and are sent. */
export interface MemoryShares {
  /** All together. */
  readonly total: number;
  /** The part of it for large requests: bodies, and the values that they have become once parsed. */
  readonly largeInputs: number;
  /** The part of that for callers whose token the service is not known to have accepted. */
  readonly strangers: number;
  /** Large answers that their clients have not taken yet. */
  readonly largeAnswers: number;
}

const MB = 1024 ** 2;

/** The part that large requests and answers leave to small ones. */
const SMALL_SHARE = 64 * MB;

/**
 * With the default of `MAX_BODY_BYTES` 384 MB in all, so that the process stays below 1 GB. Where larger bodies are
 * permitted, there is room for four of them.
 */
export function memoryShares(maxBodyBytes: number): MemoryShares {
  const [largeInputs, largeAnswers] = [Math.max(192 * MB, 4 * maxBodyBytes), 128 * MB];
  const strangers = Math.max(64 * MB, maxBodyBytes);
  return { total: largeInputs + largeAnswers + SMALL_SHARE, largeInputs, strangers, largeAnswers };
}

/** An answer that has had so long is slow, and goes first where there is no room for another. */
const SLOW_AFTER_MS = 2_000;

interface LargeAnswer {
  readonly bytes: Uint8Array;
  readonly since: number;
  /** Ends the connection of the answer. */
  readonly drop: () => void;
}

/**
 * The one account of all memory that strangers can fill. Every request is on it from its beginning until its answer is
 * taken. It holds no memory itself: it says whether there is room.
 */
export class MemoryBudget {
  readonly #shares: MemoryShares;
  #total = 0;
  #largeInputs = 0;
  #strangers = 0;
  #largeAnswers = 0;
  /** In the order in which they began. */
  readonly #answers = new Map<RequestMemory, LargeAnswer>();
  /** How many answers send the same bytes, which take memory once. */
  readonly #senders = new WeakMap<ArrayBufferLike, number>();

  constructor(shares: MemoryShares) {
    this.#shares = shares;
  }

  /** Bytes that are on the account. */
  get total(): number {
    return this.#total;
  }

  /** Null where there is no room for one request more. */
  begin(owner: Owner): RequestMemory | null {
    return this.change({ total: REQUEST_BYTES, largeInputs: 0, strangers: 0 }) ? new RequestMemory(this, owner) : null;
  }

  /** For what must be answered in any case: a look at the health of the process. */
  beginAnyhow(owner: Owner): RequestMemory {
    this.#total += REQUEST_BYTES;
    return new RequestMemory(this, owner);
  }

  /** All of it or, where there is no room, nothing. What becomes less always has room. */
  change({ total, largeInputs, strangers }: Change): boolean {
    const { total: most, largeInputs: mostInputs, strangers: mostStrangers } = this.#shares;
    if (total > 0 && this.#total + total > most) return false;
    if (largeInputs > 0 && this.#largeInputs + largeInputs > mostInputs) return false;
    if (strangers > 0 && this.#strangers + strangers > mostStrangers) return false;
    this.#total += total;
    this.#largeInputs += largeInputs;
    this.#strangers += strangers;
    return true;
  }

  /** Where there is no room, slow answers are ended; and all that began before, where this one is not to be refused. */
  addAnswer(owner: RequestMemory, answer: LargeAnswer, isRefusable: boolean): boolean {
    const more = this.#isShared(answer.bytes) ? 0 : answer.bytes.length;
    this.#makeRoom(more, answer.since - SLOW_AFTER_MS);
    if (isRefusable && this.#answers.size > 0 && this.#lacks(more)) return false;
    this.#makeRoom(more, answer.since);
    this.#answers.set(owner, answer);
    this.#senders.set(answer.bytes.buffer, (this.#senders.get(answer.bytes.buffer) ?? 0) + 1);
    this.#largeAnswers += more;
    this.#total += more;
    return true;
  }

  removeAnswer(owner: RequestMemory): void {
    const answer = this.#answers.get(owner);
    if (!answer) return;
    this.#answers.delete(owner);
    const { buffer, length } = answer.bytes;
    const others = (this.#senders.get(buffer) ?? 1) - 1;
    this.#senders.set(buffer, others);
    if (others > 0) return;
    this.#largeAnswers -= length;
    this.#total -= length;
  }

  #lacks(bytes: number): boolean {
    return bytes > 0 && this.#largeAnswers + bytes > this.#shares.largeAnswers;
  }

  #isShared({ buffer }: Uint8Array): boolean {
    return (this.#senders.get(buffer) ?? 0) > 0;
  }

  #makeRoom(bytes: number, before: number): void {
    for (const [owner, { bytes: held, since, drop }] of this.#answers) {
      if (!this.#lacks(bytes) || since > before) break;
      // To end one of several that send the same bytes frees nothing.
      if ((this.#senders.get(held.buffer) ?? 0) > 1) continue;
      this.removeAnswer(owner);
      drop();
    }
  }
}

export interface Change {
  readonly total: number;
  readonly largeInputs: number;
  readonly strangers: number;
}
