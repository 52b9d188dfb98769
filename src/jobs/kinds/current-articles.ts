import { LISTED_WITH_PUBLIC_VERSION, type PreviewSelection } from '../../core/articles/article-previews.ts';
import type { Article } from '../../core/articles/articles.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import { joinLeases, type Lease, openLease } from '../../core/base/lease.ts';
import { MAX_BEFORE_AGE_MS } from '../../core/base/limits.ts';
import type { Result } from '../../core/base/result.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { RequestSummary } from '../../core/callers/request-report.ts';
import type { BackendError } from '../../core/errors.ts';
import type { JobContext } from '../job-context.ts';

/** Articles as one read shows them. */
export interface CurrentArticles {
  /** In the order of the updates; null for an article that is not there. */
  readonly result: Result<readonly (Article | null)[], BackendError>;
  /** The calls that the read has needed; 0 where `summary` was absent. */
  readonly calls: number;
  /** Expires when a write that relies on the read must not begin any more. */
  readonly lease: Lease;
}

interface CurrentRead {
  readonly caller: Caller;
  /** The report of the request of the caller, of which the read is the only one; absent where nobody asks for `calls`. */
  readonly summary?: RequestSummary;
  /** What an update sets is read of its article. */
  readonly updates: readonly ArticleUpdate[];
  readonly selection?: Partial<PreviewSelection>;
}

/**
 * Reads the articles of updates as they are now, with what the updates set and the public version. Snapshots, reverts,
 * read-backs and previews of reverts all read by this function.
 */
export async function readCurrentArticles(
  { backend, clock, settings }: Pick<JobContext, 'backend' | 'clock' | 'settings'>,
  { caller, summary, updates, selection }: CurrentRead,
): Promise<CurrentArticles> {
  const begun = openLease(MAX_BEFORE_AGE_MS, clock);
  // A process that was stopped during a call has read what was there long ago.
  const unstopped =
    settings.callTimeoutMs === 0 ? undefined : openLease(settings.callTimeoutMs + MAX_BEFORE_AGE_MS, clock);
  const result = await backend.articlesOfUpdates(caller, updates, { ...LISTED_WITH_PUBLIC_VERSION, ...selection });
  const calls = summary?.readCalls ?? 0;
  // Of several calls, the first may have ended long before the last.
  const ended = openLease(MAX_BEFORE_AGE_MS, clock);
  const lease = updates.length > 1 && calls !== 1 ? begun : (joinLeases([unstopped, ended]) ?? ended);
  return { result, calls, lease };
}

/** At most so many articles are read one by one, which needs no project versions where their languages are known. */
const MAX_UNLISTED = 2;

/** True where the articles of the updates can't be found without the project versions. */
export const needsProjectVersions = (updates: readonly ArticleUpdate[]): boolean =>
  updates.length > MAX_UNLISTED || updates.some(({ languageCode }) => languageCode == null);
