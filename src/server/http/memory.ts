import type { ParseBudget } from '../../core/base/json.ts';
import { MAX_HELD_BYTES, RESERVED_BYTES } from '../../core/base/limits.ts';
import { TickQueue } from '../../core/base/tick-queue.ts';

/** Bodies up to this size may take what is reserved for small ones, and answers are not counted. */
export const SMALL_BYTES = 64 * 1024;

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
  held = 0;

  /** There is room for four of the largest bodies. */
  constructor(options: MemoryBudgetOptions = {}) {
    this.ticks = options.ticks ?? new TickQueue();
    this.#max = Math.max(options.maxBytes ?? MAX_HELD_BYTES, 4 * (options.maxBodyBytes ?? 0));
    this.#reserved = options.reservedBytes ?? RESERVED_BYTES;
  }

  hasRoom(bytes: number, isSmall: boolean): boolean {
    return this.held + bytes <= this.#max + (isSmall ? this.#reserved : 0);
  }
}

/** The memory of one request. */
export class RequestMemory implements ParseBudget {
  readonly #budget: MemoryBudget;
  #input = 0;
  #answer = 0;
  /** True once something of the request was refused for want of room. */
  wasRefused = false;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  /** Sets the bytes of the whole input. Returns false, and changes nothing, when there is no room for more. */
  charge(bytes: number): boolean {
    const added = bytes - this.#input;
    const hasRoom = added <= 0 || this.#budget.hasRoom(added, bytes <= SMALL_BYTES);
    if (hasRoom) {
      this.#budget.held += added;
      this.#input = bytes;
    } else this.wasRefused = true;
    return hasRoom;
  }

  nextTick(): Promise<void> {
    return this.#budget.ticks.nextTick();
  }

  /** Counts an answer until the client has read it. False where there is no room for one that may be refused. */
  tryAddAnswer(bytes: number, isRefusable: boolean): boolean {
    if (bytes <= SMALL_BYTES) return true;
    const hasRoom = !isRefusable || this.#budget.hasRoom(bytes, false);
    if (hasRoom) {
      this.#budget.held += bytes;
      this.#answer += bytes;
    } else this.wasRefused = true;
    return hasRoom;
  }

  /** Releases the input. */
  endInput(): void {
    this.charge(0);
  }

  /** Releases the answer, once it is sent or the client is gone. */
  endAnswer(): void {
    this.#budget.held -= this.#answer;
    this.#answer = 0;
  }
}
