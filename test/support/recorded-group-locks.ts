import type { GroupLock, SharedState } from '../../src/core/shared-state.ts';
import { createSharedWorld } from './memory-shared-state.ts';

/** The use of the locks of groups by gateways with one shared state. */
export class LockRecord {
  /** Every use of a lock in its order. */
  readonly events: string[] = [];
  /** The locks that are held or waited for. */
  inUse = 0;
  /** `performance.now()` until which the last write that was noted may take effect. */
  notedUntil = 0;
  /** Run before and after each note. */
  onNote: () => void = () => {};
  onNoted: () => void = () => {};
}

/** The shared state of two gateways, whose locks are recorded. `setState` cuts the first from the state. */
export function createRecordedLocks() {
  const world = createSharedWorld();
  const [first, second] = [world.gateway(), world.gateway()];
  const record = new LockRecord();
  return {
    record,
    first: recordedState(first, record),
    second: recordedState(second, record),
    setState: (state: 'away' | 'back') => world.partition(first, state === 'away'),
  };
}

const recordedState = (shared: SharedState, record: LockRecord): SharedState => ({
  ...shared,
  groupLocks: {
    async acquire(groupKey, timeoutMs) {
      record.inUse += 1;
      let lock: GroupLock | null = null;
      try {
        lock = await shared.groupLocks.acquire(groupKey, timeoutMs);
      } finally {
        if (lock === null) record.inUse -= 1;
      }
      if (lock !== null) record.events.push('acquire');
      return lock && recordedLock(lock, record);
    },
  },
});

const recordedLock = (lock: GroupLock, record: LockRecord): GroupLock => ({
  settlesInMs: lock.settlesInMs,
  async noteWrite(ms) {
    record.onNote();
    const notedUntil = performance.now() + ms;
    await lock.noteWrite(ms);
    record.events.push('note');
    record.notedUntil = notedUntil;
    record.onNoted();
  },
  async endWrite() {
    await lock.endWrite();
    record.events.push('end');
  },
  async release() {
    await lock.release();
    record.events.push('release');
    record.inUse -= 1;
  },
});
