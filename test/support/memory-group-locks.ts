import { Semaphore } from '../../src/backend/rest/rate-limit/semaphore.ts';
import type { GroupLock, SharedState } from '../../src/state/shared/shared-state.ts';
import { StateUnavailable } from '../../src/state/state-unavailable.ts';

/** The locks of groups in memory, for several gateways in one process. */
export interface MemoryGroupLocks {
  readonly shared: SharedState;
  /** Every use of a lock in its order. */
  readonly events: string[];
  /** The locks that are held or waited for. */
  readonly inUse: () => number;
  /** `performance.now()` until which a write without an outcome may take effect; 0 where there is none. */
  readonly notedUntil: () => number;
  /** From now on each call is rejected. */
  fail(): void;
  recover(): void;
  /** All locks that are held now are lost. */
  loseLocks(): void;
  /** Runs before each note. */
  onNote(listener: () => void): void;
}

const HOLDER = { key: '', isLowPriority: false };

export function createMemoryGroupLocks(): MemoryGroupLocks {
  const semaphores = new Map<string, Semaphore>();
  const notes = new Map<string, number>();
  const events: string[] = [];
  let [isFailing, epoch, inUse] = [false, 0, 0];
  let listener = () => {};
  const check = (isUsable = true) => {
    if (isFailing || !isUsable) throw new StateUnavailable('The state is away.');
  };

  const lockOf = (groupKey: string, release: () => void): GroupLock => {
    const acquiredIn = epoch;
    return {
      settlesInMs: Math.max(0, (notes.get(groupKey) ?? 0) - performance.now()),
      async noteWrite(ms) {
        listener();
        check(acquiredIn === epoch);
        events.push('note');
        notes.set(groupKey, performance.now() + ms);
      },
      async endWrite() {
        check(acquiredIn === epoch);
        events.push('end');
        notes.delete(groupKey);
      },
      async release() {
        events.push('release');
        release();
      },
    };
  };

  const unused = () => Promise.reject(new StateUnavailable('Only the locks are kept.'));
  const shared: SharedState = {
    budgets: { update: unused },
    readMarks: { check: unused, begin: unused },
    groupLocks: {
      async acquire(groupKey, timeoutMs) {
        check();
        inUse += 1;
        const semaphore = semaphores.get(groupKey) ?? new Semaphore({ slots: 1, maxWaiting: 1_000 });
        semaphores.set(groupKey, semaphore);
        const isAcquired = (await semaphore.acquire(timeoutMs, HOLDER)) === 'acquired';
        if (!isAcquired) inUse -= 1;
        else events.push('acquire');
        const release = () => {
          inUse -= 1;
          semaphore.release(HOLDER);
        };
        return isAcquired ? lockOf(groupKey, release) : null;
      },
    },
    gatewayCount: () => 2,
    missingFrom: () => 0,
    problem: () => (isFailing ? 'The state is away.' : null),
    close: () => Promise.resolve(),
  };
  return {
    shared,
    events,
    inUse: () => inUse,
    notedUntil: () => Math.max(0, ...notes.values()),
    fail: () => {
      isFailing = true;
    },
    recover: () => {
      isFailing = false;
    },
    loseLocks: () => {
      epoch += 1;
    },
    onNote: (runBefore) => {
      listener = runBefore;
    },
  };
}
