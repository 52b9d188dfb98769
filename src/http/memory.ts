import type { ParseBudget } from '../base/json.ts';
import { MAX_HELD_BYTES, RESERVED_BYTES } from '../base/limits.ts';
import { TickQueue } from '../base/tick-queue.ts';

/** Bytes of a request without its body: its head, the objects made for it, and an answer of a few kB. */
const REQUEST_BYTES = 16 * 1024;

/** Bodies and answers up to this size may take what is reserved for small ones. */
export const SMALL_BYTES = 64 * 1024;

/** An older answer is slow, and is ended first where there is no room for another. */
const SLOW_AFTER_MS = 2_000;

interface LargeAnswer {
  readonly bytes: number;
  /** Closes the connection of the answer. */
  readonly abort: () => void;
  /** False for the answer to a write, which must be sent even when there is little memory. */
  readonly isRefusable: boolean;
}

/** A large answer that its client has not read yet. */
interface UnreadAnswer extends Pick<LargeAnswer, 'abort'> {
  readonly since: number;
}

interface MemoryBudgetOptions {
  readonly ticks?: TickQueue | undefined;
  readonly maxBodyBytes?: number;
  /** In place of `MAX_HELD_BYTES` and `RESERVED_BYTES`. */
  readonly maxBytes?: number;
  readonly reservedBytes?: number;
}

/**
 * Counts the bytes that all requests hold: bodies, the values parsed from them, and large answers until they are read. It
 * holds no memory itself: it decides where there is room.
 */
export class MemoryBudget {
  /** Large bodies are parsed in ticks of their own. */
  readonly ticks: TickQueue;
  readonly #max: number;
  readonly #reserved: number;
  #held = 0;
  /** In the order of their beginnings. */
  readonly #unread = new Map<RequestMemory, UnreadAnswer>();

  /** There is room for four of the largest bodies. */
  constructor(options: MemoryBudgetOptions = {}) {
    const {
      ticks = new TickQueue(),
      maxBodyBytes = 0,
      maxBytes = MAX_HELD_BYTES,
      reservedBytes = RESERVED_BYTES,
    } = options;
    this.ticks = ticks;
    this.#max = Math.max(maxBytes, 4 * maxBodyBytes);
    this.#reserved = reservedBytes;
  }

  get held(): number {
    return this.#held;
  }

  /** Null where there is no room for one more request. Requests that are always served are not counted. */
  beginRequest(isAlwaysServed: boolean): RequestMemory | null {
    if (isAlwaysServed) return new RequestMemory(this, 0);
    return this.tryAdd(REQUEST_BYTES, true) ? new RequestMemory(this, REQUEST_BYTES) : null;
  }

  /** False where there is no room. Slow answers are ended to make some. */
  tryAdd(bytes: number, isSmall: boolean): boolean {
    const max = isSmall ? this.#max + this.#reserved : this.#max;
    if (bytes > 0 && !this.#makeRoom(bytes, max, SLOW_AFTER_MS)) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }

  /** An answer that is not refusable ends all earlier ones where there is no room. The only one is sent, whatever its size. */
  tryAddAnswer(owner: RequestMemory, { bytes, abort, isRefusable }: LargeAnswer): boolean {
    const hasRoom = this.#makeRoom(bytes, this.#max, isRefusable ? SLOW_AFTER_MS : 0);
    if (isRefusable && !hasRoom && this.#unread.size > 0) return false;
    this.#unread.set(owner, { since: performance.now(), abort });
    this.#held += bytes;
    return true;
  }

  forgetAnswer(owner: RequestMemory): void {
    this.#unread.delete(owner);
  }

  #makeRoom(bytes: number, max: number, minAgeMs: number): boolean {
    const before = performance.now() - minAgeMs;
    for (const [owner, { since, abort }] of this.#unread) {
      if (this.#held + bytes <= max || since > before) break;
      abort();
      owner.end();
    }
    return this.#held + bytes <= max;
  }
}

/** The memory of one request. */
export class RequestMemory implements ParseBudget {
  readonly #budget: MemoryBudget;
  #input = 0;
  /** The bytes of the request itself, and of its answer. */
  #others: number;
  #isInputEnded = false;
  /** True once something of the request was refused for want of room. */
  wasRefused = false;

  constructor(budget: MemoryBudget, bytes: number) {
    this.#budget = budget;
    this.#others = bytes;
  }

  /** Sets the bytes of the whole input. Returns false, and changes nothing, when there is no room. */
  charge(bytes: number): boolean {
    const isCharged = !this.#isInputEnded && this.#budget.tryAdd(bytes - this.#input, bytes <= SMALL_BYTES);
    if (isCharged) this.#input = bytes;
    else this.wasRefused = true;
    return isCharged;
  }

  nextTick(): Promise<void> {
    return this.#budget.ticks.nextTick();
  }

  /** False where there is no room for a refusable answer. */
  tryAddAnswer(answer: LargeAnswer): boolean {
    if (answer.bytes <= SMALL_BYTES) return true;
    const isAdded = this.#budget.tryAddAnswer(this, answer);
    if (isAdded) this.#others += answer.bytes;
    else this.wasRefused = true;
    return isAdded;
  }

  /** Releases the input. */
  endInput(): void {
    this.#isInputEnded = true;
    this.#budget.release(this.#input);
    this.#input = 0;
  }

  /** Releases all but the input, once the answer is sent or the client is gone. */
  end(): void {
    this.#budget.forgetAnswer(this);
    this.#budget.release(this.#others);
    this.#others = 0;
  }
}
