/** How many units of a bounded resource there are, and how many of them one key may have. */
export interface Limits {
  readonly total: number;
  /** `half`: a key gets one more only while it has fewer than are free, so a single busy key gets about half of them. */
  readonly perKey: number | 'half';
}

/** The part of a total that one key may have, so that what hangs of one key leaves room for others. */
export const mostOf = (total: number): Limits => ({ total, perKey: Math.max(1, Math.floor(total * (15 / 16))) });

/** A quarter of the capacity for all strangers together, and a quarter of that for those of one network. */
export const untrustedQuotaOf = (capacity: number) => ({
  total: Math.max(1, Math.floor(capacity / 4)),
  perKey: Math.max(1, Math.floor(capacity / 16)),
});

const mayTake = ({ perKey }: Limits, held: number, free: number): boolean =>
  free > 0 && held < (perKey === 'half' ? free : perKey);

/** Counts the units that each key has. */
export class Quota {
  readonly #limits: Limits;
  readonly #counts = new Map<string, number>();
  #free: number;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#free = limits.total;
  }

  /** Takes a unit for the key. False when the key, or all keys together, have as many as they may. */
  tryAcquire(key: string): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (!mayTake(this.#limits, count, this.#free)) return false;
    this.#free -= 1;
    this.#counts.set(key, count + 1);
    return true;
  }

  /** Called exactly once for each acquired unit. */
  release(key: string): void {
    const count = this.#counts.get(key) ?? 0;
    this.#free += 1;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
  }
}

/** Work that did not begin. `full`: too many wait already. `gone`: nobody waits for it any more. */
export class NotBegun {
  readonly reason: 'full' | 'timed-out' | 'gone' | 'closed';

  constructor(reason: NotBegun['reason']) {
    this.reason = reason;
  }
}

/** What work needs besides a slot. It is taken together with the slot, or both stay where they are. */
export interface Gate {
  tryPass(): boolean;
  /** Called after a waiter with a slot was not let through. `reopen` serves the waiters of its key again. */
  onRefused(): void;
  /** True where the gate itself dismisses the waiter whose time is over. */
  onTimeout(): boolean;
}

/** Who asks for a slot, and for how long. */
export interface Applicant {
  /** Keys take turns. */
  readonly key: string;
  /** `performance.now()` until which the work may begin. */
  readonly deadline: number;
  /** True where all others are served first. */
  readonly isLast?: boolean;
  /** The same for all that wait with one key. */
  readonly gate?: Gate | undefined;
  readonly isGone?: () => boolean;
}

/** One that waits. */
export interface Waiter {
  readonly applicant: Applicant;
  /** `performance.now()`. */
  readonly since: number;
  /** Refuses it, unless it has got its slot already. */
  readonly refuse: (reason: NotBegun['reason']) => void;
}

interface PendingWaiter extends Waiter {
  readonly grant: () => void;
}

interface KeyState {
  readonly key: string;
  held: number;
  /** In the order they came. */
  readonly waiters: PendingWaiter[];
  /** False where no waiter has asked for a slot since the gate refused the first one. */
  isPending: boolean;
}

interface SemaphoreOptions {
  readonly slots: Limits;
  /** Those that wait. A quota may count those of several semaphores. */
  readonly waiting: Limits | Quota;
}

/** Idle keys that are kept, so that most work finds the state of its key. */
const MAX_IDLE_KEYS = 1_000;

/**
 * Bounds how much runs at one time. Keys with waiters get a slot each in turn, and the waiters of one key in their order:
 * `await semaphore.run({ key, deadline }, () => send(call))` is the result of the call, or `NotBegun`.
 */
export class Semaphore {
  readonly #limits: Limits;
  readonly #waitingQuota: Quota;
  readonly #states = new Map<string, KeyState>();
  /** Keys whose first waiter needs a slot; the one that got a slot longest ago comes first. */
  readonly #pending: KeyState[] = [];
  #free: number;
  #waiting = 0;
  #isClosed = false;

  constructor({ slots, waiting }: SemaphoreOptions) {
    this.#limits = slots;
    this.#free = slots.total;
    this.#waitingQuota = waiting instanceof Quota ? waiting : new Quota(waiting);
  }

