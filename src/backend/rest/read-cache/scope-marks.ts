import { type Fence, openFence } from '../../../base/fence.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { type BackendError, unavailable } from '../../../domain/errors.ts';
import type { ReadMark, SharedState } from '../../../state/shared/shared-state.ts';
import { StateUnavailable } from '../../../state/state-unavailable.ts';
import { LocalMarks } from './local-marks.ts';

/** Marks of writes: in this process, or in the state where several gateways share one. */
export interface ScopeMarks {
  readonly isShared: boolean;
  /**
   * Equal at two times between which no write of the scope began or ended. Null while a write is under way, and while
   * that can't be known. A promise only where the marks are shared: it tells what the state says after the call.
   */
  generationOf(scope: string): string | null | Promise<string | null>;
  /** Marks the scope before a write. An error is the reason why the write must not be sent. */
  begin(scope: string): Promise<Result<WriteMark, BackendError>>;
}

/** The mark of one write. */
interface WriteMark {
  /** Late where the write could take effect after the end of a mark that is not lifted. */
  readonly fence?: Fence | undefined;
  /** Lifts the mark, or leaves it to its time where the write may still take effect. Called before the write is answered. */
  end(isOutcomeKnown: boolean): Promise<void>;
}

interface ScopeMarksOptions {
  readonly shared: SharedState | null;
  /** `open`: writes go on without a mark while the state can't be reached. */
  readonly onFailure: 'closed' | 'open';
  /** Milliseconds for one call. */
  readonly timeoutMs: number;
  /** Milliseconds for which a response is kept at most. */
  readonly keptMs: number;
}

/** A write begins within the time of a call and so many milliseconds after its mark. */
const BEGIN_MARGIN_MS = 1_000;

export const createScopeMarks = (options: ScopeMarksOptions): ScopeMarks => {
  const { shared, timeoutMs } = options;
  const beginMs = timeoutMs + BEGIN_MARGIN_MS;
  // A write takes effect within the time of its call.
  const markMs = beginMs + timeoutMs;
  return shared === null ? markHere(markMs, options) : markForAll(shared, { ...options, beginMs, markMs });
};

function markHere(markMs: number, { keptMs }: ScopeMarksOptions): ScopeMarks {
  const marks = new LocalMarks(Math.max(keptMs, markMs));
  return {
    isShared: false,
    generationOf(scope) {
      const { generation, isMarked } = marks.current(scope);
      return isMarked ? null : `${generation}`;
    },
    async begin(scope) {
      const end = marks.begin(scope, markMs);
      return ok({
        async end(isOutcomeKnown) {
          if (isOutcomeKnown) end();
        },
      });
    },
  };
}

interface SharedMarksOptions extends Pick<ScopeMarksOptions, 'onFailure'> {
  readonly beginMs: number;
  readonly markMs: number;
}

function markForAll({ readMarks }: SharedState, { onFailure, beginMs, markMs }: SharedMarksOptions): ScopeMarks {
  return {
    isShared: true,
    async generationOf(scope) {
      const marks = await unlessUnavailable(() => readMarks.check([scope]));
      const mark = marks?.[0];
      return mark === undefined || mark.isMarked ? null : `${mark.generation}`;
    },
    async begin(scope) {
      const fence = openFence(beginMs);
      const mark = await unlessUnavailable(() => readMarks.begin(scope, markMs));
      if (mark !== null) return ok({ fence, end: (isOutcomeKnown) => endMark(mark, isOutcomeKnown) });
      return onFailure === 'open' ? ok(UNMARKED) : err(unavailable(NOT_MARKED_MESSAGE));
    },
  };
}

/** A mark that can't be lifted ends by itself. */
async function endMark(mark: ReadMark, isOutcomeKnown: boolean): Promise<void> {
  if (isOutcomeKnown) await unlessUnavailable(() => mark.end());
}

/** Other gateways may answer what was before such a write for as long as they keep responses. */
const UNMARKED: WriteMark = { end: async () => {} };

/** Null where the state can't be used. */
async function unlessUnavailable<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof StateUnavailable) return null;
    throw error;
  }
}

const NOT_MARKED_MESSAGE =
  'The state that the gateways share cannot be reached, and without it the others would answer from their caches what was ' +
  'before this write; nothing was sent.';
