import type { ParseBudget } from '../../core/base/json.ts';
import { MAX_HELD_BYTES, RESERVED_BYTES } from '../../core/base/limits.ts';
import { TickQueue } from '../../core/base/tick-queue.ts';

/** Bodies up to this size may take what is reserved for small ones. Answers up to it are not counted. */
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

/** The memory of one request: that of its input, then that of a large answer until the client has read it. */
export class RequestMemory implements ParseBudget {
  readonly #budget: MemoryBudget;
  #bytes = 0;
  /** True once something of the request was refused for want of room. */
  wasRefused = false;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  /** Sets the bytes of the whole request. Returns false, and changes nothing, when there is no room for more. */
  charge(bytes: number, isRefusable = true): boolean {
    const added = bytes - this.#bytes;
    const isCharged = added <= 0 || !isRefusable || this.#budget.hasRoom(added, bytes <= SMALL_BYTES);
    if (!isCharged) this.wasRefused = true;
    else {
      this.#budget.held += added;
      this.#bytes = bytes;
    }
    return isCharged;
  }

  nextTick(): Promise<void> {
    return this.#budget.ticks.nextTick();
  }

  /** Releases all bytes. */
  end(): void {
    this.charge(0);
  }
}
