/** The number of units of a bounded resource, and the number that one key may have. */
export interface Limits {
  readonly total: number;
  /** `half`: a key gets another unit only while it has fewer than are free, so that one key gets about half of them. */
  readonly perKey: number | 'half';
}

/** Limits that leave a sixteenth of the units to other keys. */
export const mostOf = (total: number, perKey = Math.max(1, Math.floor((total * 15) / 16))): Limits => ({
  total,
  perKey,
});

const mayTake = (perKey: Limits['perKey'], held: number, free: number): boolean =>
  free > 0 && held < (perKey === 'half' ? free : perKey);

/**
 * The number of idle keys whose state is kept. A map whose only entry comes and goes with each request is rebuilt again
 * and again: its garbage took a tenth of the time of a small request.
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

  /** Takes a unit. Returns false when the key has as many as it may, or none is left. */
  tryAcquire(key: string): boolean {
    const held = this.#counts.get(key) ?? 0;
    if (!mayTake(this.#limits.perKey, held, this.#limits.total - this.#taken)) return false;
    this.#counts.set(key, held + 1);
    this.#taken += 1;
    return true;
  }

  /** Releases a unit. It must be called exactly once for each acquisition. */
  release(key: string): void {
    const held = (this.#counts.get(key) ?? 0) - 1;
    this.#taken -= 1;
    if (held > 0 || this.#counts.size <= MAX_IDLE_KEYS) this.#counts.set(key, held);
    else this.#counts.delete(key);
  }
}

/** The result of work that did not begin. `full`: too many wait already. `gone`: the caller does not wait for it any more. */
export class NotBegun {
  readonly reason: 'full' | 'timed-out' | 'gone' | 'closed';

  constructor(reason: NotBegun['reason']) {
    this.reason = reason;
  }
}

/** A further condition of work, besides a slot. A waiter passes the gate and takes a slot together, or does neither. */
export interface Gate {
  tryPass(): boolean;
  /** Called after a waiter with a free slot was not let through. `reopen` serves the waiters of its key again. */
  onRefused(): void;
  /** Called at the deadline of a waiter. Returns true where the gate itself will refuse it. */
  onTimeout(): boolean;
}

export interface Waiter {
  /** The key. Keys are served in turn. */
  readonly key: string;
  /** `performance.now()` until which the work may begin. */
  readonly deadline: number;
  /** The gate, which is the same for all waiters of one key. */
  readonly gate?: Gate | undefined;
  readonly isGone?: () => boolean;
}

/** A waiter in the queue of its key. */
export interface QueuedWaiter {
  readonly waiter: Waiter;
  /** `performance.now()` when it began to wait. */
  readonly since: number;
  /** Refuses the waiter, unless it already has a slot. */
  readonly refuse: (reason: NotBegun['reason']) => void;
}

/** Releases a slot. */
export type Release = () => void;

interface ServableWaiter extends QueuedWaiter {
  readonly grant: (release: Release) => void;
}

interface KeyState {
  readonly key: string;
  held: number;
  /** The waiters in the order of their arrival. */
  readonly waiters: ServableWaiter[];
}

interface SemaphoreOptions {
  readonly slots: Limits;
  /** The limits of waiters. A quota may count those of several semaphores together. */
  readonly waiting: Limits | Quota;
}

/**
 * Bounds how much runs at one time. Keys with waiters get a slot each in turn, and the waiters of one key are served in
 * their order: `await semaphore.run({ key, deadline }, () => send(call))` is the result of the call, or `NotBegun`.
 */
export class Semaphore {
  readonly #limits: Limits;
  readonly #waitingQuota: Quota;
  readonly #states = new Map<string, KeyState>();
  /**
   * Keys whose first waiter needs a slot; the one that got a slot longest ago comes first. A key is removed when its
   * gate refuses its first waiter, and added again when it is reopened or another waiter comes.
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

  /** The number of waiters whose gates have not refused them. */
  get waitingForSlot(): number {
    return this.#pending.values().reduce((sum, { waiters }) => sum + waiters.length, 0);
  }

  /** Runs the work in a slot, and releases the slot in any case. */
  async run<T>(waiter: Waiter, work: () => Promise<T>): Promise<T | NotBegun> {
    const release = await this.#acquire(waiter);
    if (release instanceof NotBegun) return release;
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Takes a slot, or waits for it. The resulting function must be called once, to release it. */
  async #acquire(waiter: Waiter): Promise<Release | NotBegun> {
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

  slotsFor(key: string, max: number): number {
    const held = this.#states.get(key)?.held ?? 0;
    let count = 0;
    while (count < max && mayTake(this.#limits.perKey, held + count, this.#free - count)) count += 1;
    return count;
  }

  waitersOf(key: string): readonly QueuedWaiter[] {
    return this.#states.get(key)?.waiters ?? [];
  }

  /** Refuses all waiters, and everybody who comes later. Work that has begun continues. */
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
    // A key that is served is added to the end, so it comes after all others.
    for (const state of this.#pending) {
      if (this.#free === 0) return;
      const [first] = state.waiters;
      if (first !== undefined && this.#hasSlotFor(state)) this.#serveFirst(state, first);
    }
  }

  /** Serves the first waiter of a key. Afterwards the key comes last, or waits for its gate. */
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

/** Runs the work of one name sequentially: a semaphore of one slot for each name. */
export class KeyedMutex {
  readonly #semaphores = new Map<string, { readonly semaphore: Semaphore; users: number }>();
  readonly #waitingOf: () => Limits | Quota;

  /** `waitingOf` returns the limits of waiters for one name. */
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
