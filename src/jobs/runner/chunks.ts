import type { Fence } from '../../base/fence.ts';
import { MAX_JOB_CALL_CHARS } from '../../base/limits.ts';
import type { Result } from '../../base/result.ts';
import {
  type ArticleOutcome,
  notAttemptedAfter,
  outcomesForAll,
  type SharedOutcome,
} from '../../domain/articles/article-outcomes.ts';
import type { CompletedBulkUpdate } from '../../domain/articles/bulk-updates.ts';
import { type BackendError, mayHaveApplied } from '../../domain/errors.ts';
import type { IndexedOutcome, LedgerItem } from '../../state/ledger.ts';
import { type ClaimedJob, jobCaller } from './job-context.ts';

/** The consequences of the call of a chunk. */
interface ChunkResult {
  /** Outcomes that are final, or unknown until they are read back. */
  readonly ended: readonly IndexedOutcome[];
  /** Indexes of items that were surely not sent, and are sent later. */
  readonly withdrawn: readonly number[];
  readonly next: NextStep;
  /** True when nothing tells how any item of the chunk has ended, so that the service may be failing. */
  readonly isWhollyUnknown: boolean;
}

export type NextStep =
  | { readonly kind: 'go-on' }
  /** `retryAfterSeconds`: null where it is not known. */
  | { readonly kind: 'wait'; readonly wait: 'RATE_LIMIT' | 'SERVICE'; readonly retryAfterSeconds: number | null }
  /** The token is not accepted any more. */
  | { readonly kind: 'pause' }
  /** The token may not do this: the rest of the job has this outcome. */
  | { readonly kind: 'end'; readonly rest: SharedOutcome };

const GO_ON: NextStep = { kind: 'go-on' };

export const WAIT_FOR_SERVICE: NextStep = { kind: 'wait', wait: 'SERVICE', retryAfterSeconds: null };

/** @internal Exported for tests. */
export const chunkResultOf = (
  chunk: readonly LedgerItem[],
  result: Result<CompletedBulkUpdate, BackendError>,
): ChunkResult =>
  consequencesOf(
    chunk,
    result.ok ? result.value.outcomes : chunk.map(({ update }) => outcomeAfter(result.error, update)),
  );

function consequencesOf(chunk: readonly LedgerItem[], outcomes: readonly ArticleOutcome[]): ChunkResult {
  const ended: IndexedOutcome[] = [];
  const withdrawn: number[] = [];
  let next = GO_ON;
  for (const [position, { index }] of chunk.entries()) {
    const outcome = outcomes[position];
    if (outcome === undefined) throw new Error('An item of a bulk update has no outcome.');
    if (isSentLater(outcome)) withdrawn.push(index);
    else ended.push({ index, outcome });
    next = moreImportant(next, nextStepAfter(outcome));
  }
  const isWhollyUnknown = withdrawn.length === 0 && ended.every(({ outcome }) => outcome.kind === 'unknown');
  return { ended, withdrawn, next, isWhollyUnknown };
}

/** The outcome of items whose call has thrown: a bug, which may have come after the write. */
const AFTER_BUG: SharedOutcome = {
  kind: 'unknown',
  details: 'The outcome is unknown: the gateway failed unexpectedly.',
};

/** The outcome of an item behind an unknown one of the same article. */
export const afterUnknown = ({ index, update: { articleId } }: LedgerItem): IndexedOutcome => ({
  index,
  outcome: {
    kind: 'not-attempted',
    articleId,
    details: 'Not sent, because the outcome of an earlier item of the same article is unknown.',
    reason: 'AFTER_UNKNOWN',
    retryAfterSeconds: null,
  },
});

function outcomeAfter(error: BackendError, { articleId }: { readonly articleId: string }): ArticleOutcome {
  if (mayHaveApplied(error)) return { kind: 'unknown', articleId, details: `The outcome is unknown: ${error.message}` };
  // The content of a single item was refused: see docs/contract.md, "Outcomes of items".
  if (error.kind === 'rejected' && error.httpStatus !== null && CONTENT_REJECTIONS.has(error.httpStatus))
    return { kind: 'failed', articleId, details: error.message };
  return { ...notAttemptedAfter(error), articleId };
}

const CONTENT_REJECTIONS: ReadonlySet<number> = new Set([400, 409, 422]);

