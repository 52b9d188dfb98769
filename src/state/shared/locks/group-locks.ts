import { setTimeout } from 'node:timers/promises';
import type { GroupLock, GroupLocks } from '../shared-state.ts';
import type { StateLink } from '../state-link.ts';
import { LockTurns } from './lock-turns.ts';

/** The locks of a database, which may give one process the same lock twice. */
export interface LockDriver {
  /** Null where another process has the lock. */
  tryLock(groupKey: string): Promise<GroupLock | null>;
  close(): Promise<void>;
}

/** The pause before a lock that was not free is tried again, in milliseconds. It grows up to the longest. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 200;
const GROWTH = 1.5;

interface GroupLocksOptions {
  readonly link: StateLink;
  readonly driver: LockDriver;
  readonly gatewayCount: () => number;
}

/** Polls for locks: a database that waits for a lock keeps the connection from all other locks of the process. */
export function createGroupLocks({ link, driver, gatewayCount }: GroupLocksOptions): GroupLocks {
  const takenHere = new Set<string>();
  const turns = new LockTurns();

  const tryLock = async (groupKey: string): Promise<GroupLock | null> => {
    link.throwIfDown();
    if (takenHere.has(groupKey) || (gatewayCount() > 1 && turns.isOver(groupKey))) return null;
    takenHere.add(groupKey);
    const lock = await driver.tryLock(groupKey).catch((error: unknown) => {
      takenHere.delete(groupKey);
      throw error;
    });
    if (lock === null) {
      takenHere.delete(groupKey);
      return null;
    }
    turns.onAcquired(groupKey);
    const onReleased = () => {
      takenHere.delete(groupKey);
      turns.onReleased(groupKey);
    };
    return { ...lock, release: () => lock.release().finally(onReleased) };
  };
  return {
    acquire: async (groupKey, timeoutMs) => {
      const deadline = performance.now() + timeoutMs;
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * GROWTH)) {
        const lock = await tryLock(groupKey);
        const msLeft = deadline - performance.now();
        if (lock !== null || msLeft <= 0) return lock;
        await setTimeout(Math.min(msLeft, pauseMs * (0.5 + Math.random())));
      }
    },
  };
}
