import type { ParseRoom } from '../../domain/json/parse-json.ts';
import { turnOfLargeStep } from '../../domain/json/tick-queue.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** Bytes of a request beside its body: its head, the objects made for it, and an answer of a few kB. */
export const REQUEST_BYTES = 16 * 1024;

/** Bytes of a request, or of an answer, that count against the total only, so that large ones leave that to all others. */
const SMALL_BYTES = 64 * 1024;

export interface Owner {
  /** True where the service is known, without a call, to accept the caller's token. Asked only for large requests. */
  isKnown(): boolean;
}

/** One request's entry in the account. */
export class RequestMemory implements ParseRoom {
  readonly #budget: MemoryBudget;
  readonly #owner: Owner;
  #input = 0;
  #isKnown = false;
  #isInputOver = false;
  #isOver = false;

  constructor(budget: MemoryBudget, owner: Owner) {
    this.#budget = budget;
    this.#owner = owner;
  }

  /** What the request's input takes from now on, in all; false where there is no room, and then nothing changes. */
  charge(bytes: number): boolean {
    if (this.#isInputOver) return false;
    if (bytes > SMALL_BYTES && !this.#isKnown && this.#owner.isKnown()) this.setKnown();
    return this.#setInput(bytes);
  }

  turn(): Promise<void> {
    return turnOfLargeStep();
  }

  /** The service is known to accept the caller's token: what they hold counts as a stranger's no longer. */
  setKnown(): void {
    if (this.#isKnown) return;
    this.#budget.change({ total: 0, largeInputs: 0, strangers: -largeOf(this.#input) });
    this.#isKnown = true;
  }

  /** False where there is no room for the answer, which can be only where it may be refused. */
  addAnswer(bytes: Uint8Array, drop: () => void, isRefusable: boolean): boolean {
    if (this.#isOver || bytes.length <= SMALL_BYTES) return true;
    return this.#budget.addAnswer(this, { bytes, since: performance.now(), drop }, isRefusable);
  }

  /** Called once nothing more is done with the input. */
  endInput(): void {
    this.#isInputOver = true;
    this.#setInput(0);
  }

  /** The answer was taken, or nobody is there to take it. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#budget.removeAnswer(this);
    this.#budget.change({ total: -REQUEST_BYTES, largeInputs: 0, strangers: 0 });
  }

  #setInput(bytes: number): boolean {
    const [before, after] = [largeOf(this.#input), largeOf(bytes)];
    const largeInputs = after - before;
    const strangers = this.#isKnown ? 0 : largeInputs;
    const isChanged = this.#budget.change({ total: bytes - this.#input, largeInputs, strangers });
    if (isChanged) this.#input = bytes;
    return isChanged;
  }
}

const largeOf = (bytes: number): number => Math.max(0, bytes - SMALL_BYTES);
