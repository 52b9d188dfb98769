import { setImmediate, setTimeout } from 'node:timers/promises';
import type { GroupLock, ScopeState, SharedInvalidation, SharedState } from '../../src/core/shared-state.ts';
import { StateUnavailable } from '../../src/core/state-unavailable.ts';

/** The shared state in memory: a model of what the databases do, for several gateways in one process. */
export interface SharedWorld {
  /** Another gateway. */
  gateway(): SharedState;
  /** Ends a gateway as a crash does: its locks are free, and what it noted and marked stays for its time. */
  kill(gateway: SharedState): void;
  /** Cuts a gateway off from the state, which costs it its locks, or connects it again. */
  partition(gateway: SharedState, isCutOff: boolean): void;
}

/** A gateway that can't tell that it lives does not count after so many milliseconds. */
const ALIVE_MS = 4_000;

interface Member {
  state: 'connected' | 'cut-off' | 'gone';
  /** `performance.now()` at which it was cut off or killed; null while it is connected. */
  lastSeenAt: number | null;
}

interface HeldLock {
  readonly member: Member;
}

interface Mark {
  readonly scope: string;
  readonly endsAt: number;
}

class World {
  readonly members = new Set<Member>();
  readonly budgets = new Map<string, string>();
  readonly locks = new Map<string, HeldLock>();
  /** `performance.now()` until which the write of a group may take effect. */
  readonly notes = new Map<string, number>();
  readonly generations = new Map<string, number>();
  readonly marks = new Set<Mark>();
  readonly acceptedTokens = new Set<string>();
  announcements: { readonly id: string; readonly member: Member; readonly places: ReadonlySet<string> }[] = [];
  #lastGeneration = 0;
  #change = Promise.withResolvers<void>();

  nextGeneration(): number {
    this.#lastGeneration += 1;
    return this.#lastGeneration;
  }

  countAlive(): number {
    const now = performance.now();
    return [...this.members].filter(({ lastSeenAt }) => lastSeenAt === null || now < lastSeenAt + ALIVE_MS).length;
  }

  freeLocksOf(member: Member): void {
    for (const [key, lock] of this.locks) if (lock.member === member) this.locks.delete(key);
    this.announceChange();
  }