const LATER_REASONS: ReadonlySet<string> = new Set([
  'RATE_LIMITED',
  'UNAUTHENTICATED',
  'UNAVAILABLE',
  'OUT_OF_TIME',
  'AFTER_UNKNOWN',
]);

const isSentLater = (outcome: SharedOutcome): boolean =>
  outcome.kind === 'not-attempted' && LATER_REASONS.has(outcome.reason);

function nextStepAfter(outcome: ArticleOutcome): NextStep {
  if (outcome.kind !== 'not-attempted') return GO_ON;
  const { articleId: _ofOneItem, ...rest } = outcome;
  switch (outcome.reason) {
    case 'RATE_LIMITED':
      return { kind: 'wait', wait: 'RATE_LIMIT', retryAfterSeconds: outcome.retryAfterSeconds };
    case 'UNAVAILABLE':
    case 'OUT_OF_TIME':
      return WAIT_FOR_SERVICE;
    case 'UNAUTHENTICATED':
      return { kind: 'pause' };
    case 'FORBIDDEN':
      return { kind: 'end', rest };
    case 'REJECTED':
    case 'AFTER_UNKNOWN':
    case 'CANCELLED':
      return GO_ON;
  }
}

const IMPORTANCE = { 'go-on': 0, wait: 1, pause: 2, end: 3 } as const satisfies Record<NextStep['kind'], number>;

const moreImportant = (one: NextStep, other: NextStep): NextStep =>
  IMPORTANCE[other.kind] > IMPORTANCE[one.kind] ? other : one;

/** IDs are compared in lower case, because it is unknown whether the service treats them as case-sensitive. */
export const articleOf = ({ update }: Pick<LedgerItem, 'update'>): string => update.articleId.toLowerCase();

/**
 * The items from the front that go into one call: no article twice, and none whose earlier item is unknown. No item is
 * skipped, so that the order of each article is kept.
 */
export function nextChunk(
  items: readonly LedgerItem[],
  unknownArticles: ReadonlySet<string>,
  size: number,
): readonly LedgerItem[] {
  const articles = new Set<string>();
  let chars = 0;
  const end = items.findIndex((item, index) => {
    const article = articleOf(item);
    chars += charsOf(item);
    if (index >= size || articles.has(article) || unknownArticles.has(article)) return true;
    articles.add(article);
    return index > 0 && chars > MAX_JOB_CALL_CHARS;
  });
  return end === -1 ? items : items.slice(0, end);
}

const charsOf = ({ update }: LedgerItem): number =>
  Object.values(update).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

/** The calls whose durations are remembered. */
const REMEMBERED_CALLS = 10;

/** Sends the chunks of one job. */
export class ChunkSender {
  readonly #job: ClaimedJob;
  #durations: readonly number[] = [];

  constructor(job: ClaimedJob) {
    this.#job = job;
  }

  /** The durations of the last calls, in milliseconds. */
  get durations(): readonly number[] {
    return this.#durations;
  }

  async send(chunk: readonly LedgerItem[], fence: Fence | undefined): Promise<ChunkResult> {
    const { context, run } = this.#job;
    const startedAt = context.clock.monotonic();
    const updates = chunk.map(({ update }) => update);
    let result: ChunkResult;
    try {
      const caller = { ...jobCaller(this.#job), fence };
      result = chunkResultOf(chunk, await context.backend.bulkUpdateArticles(caller, updates));
    } catch (error) {
      context.log('error', 'a call of a job has failed unexpectedly', { requestId: run.jobId, error });
      result = consequencesOf(chunk, outcomesForAll(updates, AFTER_BUG));
    }
    if (result.ended.length > 0)
      this.#durations = [...this.#durations, context.clock.monotonic() - startedAt].slice(-REMEMBERED_CALLS);
    return result;
  }

  /**
   * Asks whether the service answers again, by a read: another write to a service that fails would only be unknown as
   * well. Other errors than these say that it does.
   */
  async checkService(): Promise<NextStep> {
    const versions = await this.#job.context.backend.projectVersions(jobCaller(this.#job));
    if (versions.ok || versions.error.kind === 'forbidden') return GO_ON;
    if (versions.error.kind === 'outcome-unknown') return WAIT_FOR_SERVICE;
    return nextStepAfter({ ...notAttemptedAfter(versions.error), articleId: '' });
  }
}
