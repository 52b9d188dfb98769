import type { ParseBudget } from '../../base/json.ts';
import type { TickQueue } from '../../base/tick-queue.ts';

/** Bytes of a request without its body: its head, the objects made for it, and a response of a few kB. */
export const REQUEST_BYTES = 16 * 1024;

/** Bytes of each request and each response that count towards the total only, and not as large ones. */
const SMALL_BYTES = 64 * 1024;

export interface MemoryOwner {
  /** True when the service is known, without a call, to accept the caller's token. Called for large requests only. */
  isAccepted(): boolean;
  /** Called when there is no room for the request, a larger input of it, or its response. */
  onMemoryRefused(): void;
}

export interface MemoryChange {
  readonly total: number;
  readonly largeInputs: number;
  readonly untrusted: number;
}

export interface LargeResponse {
  readonly bytes: Uint8Array;
  readonly since: number;
  /** Closes the connection of the response. */
  readonly abort: () => void;
}

/** The memory that all requests share. */
export interface SharedMemory {
  /** Large inputs are parsed in ticks of their own. */
  readonly ticks: TickQueue;
  /** Applies the whole change, or returns false and changes nothing. Decreases always succeed. */
  tryChange(change: MemoryChange): boolean;
  /** Aborts slow responses to make room, and all earlier ones for a response that is not refusable. */
  tryAddResponse(owner: RequestMemory, response: LargeResponse, isRefusable: boolean): boolean;
  removeResponse(owner: RequestMemory): void;
}

/** The memory of one request. */
export class RequestMemory implements ParseBudget {
  readonly #budget: SharedMemory;
  readonly #owner: MemoryOwner;
  #input = 0;
  #isAccepted = false;
  #isInputEnded = false;
  #isEnded = false;

  constructor(budget: SharedMemory, owner: MemoryOwner) {
    this.#budget = budget;
    this.#owner = owner;
  }

  /** Sets the bytes of the whole input. Returns false, and changes nothing, when there is no room. */
  charge(bytes: number): boolean {
    if (this.#isInputEnded) return false;
    if (bytes > SMALL_BYTES && !this.#isAccepted && this.#owner.isAccepted()) this.markAccepted();
    const isCharged = this.#setInput(bytes);
    if (!isCharged) this.#owner.onMemoryRefused();
    return isCharged;
  }

  nextTick(): Promise<void> {
    return this.#budget.ticks.nextTick();
  }

  /** Stops counting the input as an untrusted caller's, since the service accepts the token. */
  markAccepted(): void {
    if (this.#isAccepted) return;
    this.#budget.tryChange({ total: 0, largeInputs: 0, untrusted: -largePartOf(this.#input) });
    this.#isAccepted = true;
  }

  /** Returns false when there is no room for a refusable response. */
  tryAddResponse(bytes: Uint8Array, abort: () => void, isRefusable: boolean): boolean {
    if (this.#isEnded || bytes.length <= SMALL_BYTES) return true;
    const isAdded = this.#budget.tryAddResponse(this, { bytes, since: performance.now(), abort }, isRefusable);
    if (!isAdded) this.#owner.onMemoryRefused();
    return isAdded;
  }

  /** Releases the input. */
  endInput(): void {
    this.#isInputEnded = true;
    this.#setInput(0);
  }

  /** Releases everything, once the response is sent or the client is gone. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#budget.removeResponse(this);
    this.#budget.tryChange({ total: -REQUEST_BYTES, largeInputs: 0, untrusted: 0 });
  }

  #setInput(bytes: number): boolean {
    const [before, after] = [largePartOf(this.#input), largePartOf(bytes)];
    const largeInputs = after - before;
    const untrusted = this.#isAccepted ? 0 : largeInputs;
    const isChanged = this.#budget.tryChange({ total: bytes - this.#input, largeInputs, untrusted });
    if (isChanged) this.#input = bytes;
    return isChanged;
  }
}

const largePartOf = (bytes: number): number => Math.max(0, bytes - SMALL_BYTES);