  announceChange(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Waits for a change of locks or connections. */
  async waitForChange(timeoutMs: number): Promise<void> {
    const timeout = new AbortController();
    const expired = setTimeout(timeoutMs, undefined, { signal: timeout.signal }).catch(() => {});
    await Promise.race([this.#change.promise, expired]);
    timeout.abort();
  }
}

export function createSharedWorld(): SharedWorld {
  const world = new World();
  const memberOf = new WeakMap<SharedState, Member>();
  const find = (gateway: SharedState): Member => {
    const member = memberOf.get(gateway);
    if (member === undefined) throw new Error('This gateway is of another world.');
    return member;
  };
  return {
    gateway: () => {
      const member: Member = { state: 'connected', lastSeenAt: null };
      world.members.add(member);
      const gateway = createGateway(world, member);
      memberOf.set(gateway, member);
      return gateway;
    },
    kill: (gateway) => disconnect(world, find(gateway), 'gone'),
    partition: (gateway, isCutOff) => {
      if (isCutOff) disconnect(world, find(gateway), 'cut-off');
      else connect(find(gateway));
    },
  };
}

function disconnect(world: World, member: Member, state: 'cut-off' | 'gone'): void {
  member.state = state;
  member.lastSeenAt ??= performance.now();
  world.freeLocksOf(member);
}

function connect(member: Member): void {
  if (member.state === 'gone') throw new Error('A gateway that was killed stays away.');
  member.state = 'connected';
  member.lastSeenAt = null;
}

function createGateway(world: World, member: Member): SharedState {
  /** The effect is one step, after a moment in which others may come first. */
  const run = async <T>(effect: () => T): Promise<T> => {
    await setImmediate();
    if (member.state !== 'connected') throw new StateUnavailable('The shared state cannot be reached.');
    return effect();
  };
  return {
    budgets: {
      update: (tokenKey, change) =>
        run(() => {
          const { budget, result } = change(world.budgets.get(tokenKey) ?? null, Date.now());
          if (budget !== null) world.budgets.set(tokenKey, budget);
          return result;
        }),
    },
    groupLocks: {
      acquire: async (groupKey, timeoutMs) => {
        const deadline = performance.now() + timeoutMs;
        for (;;) {
          const lock = await run(() => (world.locks.has(groupKey) ? null : takeLock(world, member, groupKey)));
          const msLeft = deadline - performance.now();
          if (lock !== null || msLeft <= 0) return lock && createLock(world, { run, groupKey, lock });
          await world.waitForChange(msLeft);
        }
      },
    },
    invalidations: {
      check: (scopes) => run(() => checkScopes(world, scopes)),
      begin: (scope, ms) => run(() => beginMark(world, { scope, endsAt: performance.now() + ms })(run)),
    },
    acceptedTokens: {
      has: (tokenKey) => run(() => world.acceptedTokens.has(tokenKey)),
      add: (tokenKey) => run(() => void world.acceptedTokens.add(tokenKey)),
    },
    creations: {
      announce: (places) =>
        run(() => {
          const id = crypto.randomUUID();
          world.announcements.push({ id, member, places: new Set(places) });
          return id;
        }),
      isOnlyOne: (announcementId, place) =>
        run(() => {
          const equal = world.announcements.filter(({ places }) => places.has(place));
          return equal.some(({ id }) => id === announcementId) && equal.every((one) => one.member === member);
        }),
      withdraw: (announcementId) =>
        run(() => {
          world.announcements = world.announcements.filter(({ id }) => id !== announcementId);
        }),
    },
    gatewayCount: () => Math.max(1, world.countAlive()),
    problem: () => (member.state === 'connected' ? null : 'The shared state cannot be reached.'),
    close: async () => {
      world.members.delete(member);
      disconnect(world, member, 'gone');
    },
  };
}

type Run = <T>(effect: () => T) => Promise<T>;

function takeLock(world: World, member: Member, groupKey: string): HeldLock {
  const lock = { member };
  world.locks.set(groupKey, lock);
  return lock;
}

interface LockOptions {
  readonly run: Run;
  readonly groupKey: string;
  readonly lock: HeldLock;
}

function createLock(world: World, { run, groupKey, lock }: LockOptions): GroupLock {
  const isHeld = () => world.locks.get(groupKey) === lock;
  return {
    settlesInMs: Math.max(0, (world.notes.get(groupKey) ?? 0) - performance.now()),
    noteWrite: (ms) =>
      run(() => {
        if (!isHeld()) throw new StateUnavailable('The lock of the group was lost.');
        world.notes.set(groupKey, performance.now() + ms);
      }),
    endWrite: () =>
      run(() => {
        if (isHeld()) world.notes.delete(groupKey);
      }),
    release: async () => {
      await setImmediate();
      if (isHeld()) world.locks.delete(groupKey);
      world.announceChange();
      // Those who wait come before the next call of this gateway.
      await setImmediate();
    },
  };
}

function checkScopes(world: World, scopes: readonly string[]): readonly ScopeState[] {
  const now = performance.now();
  return scopes.map((scope) => ({
    generation: world.generations.get(scope) ?? 0,
    isInvalid: [...world.marks].some((mark) => mark.scope === scope && mark.endsAt > now),
  }));
}

const beginMark = (world: World, mark: Mark) => {
  let isEnded = false;
  world.marks.add(mark);
  world.generations.set(mark.scope, world.nextGeneration());
  return (run: Run): SharedInvalidation => ({
    end: () =>
      run(() => {
        if (isEnded) return;
        isEnded = true;
        world.marks.delete(mark);
        world.generations.set(mark.scope, world.nextGeneration());
      }),
  });
};