  get inUse(): number {
    return this.#limits.total - this.#free;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Those of the waiting whose gates have not refused them. */
  get waitingForSlot(): number {
    return this.#pending.reduce((sum, { waiters }) => sum + waiters.length, 0);
  }

  /** Runs the work in a slot, and releases the slot whatever becomes of the work. */
  async run<T>(applicant: Applicant, work: () => Promise<T>): Promise<T | NotBegun> {
    const state = this.#stateOf(applicant.key);
    // Without a wait where a slot is free: it would cost each call a promise.
    if (state.waiters.length > 0 || !this.#hasSlotFor(state) || applicant.gate?.tryPass() === false) {
      const refusal = await this.#wait(state, applicant);
      if (refusal !== null) return refusal;
    } else this.#take(state);
    try {
      return await work();
    } finally {
      state.held -= 1;
      this.#free += 1;
      this.#serve();
      this.#forgetIfIdle(state);
    }
  }

  /** Serves the waiters of a key whose gate may let them pass now. */
  reopen(key: string): void {
    const state = this.#states.get(key);
    if (state === undefined || state.waiters.length === 0) return;
    this.#setPending(state);
    this.#serve();
  }

  /** The number of slots, at most `max`, that the key may take now. */
  slotsFor(key: string, max: number): number {
    const held = this.#states.get(key)?.held ?? 0;
    let count = 0;
    while (count < max && mayTake(this.#limits, held + count, this.#free - count)) count += 1;
    return count;
  }

  /** Those that wait with the key, in their order. */
  waitersOf(key: string): readonly Waiter[] {
    return this.#states.get(key)?.waiters ?? [];
  }

  /** Refuses those that wait, and all that come later. Work that has begun goes on. */
  close(): void {
    this.#isClosed = true;
    for (const { waiters } of this.#states.values()) for (const { refuse } of [...waiters]) refuse('closed');
  }

  #hasSlotFor({ held }: KeyState): boolean {
    return !this.#isClosed && mayTake(this.#limits, held, this.#free);
  }

  #take(state: KeyState): void {
    state.held += 1;
    this.#free -= 1;
  }

  /** Null once the applicant has a slot. */
  #wait(state: KeyState, applicant: Applicant): Promise<NotBegun | null> {
    if (this.#isClosed) return Promise.resolve(new NotBegun('closed'));
    if (!this.#waitingQuota.tryAcquire(state.key)) return Promise.resolve(new NotBegun('full'));
    const { promise, resolve } = Promise.withResolvers<NotBegun | null>();
    let timer: NodeJS.Timeout | undefined;
    const end = (refusal: NotBegun | null) => {
      const index = state.waiters.indexOf(waiter);
      if (index === -1) return;
      clearTimeout(timer);
      this.#remove(state, index);
      resolve(refusal);
    };
    const waiter: PendingWaiter = {
      applicant,
      since: performance.now(),
      grant: () => end(null),
      refuse: (reason) => end(new NotBegun(reason)),
    };
    this.#add(state, waiter);
    if (state.waiters.includes(waiter)) timer = this.#limitTime(waiter);
    return promise;
  }

  #add(state: KeyState, waiter: PendingWaiter): void {
    state.waiters.push(waiter);
    this.#waiting += 1;
    this.#setPending(state);
    this.#serve();
  }

  #remove(state: KeyState, index: number): void {
    state.waiters.splice(index, 1);
    this.#waiting -= 1;
    this.#waitingQuota.release(state.key);
    if (state.waiters.length === 0) this.#unsetPending(state);
    this.#forgetIfIdle(state);
  }

  #limitTime({ applicant: { deadline, gate }, refuse }: Waiter): NodeJS.Timeout | undefined {
    if (deadline === Number.POSITIVE_INFINITY) return undefined;
    const onTimeout = () => {
      if (!gate?.onTimeout()) refuse('timed-out');
    };
    const ms = deadline - performance.now();
    if (ms > 0) return setTimeout(onTimeout, ms);
    onTimeout();
    return undefined;
  }

  #serve(): void {
    for (const isLast of [false, true]) {
      for (let index = 0; index < this.#pending.length && this.#free > 0; ) {
        const state = this.#pending[index];
        const waiter = state?.waiters[0];
        const isNext = waiter !== undefined && (waiter.applicant.isLast ?? false) === isLast;
        if (state && isNext && this.#hasSlotFor(state)) this.#serveFirst(state, waiter);
        else index += 1;
      }
    }
  }

  /** The key then comes after all others, or has to wait for its gate. */
  #serveFirst(state: KeyState, { applicant, grant, refuse }: PendingWaiter): void {
    this.#unsetPending(state);
    if (applicant.isGone?.()) refuse('gone');
    else if (applicant.gate?.tryPass() === false) {
      applicant.gate.onRefused();
      return;
    } else {
      this.#take(state);
      grant();
    }
    if (state.waiters.length > 0) this.#setPending(state);
  }

  #setPending(state: KeyState): void {
    if (!state.isPending) this.#pending.push(state);
    state.isPending = true;
  }

  #unsetPending(state: KeyState): void {
    if (state.isPending) this.#pending.splice(this.#pending.indexOf(state), 1);
    state.isPending = false;
  }

  #stateOf(key: string): KeyState {
    const known = this.#states.get(key);
    if (known) return known;
    const state = { key, held: 0, waiters: [], isPending: false };
    this.#states.set(key, state);
    return state;
  }

  #forgetIfIdle({ key, held, waiters }: KeyState): void {
    if (this.#states.size > MAX_IDLE_KEYS && held === 0 && waiters.length === 0) this.#states.delete(key);
  }
}

/** Runs the work of one name after another: a semaphore of one slot for each name. */
export class KeyedMutex {
  readonly #semaphores = new Map<string, { readonly semaphore: Semaphore; users: number }>();
  readonly #waitingOf: () => Limits | Quota;

  /** `waitingOf` gives those that may wait for one name. */
  constructor(waitingOf: () => Limits | Quota) {
    this.#waitingOf = waitingOf;
  }

  async run<T>(name: string, applicant: Applicant, work: () => Promise<T>): Promise<T | NotBegun> {
    const entry = this.#semaphores.get(name) ?? {
      semaphore: new Semaphore({ slots: { total: 1, perKey: 1 }, waiting: this.#waitingOf() }),
      users: 0,
    };
    this.#semaphores.set(name, entry);
    entry.users += 1;
    try {
      return await entry.semaphore.run(applicant, work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#semaphores.delete(name);
    }
  }
}
