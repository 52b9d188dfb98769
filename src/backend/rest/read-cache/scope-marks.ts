import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadMark, ScopeMark, SharedState } from '../../../state/shared/shared-state.ts';
import { StateUnavailable } from '../../../state/state-unavailable.ts';
import { LocalMarks } from './local-marks.ts';

/** Marks of writes in this process and, where several gateways share a state, in all of them. */
export interface ScopeMarks {
  readonly isShared: boolean;
  /**
   * Equal at two times between which no write of the scope began or ended. Null while a write is under way, and while
   * that can't be known. A promise only where the marks are shared.
   */
  generationOf(scope: string): string | null | Promise<string | null>;
  /** Marks the scope before a write. Null where that was not possible before `latest`, as `performance.now()`. */
  begin(scope: string, latest: number): Promise<WriteMark | null>;
}

/** The mark of one write. */
interface WriteMark {
  /** Lifts the mark, or leaves it to its time where the write may still take effect. Called before the write is answered. */
  end(isOutcomeKnown: boolean): Promise<void>;
}

interface ScopeMarksOptions {
  readonly shared: SharedState | null;
  /** Milliseconds for which a mark stays that is not lifted. */
  readonly markMs: number;
  /** Milliseconds for which a response is kept at most. */
  readonly keptMs: number;
}

/** The time between two attempts to mark a scope. */
const RETRY_MS = 100;

/** The longest wait for the mark of a write that was sent without one. A gateway counts as missing before. */
const LATE_MARK_MS = 10_000;

export function createScopeMarks({ shared, markMs, keptMs }: ScopeMarksOptions): ScopeMarks {
  const local = new LocalMarks(Math.max(keptMs, markMs));
  const begin = (scope: string) => local.begin(scope, markMs);
  if (shared === null) {
    return {
      isShared: false,
      generationOf(scope) {
        const { generation, isMarked } = local.current(scope);
        return isMarked ? null : `${generation}`;
      },
      begin: async (scope) => createLocalMark(begin(scope)),
    };
  }
  return {
    isShared: true,
    async generationOf(scope) {
      const sharedMark = await checkShared(shared, scope);
      const localMark = local.current(scope);
      if (sharedMark === null || sharedMark.isMarked || localMark.isMarked) return null;
      return `${localMark.generation} ${sharedMark.generation}`;
    },
    async begin(scope, latest) {
      const endLocal = begin(scope);
      const beginShared = (time: number) =>
        beginUnlessMissing(shared, () => shared.readMarks.begin(scope, markMs), time);
      const mark = await beginShared(latest);
      if (mark !== 'out-of-time') return createSharedMark(endLocal, mark, beginShared);
      endLocal();
      return null;
    },
  };
}

/** Null where nothing may come from a cache. */
async function checkShared(shared: SharedState, scope: string): Promise<ScopeMark | null> {
  try {
    const marks = await shared.readMarks.check([scope]);
    return marks?.[0] ?? null;
  } catch (error) {
    if (error instanceof StateUnavailable) return null;
    throw error;
  }
}

const createLocalMark = (endLocal: () => void): WriteMark => ({
  async end(isOutcomeKnown) {
    if (isOutcomeKnown) endLocal();
  },
});

type SharedMark = ReadMark | 'missing' | 'out-of-time';

/**
 * Begins a mark. `missing`: every other gateway counts this one as missing, so that none of them uses its cache, and a
 * mark is not needed until the state is there again.
 */
async function beginUnlessMissing(
  shared: SharedState,
  begin: () => Promise<ReadMark>,
  latest: number,
): Promise<SharedMark> {
  for (;;) {
    try {
      return await begin();
    } catch (error) {
      if (!(error instanceof StateUnavailable)) throw error;
    }
    const now = performance.now();
    const missingFrom = shared.missingFrom();
    if (missingFrom <= now) return 'missing';
    if (now >= latest) return 'out-of-time';
    await sleep(Math.min(RETRY_MS, missingFrom - now));
  }
}

/**
 * A write without a mark gets one once it has its outcome: the state may be there again, and others may have kept what
 * they read while the write was under way.
 */
const createSharedMark = (
  endLocal: () => void,
  mark: ReadMark | 'missing',
  beginShared: (latest: number) => Promise<SharedMark>,
): WriteMark => ({
  async end(isOutcomeKnown) {
    const ended = mark === 'missing' ? await beginShared(performance.now() + LATE_MARK_MS) : mark;
    if (!isOutcomeKnown) return;
    if (typeof ended !== 'string') await endShared(ended);
    endLocal();
  },
});

/** A mark that can't be lifted ends by itself. */
async function endShared(mark: ReadMark): Promise<void> {
  try {
    await mark.end();
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error;
  }
}
