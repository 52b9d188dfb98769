import {
  LARGE_INPUT_BYTES,
  LARGE_RESPONSE_BYTES,
  SMALL_SHARE_BYTES,
  UNTRUSTED_INPUT_BYTES,
} from '../../base/limits.ts';
import { TickQueue } from '../../base/tick-queue.ts';
import {
  type LargeResponse,
  type MemoryChange,
  type MemoryOwner,
  REQUEST_BYTES,
  RequestMemory,
  type SharedMemory,
} from './request-memory.ts';

/** Bytes that callers can make the gateway hold. */
interface MemoryLimits {
  readonly total: number;
  /** The part of the total for large requests: their bodies, and the values parsed from them. */
  readonly largeInputs: number;
  /** The part of `largeInputs` for untrusted callers, whose token the service is not known to accept. */
  readonly untrusted: number;
  /** The part of the total for large responses that their clients have not read. */
  readonly largeResponses: number;
}

/**
 * The limits for a `MAX_BODY_BYTES`. With its default the total is 384 MB, so that the process stays below 1 GB. There
 * is room for four of the largest bodies.
 */
export function memoryLimits(maxBodyBytes: number): MemoryLimits {
  const largeInputs = Math.max(LARGE_INPUT_BYTES, 4 * maxBodyBytes);
  const untrusted = Math.max(UNTRUSTED_INPUT_BYTES, maxBodyBytes);
  const total = largeInputs + LARGE_RESPONSE_BYTES + SMALL_SHARE_BYTES;
  return { total, largeInputs, untrusted, largeResponses: LARGE_RESPONSE_BYTES };
}

/** An older response is slow, and is aborted first when there is no room for another. */
const SLOW_AFTER_MS = 2_000;

/**
 * Counts all memory that callers can fill. Every request counts from its beginning until its response is read. The
 * budget holds no memory itself: it decides whether there is room.
 */
export class MemoryBudget implements SharedMemory {
  readonly ticks: TickQueue;
  readonly #limits: MemoryLimits;
  #total = 0;
  #largeInputs = 0;
  #untrusted = 0;
  #largeResponses = 0;
  /** Responses in the order of their beginnings. */
  readonly #responses = new Map<RequestMemory, LargeResponse>();
  /** The number of responses that send the same bytes, which count once. */
  readonly #sendersByBuffer = new WeakMap<ArrayBufferLike, number>();

  constructor(limits: MemoryLimits, ticks = new TickQueue()) {
    this.ticks = ticks;
    this.#limits = limits;
  }

  /** Bytes that are in use. */
  get total(): number {
    return this.#total;
  }

  /** Null when there is no room for one more request. */
  beginRequest(owner: MemoryOwner): RequestMemory | null {
    if (this.tryChange({ total: REQUEST_BYTES, largeInputs: 0, untrusted: 0 })) return new RequestMemory(this, owner);
    owner.onMemoryRefused();
    return null;
  }

  /** For requests that are always served: checks of the health of the process. */
  beginUnconditionally(owner: MemoryOwner): RequestMemory {
    this.#total += REQUEST_BYTES;
    return new RequestMemory(this, owner);
  }

  tryChange({ total, largeInputs, untrusted }: MemoryChange): boolean {
    const limits = this.#limits;
    if (total > 0 && this.#total + total > limits.total) return false;
    if (largeInputs > 0 && this.#largeInputs + largeInputs > limits.largeInputs) return false;
    if (untrusted > 0 && this.#untrusted + untrusted > limits.untrusted) return false;
    this.#total += total;
    this.#largeInputs += largeInputs;
    this.#untrusted += untrusted;
    return true;
  }

  tryAddResponse(owner: RequestMemory, response: LargeResponse, isRefusable: boolean): boolean {
    const addedBytes = this.#isShared(response.bytes) ? 0 : response.bytes.length;
    this.#evict(addedBytes, response.since - SLOW_AFTER_MS);
    if (isRefusable && this.#responses.size > 0 && this.#exceedsLimit(addedBytes)) return false;
    this.#evict(addedBytes, response.since);
    this.#responses.set(owner, response);
    this.#sendersByBuffer.set(response.bytes.buffer, (this.#sendersByBuffer.get(response.bytes.buffer) ?? 0) + 1);
    this.#largeResponses += addedBytes;
    this.#total += addedBytes;
    return true;
  }

  removeResponse(owner: RequestMemory): void {
    const response = this.#responses.get(owner);
    if (!response) return;
    this.#responses.delete(owner);
    const { buffer, length } = response.bytes;
    const others = (this.#sendersByBuffer.get(buffer) ?? 1) - 1;
    this.#sendersByBuffer.set(buffer, others);
    if (others > 0) return;
    this.#largeResponses -= length;
    this.#total -= length;
  }

  #exceedsLimit(bytes: number): boolean {
    return bytes > 0 && this.#largeResponses + bytes > this.#limits.largeResponses;
  }

  #isShared({ buffer }: Uint8Array): boolean {
    return (this.#sendersByBuffer.get(buffer) ?? 0) > 0;
  }

  #evict(bytes: number, before: number): void {
    for (const [owner, { bytes: held, since, abort }] of this.#responses) {
      if (!this.#exceedsLimit(bytes) || since > before) break;
      // Aborting one of several responses that send the same bytes frees nothing.
      if ((this.#sendersByBuffer.get(held.buffer) ?? 0) > 1) continue;
      this.removeResponse(owner);
      abort();
    }
  }
}
