/** How many units of a bounded resource there are, and how many of them one key may have. */
export interface Limits {
  readonly total: number;
  /** `half`: a key gets one more only while it has fewer than are free, so a single busy key gets about half of them. */
  readonly perKey: number | 'half';
}

/** A key leaves a sixteenth to others. */
export const mostOf = (total: number, perKey = Math.max(1, Math.floor((total * 15) / 16))): Limits => ({
  total,
  perKey,
});

const mayTake = (perKey: Limits['perKey'], held: number, free: number): boolean =>
  free > 0 && held < (perKey === 'half' ? free : perKey);

/**
 * Idle keys that are kept, so that most work finds the state of its key. A map whose only entry comes and goes with each
 * request is made anew again and again: the garbage of that took a tenth of the time of a small request.
 */
const MAX_IDLE_KEYS = 1_000;

/** Counts the units that each key has. */
export class Quota {
  readonly #limits: Limits;
  readonly #counts = new Map<string, number>();
  #taken = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Takes a unit. False when the key has as many as it may, or none is left. */
  tryAcquire(key: string): boolean {
    const held = this.#counts.get(key) ?? 0;
    if (!mayTake(this.#limits.perKey, held, this.#limits.total - this.#taken)) return false;
    this.#counts.set(key, held + 1);
    this.#taken += 1;
    return true;
  }

  /** Called exactly once for each acquisition. */
  release(key: string): void {
    const held = (this.#counts.get(key) ?? 0) - 1;
    this.#taken -= 1;
    if (held > 0 || this.#counts.size <= MAX_IDLE_KEYS) this.#counts.set(key, held);
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
export interface Waiter {
  /** Keys take turns. */
  readonly key: string;
  /** `performance.now()` until which the work may begin. */
  readonly deadline: number;
  /** The same for all that wait with one key. */
  readonly gate?: Gate | undefined;
  readonly isGone?: () => boolean;
}

/** One that waits. */
export interface QueuedWaiter {
  readonly waiter: Waiter;
  /** `performance.now()`. */
  readonly since: number;
  /** Refuses it, unless it has got its slot already. */
  readonly refuse: (reason: NotBegun['reason']) => void;
}

/** Gives a slot back. */
export type Release = () => void;

interface ServableWaiter extends QueuedWaiter {
  readonly grant: (release: Release) => void;
}

interface KeyState {
  readonly key: string;
  held: number;
  /** In the order they came. */
  readonly waiters: ServableWaiter[];
}

interface SemaphoreOptions {
  readonly slots: Limits;
  /** Those that wait. A quota may count those of several semaphores. */
  readonly waiting: Limits | Quota;
}

/**
 * Bounds how much runs at one time. Keys with waiters get a slot each in turn, and the waiters of one key in their order:
 * `await semaphore.run({ key, deadline }, () => send(call))` is the result of the call, or `NotBegun`.
 */
export class Semaphore {
  readonly #limits: Limits;
  readonly #waitingQuota: Quota;
  readonly #states = new Map<string, KeyState>();
  /**
   * Keys whose first waiter needs a slot; the one that got a slot longest ago comes first. A key is in it no more once its
   * gate has refused its first waiter, until it is reopened or another one comes.
   */
  readonly #pending = new Set<KeyState>();
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
    return this.#pending.values().reduce((sum, { waiters }) => sum + waiters.length, 0);
  }

  /** Runs the work in a slot, and releases the slot whatever becomes of the work. */
  async run<T>(waiter: Waiter, work: () => Promise<T>): Promise<T | NotBegun> {
    const acquired = this.acquire(waiter);
    // Without a wait where a slot is free: it would cost each call a promise.
    const release = acquired instanceof Promise ? await acquired : acquired;
    if (release instanceof NotBegun) return release;
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Takes a slot, a promise of it where it has to be waited for. The result must be called once, to give it back. */
  acquire(waiter: Waiter): Release | NotBegun | Promise<Release | NotBegun> {
    const state = this.#stateOf(waiter.key);
    const mustWait = state.waiters.length > 0 || !this.#hasSlotFor(state) || waiter.gate?.tryPass() === false;
    return mustWait ? this.#wait(state, waiter) : this.#take(state);
  }

  /** Serves the waiters of a key whose gate may let them pass now. */
  reopen(key: string): void {
    const state = this.#states.get(key);
    if (state === undefined || state.waiters.length === 0) return;
    this.#pending.add(state);
    this.#serve();
  }

  /** The number of slots, at most `max`, that the key may take now. */
  slotsFor(key: string, max: number): number {
    const held = this.#states.get(key)?.held ?? 0;
    let count = 0;
    while (count < max && mayTake(this.#limits.perKey, held + count, this.#free - count)) count += 1;
    return count;
  }

  /** Those that wait with the key, in their order. */
  waitersOf(key: string): readonly QueuedWaiter[] {
    return this.#states.get(key)?.waiters ?? [];
  }

  /** Refuses those that wait, and all that come later. Work that has begun goes on. */
  close(): void {
    this.#isClosed = true;
    for (const { waiters } of this.#states.values()) for (const { refuse } of [...waiters]) refuse('closed');
  }

  #hasSlotFor(state: KeyState): boolean {
    return !this.#isClosed && mayTake(this.#limits.perKey, state.held, this.#free);
  }

  #take(state: KeyState): Release {
    state.held += 1;
    this.#free -= 1;
    return () => {
      state.held -= 1;
      this.#free += 1;
      this.#serve();
      this.#forgetIfIdle(state);
    };
  }

  #wait(state: KeyState, waiter: Waiter): Promise<NotBegun | Release> {
    if (this.#isClosed) return Promise.resolve(new NotBegun('closed'));
    if (!this.#waitingQuota.tryAcquire(state.key)) return Promise.resolve(new NotBegun('full'));
    const { promise, resolve } = Promise.withResolvers<NotBegun | Release>();
    let timer: NodeJS.Timeout | undefined;
    const end = (result: NotBegun | Release) => {
      const index = state.waiters.indexOf(queued);
      if (index === -1) return;
      clearTimeout(timer);
      this.#waitingQuota.release(state.key);
      this.#remove(state, index);
      resolve(result);
    };
    const queued: ServableWaiter = {
      waiter,
      since: performance.now(),
      grant: end,
      refuse: (reason) => end(new NotBegun(reason)),
    };
    this.#add(state, queued);
    if (state.waiters.includes(queued)) timer = this.#limitTime(queued);
    return promise;
  }

  #add(state: KeyState, queued: ServableWaiter): void {
    state.waiters.push(queued);
    this.#waiting += 1;
    this.#pending.add(state);
    this.#serve();
  }

  #remove(state: KeyState, index: number): void {
    state.waiters.splice(index, 1);
    this.#waiting -= 1;
    if (state.waiters.length === 0) this.#pending.delete(state);
    this.#forgetIfIdle(state);
  }

  #limitTime({ waiter: { deadline, gate }, refuse }: QueuedWaiter): NodeJS.Timeout | undefined {
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
    // A key that is served comes again, after all others.
    for (const state of this.#pending) {
      if (this.#free === 0) return;
      const [first] = state.waiters;
      if (first !== undefined && this.#hasSlotFor(state)) this.#serveFirst(state, first);
    }
  }

  /** The key then comes after all others, or has to wait for its gate. */
  #serveFirst(state: KeyState, { waiter, grant, refuse }: ServableWaiter): void {
    this.#pending.delete(state);
    if (waiter.isGone?.()) refuse('gone');
    else if (waiter.gate?.tryPass() === false) {
      waiter.gate.onRefused();
      return;
    } else grant(this.#take(state));
    if (state.waiters.length > 0) this.#pending.add(state);
  }

  #stateOf(key: string): KeyState {
    const known = this.#states.get(key);
    if (known) return known;
    const state = { key, held: 0, waiters: [] };
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

  async run<T>(name: string, waiter: Waiter, work: () => Promise<T>): Promise<T | NotBegun> {
    const entry = this.#semaphores.get(name) ?? {
      semaphore: new Semaphore({ slots: { total: 1, perKey: 1 }, waiting: this.#waitingOf() }),
      users: 0,
    };
    this.#semaphores.set(name, entry);
    entry.users += 1;
    try {
      return await entry.semaphore.run(waiter, work);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#semaphores.delete(name);
    }
  }
}
