import type { ParseBudget } from '../base/json.ts';
import { LARGE_INPUT_BYTES, LARGE_RESPONSE_BYTES, SMALL_SHARE_BYTES } from '../base/limits.ts';
import { type Limits, Quota, type Share } from '../base/semaphore.ts';
import { TickQueue } from '../base/tick-queue.ts';
import type { RequestRecord } from '../domain/callers/request-record.ts';

/** Bytes of a request without its body: its head, the objects made for it, and a response of a few kB. */
const REQUEST_BYTES = 16 * 1024;

/** Bytes of each request and each response that count as small. */
export const SMALL_BYTES = 64 * 1024;

/**
 * Bytes that callers can make the gateway hold, for a `MAX_BODY_BYTES`. With its default the sum is 384 MB, so that the
 * process stays below 1 GB. There is room for four of the largest bodies.
 */
export const memoryLimits = (maxBodyBytes: number) => ({
  /** Large requests: their bodies, and the values parsed from them. */
  largeInputs: Math.max(LARGE_INPUT_BYTES, 4 * maxBodyBytes),
  /** Large responses that their clients have not read. */
  largeResponses: LARGE_RESPONSE_BYTES,
  /** Bytes that large requests leave to small ones. */
  small: SMALL_SHARE_BYTES,
});

/** One caller leaves a quarter to others, which is room for one of the largest bodies; strangers have a quarter. */
const shares = (total: number): Limits => ({
  total,
  perKey: (total * 3) / 4,
  strangers: { total: total / 4, perKey: total / 4 },
});

/** An older response is slow, and is aborted first when there is no room for another. */
const SLOW_AFTER_MS = 2_000;

interface LargeResponse {
  readonly bytes: number;
  readonly since: number;
  /** Closes the connection of the response. */
  readonly abort: () => void;
}

type MemoryOwner = Pick<RequestRecord, 'share' | 'refusal'>;

/**
 * Counts all memory that callers can fill, by their shares. Every request counts from its beginning until its response is
 * read. The budget holds no memory itself: it decides whether there is room.
 */
export class MemoryBudget {
  /** Large inputs are parsed in ticks of their own. */
  readonly ticks: TickQueue;
  /** Requests with their inputs. */
  readonly requests: Quota;
  /** The part of these inputs that is large. */
  readonly largeInputs: Quota;
  readonly #maxResponses: number;
  #largeResponses = 0;
  /** Responses in the order of their beginnings. */
  readonly #responses = new Map<RequestMemory, LargeResponse>();

  constructor({ largeInputs, largeResponses, small }: ReturnType<typeof memoryLimits>, ticks = new TickQueue()) {
    this.ticks = ticks;
    this.requests = new Quota(shares(largeInputs + small));
    this.largeInputs = new Quota(shares(largeInputs));
    this.#maxResponses = largeResponses;
  }

  /** Bytes that are in use. */
  get total(): number {
    return this.requests.taken + this.#largeResponses;
  }

  /** Null when there is no room for one more request. */
  beginRequest(owner: MemoryOwner): RequestMemory | null {
    if (this.requests.tryAcquire(owner.share, REQUEST_BYTES)) return new RequestMemory(this, owner);
    owner.refusal = 'memory';
    return null;
  }

  /** For requests that are always served: checks of the health of the process. */
  beginUnconditionally(owner: MemoryOwner): RequestMemory {
    this.requests.tryAcquire(owner.share, REQUEST_BYTES, UNLIMITED);
    return new RequestMemory(this, owner);
  }

  /** Aborts slow responses to make room, and all earlier ones for a response that is not refusable. */
  tryAddResponse(owner: RequestMemory, response: LargeResponse, isRefusable: boolean): boolean {
    this.#evict(response.bytes, response.since - SLOW_AFTER_MS);
    if (isRefusable && this.#responses.size > 0 && this.#exceedsLimit(response.bytes)) return false;
    this.#evict(response.bytes, response.since);
    this.#responses.set(owner, response);
    this.#largeResponses += response.bytes;
    return true;
  }

  removeResponse(owner: RequestMemory): void {
    this.#largeResponses -= this.#responses.get(owner)?.bytes ?? 0;
    this.#responses.delete(owner);
  }

  #exceedsLimit(bytes: number): boolean {
    return this.#largeResponses + bytes > this.#maxResponses;
  }

  #evict(bytes: number, before: number): void {
    for (const [owner, { since, abort }] of this.#responses) {
      if (!this.#exceedsLimit(bytes) || since > before) break;
      this.removeResponse(owner);
      abort();
    }
  }
}

const UNLIMITED: Limits = { total: Number.POSITIVE_INFINITY, perKey: Number.POSITIVE_INFINITY };

/** The memory of one request. */
export class RequestMemory implements ParseBudget {
  readonly #budget: MemoryBudget;
  readonly #owner: MemoryOwner;
  /** The share that its bytes are counted for. */
  #share: Share;
  #input = 0;
  #isInputEnded = false;
  #isEnded = false;

  constructor(budget: MemoryBudget, owner: MemoryOwner) {
    this.#budget = budget;
    this.#owner = owner;
    this.#share = owner.share;
  }

  /** Sets the bytes of the whole input. Returns false, and changes nothing, when there is no room. */
  charge(bytes: number): boolean {
    if (this.#isInputEnded) return false;
    this.followShare();
    const isCharged = this.#tryGrow(bytes);
    if (isCharged) this.#input = bytes;
    else this.#owner.refusal = 'memory';
    return isCharged;
  }

  nextTick(): Promise<void> {
    return this.#budget.ticks.nextTick();
  }

  /** Counts the bytes for the share that the request has now. */
  followShare(): void {
    const { share } = this.#owner;
    if (share === this.#share) return;
    this.#budget.requests.move(this.#share, share, (this.#isEnded ? 0 : REQUEST_BYTES) + this.#input);
    this.#budget.largeInputs.move(this.#share, share, largePartOf(this.#input));
    this.#share = share;
  }

  /** Returns false when there is no room for a refusable response. */
  tryAddResponse(bytes: number, abort: () => void, isRefusable: boolean): boolean {
    if (this.#isEnded || bytes <= SMALL_BYTES) return true;
    const isAdded = this.#budget.tryAddResponse(this, { bytes, since: performance.now(), abort }, isRefusable);
    if (!isAdded) this.#owner.refusal = 'memory';
    return isAdded;
  }

  /** Releases the input. */
  endInput(): void {
    this.#isInputEnded = true;
    this.#tryGrow(0);
    this.#input = 0;
  }

  /** Releases all but the input, once the response is sent or the client is gone. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#budget.removeResponse(this);
    this.#budget.requests.release(this.#share, REQUEST_BYTES);
  }

  /** Acquires or releases what the input has more or less than before. */
  #tryGrow(bytes: number): boolean {
    const { requests, largeInputs } = this.#budget;
    const [added, addedLarge] = [bytes - this.#input, largePartOf(bytes) - largePartOf(this.#input)];
    if (added <= 0) {
      requests.release(this.#share, -added);
      largeInputs.release(this.#share, -addedLarge);
      return true;
    }
    if (!largeInputs.tryAcquire(this.#share, addedLarge)) return false;
    const isAcquired = requests.tryAcquire(this.#share, added);
    if (!isAcquired) largeInputs.release(this.#share, addedLarge);
    return isAcquired;
  }
}

const largePartOf = (bytes: number): number => Math.max(0, bytes - SMALL_BYTES);
