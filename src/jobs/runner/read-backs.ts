import type { Article } from '../../core/articles/articles.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import { RequestSummary } from '../../core/callers/request-report.ts';
import type { BackendError } from '../../core/errors.ts';
import { type ClaimedJob, jobCaller, persist, RunStopped } from '../job-context.ts';
import { type CurrentArticles, readCurrentArticles } from '../kinds/current-articles.ts';
import type { JobKind, ReadArticles } from '../kinds/job-kind.ts';
import { isTooMuch, nextStepAfterRead, sortReports } from '../kinds/sent-chunks.ts';
import type { IndexedOutcome, LedgerItem, UnknownItem } from '../state/ledger.ts';
import type { JobWaits } from './job-waits.ts';

const READ_BACK_ITEMS = 100;

const FAILED_UNEXPECTEDLY = 'The gateway failed unexpectedly when it sent this: see its log.';

/** Adds the failure to the details of an item that stays unknown, or whose publication does. */
function withFailure(reported: IndexedOutcome): IndexedOutcome {
  const { outcome } = reported;
  const isUnknown = outcome.kind === 'unknown' || (outcome.kind === 'updated' && outcome.publication === 'UNKNOWN');
  if (!isUnknown) return reported;
  const details = [outcome.details, FAILED_UNEXPECTEDLY].filter((text) => text !== null).join(' ');
  return { ...reported, outcome: { ...outcome, details } };
}

/** How long a read-back waits for a service that can't be reached. What can't be read then stays unknown. */
const MAX_SERVICE_WAIT_MS = 60 * 60_000;

/** Thrown where the token is not accepted any more. */
class TokenRefused extends Error {}

/** Reads the articles of unknown items of one job. Waits for the rate limit and for the service. */
export class ReadBacks {
  readonly #job: ClaimedJob;
  readonly #waits: JobWaits;
  /** `Clock.monotonic` before which an unknown write may still land. */
  #readableAt = 0;
  /** `Clock.monotonic` when the service began to fail; null while it answers. */
  #failingSince: number | null = null;
  /** The items whose call has failed unexpectedly in this process. */
  readonly #failedIndexes = new Set<number>();

  constructor(job: ClaimedJob, waits: JobWaits) {
    this.#job = job;
    this.#waits = waits;
    // A process that ran the job before may have sent a call just now.
    this.#readableAt = job.readsAreSureAt + job.context.settings.callTimeoutMs;
  }

  /** Reads nothing until a call that was sent just now has surely ended. */
  delay(): void {
    const { clock, settings } = this.#job.context;
    this.#readableAt = clock.monotonic() + settings.callTimeoutMs;
  }

  /** Notes that the call of these items has failed unexpectedly, which the details of those that stay unknown say. */
  noteFailure(items: readonly LedgerItem[]): void {
    for (const { index } of items) this.#failedIndexes.add(index);
  }

  /** Reads back the unknown items of a kind, and ends when all were read back that can be read. Throws `RunStopped`. */
  async readBackAll(kind: JobKind): Promise<void> {
    for (;;) {
      const items = await persist(this.#job, (ledger, run) => ledger.unknownItems(run, READ_BACK_ITEMS, kind.phase));
      if (items.length === 0) return;
      const { outcomes, passed } = sortReports(await this.#outcomesOf(kind, items));
      const reported = outcomes.map((one) => (this.#failedIndexes.has(one.index) ? withFailure(one) : one));
      await persist(this.#job, (ledger, run) => ledger.endItems(run, reported));
      if (passed.length > 0) await persist(this.#job, (ledger, run) => ledger.passItems(run, passed));
      for (const { index } of items) this.#failedIndexes.delete(index);
    }
  }

  async #outcomesOf(kind: JobKind, items: readonly UnknownItem[]): ReturnType<JobKind['readBack']> {
    const { run, context, signal } = this.#job;
    await this.#waits.sleep(Math.max(0, this.#readableAt - context.clock.monotonic()));
    try {
      return await kind.readBack(items, this.#read);
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
    }
    const isPaused = await context.session.persist((ledger) => ledger.pause(run), signal);
    // A job that has ended is not paused, and nobody resumes it.
    if (isPaused === false) return kind.readBack(items, async (updates) => updates.map(() => null));
    throw new RunStopped();
  }

  readonly #read: ReadArticles = async (updates, withPublicVersion = false) => {
    if (updates.length === 0) return [];
    for (;;) {
      const read = await this.#readOnce(updates, withPublicVersion);
      if (read === null) return updates.map(() => null);
      const { result, calls } = read;
      if (result.ok) {
        this.#failingSince = null;
        await this.#waits.end();
        return result.value;
      }
      const { error } = result;
      if (isTooMuch(error)) return this.#readHalves(updates, withPublicVersion);
      if (!(await this.#waitAfter(error))) return updates.map(() => null);
      // What was read is lost, and a small rate limit may never have enough calls for all.
      const isLimited = error.kind === 'rate-limited' && calls > 0 && updates.length > 1;
      if (isLimited) return this.#readHalves(updates, withPublicVersion);
    }
  };

  /** Waits until the same read may succeed; false where it is not going to. */
  async #waitAfter(error: BackendError): Promise<boolean> {
    const next = nextStepAfterRead(error);
    if (next.kind === 'pause') throw new TokenRefused();
    if (next.kind !== 'wait' || (next.wait === 'SERVICE' && this.#hasFailedForLong())) return false;
    await this.#waits.follow(next);
    return true;
  }

  /** Null after a bug, which is logged. */
  async #readOnce(updates: readonly ArticleUpdate[], withPublicVersion: boolean): Promise<CurrentArticles | null> {
    const { context, run, signal, projectVersions } = this.#job;
    if (signal.aborted) throw new RunStopped();
    try {
      const selection = { withPublicVersion, onlyLists: true, projectVersions };
      const summary = new RequestSummary();
      return await readCurrentArticles(context, { caller: jobCaller(this.#job, summary), summary, updates, selection });
    } catch (error) {
      context.log('error', 'articles of a job could not be read back', { requestId: run.jobId, error });
      return null;
    }
  }

  async #readHalves(
    updates: readonly ArticleUpdate[],
    withPublicVersion: boolean,
  ): Promise<readonly (Article | null)[]> {
    if (updates.length === 1) return [null];
    const middle = Math.ceil(updates.length / 2);
    const first = await this.#read(updates.slice(0, middle), withPublicVersion);
    return [...first, ...(await this.#read(updates.slice(middle), withPublicVersion))];
  }

  #hasFailedForLong(): boolean {
    const now = this.#job.context.clock.monotonic();
    this.#failingSince ??= now;
    return now - this.#failingSince >= MAX_SERVICE_WAIT_MS;
  }
}
