import { type ArticleOutcome, outcomesForAll } from '../../core/articles/article-outcomes.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import type { Writes } from '../../core/backend.ts';
import { lazily } from '../../core/base/lazily.ts';
import type { Log } from '../../core/base/log.ts';
import { ok, type Result } from '../../core/base/result.ts';
import type { TickQueue } from '../../core/base/tick-queue.ts';
import type { Caller } from '../../core/callers/caller.ts';
import type { BackendError } from '../../core/errors.ts';
import { splitIntoChunks, WRITES } from '../../core/writes/declarations.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { ChunkReads } from '../reads/chunk-reads.ts';
import { RequestCache, type RequestReads } from '../reads/request-cache.ts';
import type { RecentWrites } from '../recent-writes/recent-writes.ts';
import { encodeArticleUpdate } from '../v2/bulk-updates.ts';
import { type ChunkResult, CONTENT_REJECTION_STATUSES, readChunkResponse } from './chunk-results.ts';
import type { ChunkItem, ChunkStep } from './chunk-steps.ts';
import { createHiddenStep, type KnownHidden } from './keep-hidden.ts';
import { sendChunks } from './send-chunks.ts';
import { runLoggedWrite, sendWrite, type WriteResponse } from './write-response.ts';

export interface ArticleWritesOptions {
  readonly upstream: Upstream;
  readonly requestReads: RequestReads;
  /** The most items of one call. */
  readonly bulkSize: number;
  readonly log: Log;
}

interface BulkUpdatesOptions extends ArticleWritesOptions {
  readonly ticks: TickQueue;
  readonly recentWrites: RecentWrites;
  /** What is known of hidden articles; null where an update without `hidden` is sent as it is (`KEEP_HIDDEN`). */
  readonly knownHidden: KnownHidden | null;
}

export function createBulkUpdates({
  bulkSize,
  recentWrites,
  knownHidden,
  ticks,
  ...options
}: BulkUpdatesOptions): Writes['bulkUpdateArticles'] {
  /** What happens to the items of a chunk before its call, in this order. */
  const steps: readonly ChunkStep[] = [
    ...(knownHidden === null ? [] : [createHiddenStep({ known: knownHidden, recentWrites })]),
  ];
  const { staleReads } = WRITES.bulkUpdateArticles;
  const call = { kind: 'write', staleReads, path: ['Articles', 'bulkupdate'] } as const;
  const prepare = async (caller: Caller, chunk: readonly ArticleUpdate[]) => {
    const current = lazily(() => {
      // The reads of a write don't count among those of its request.
      const reader = { ...caller, request: { ...caller.request, kept: { ofBackend: null } } };
      const reads = { ...options, ticks, readCache: null, maxCalls: Number.POSITIVE_INFINITY, recentWrites };
      return new ChunkReads(new RequestCache(reads, reader));
    });
    let items: Result<readonly ChunkItem[], BackendError> = ok(chunk.map((update) => ({ update })));
    for (const step of steps) if (items.ok) items = await step(items.value, { caller, current });
    return items;
  };
  return (caller, updates) =>
    runLoggedWrite('bulkUpdateArticles', { ...options, caller }, (writer) => {
      let items: readonly ChunkItem[] = [];
      return sendChunks<ArticleUpdate, ArticleOutcome, WriteResponse | null>({
        chunks: splitIntoChunks(updates, bulkSize),
        send: async (chunk) => {
          const prepared = await prepare(caller, chunk);
          items = prepared.ok ? prepared.value : chunk.map((update) => ({ update }));
          if (!prepared.ok) return { kind: 'not-sent', error: prepared.error };
          const body = items.flatMap(({ update, unsent }) => (unsent ? [] : encodeArticleUpdate(update)));
          return body.length === 0 ? null : sendWrite(writer, { ...call, body });
        },
        read: async (response, chunk) => {
          const sent = chunk.filter((_update, index) => items[index]?.unsent === undefined);
          const result = readSent(response, sent, caller);
          const written = sent.map((update) => ({ update }));
          recentWrites.note(caller, { items: written, outcomes: result.outcomes, period: writer.lastCall.period });
          knownHidden?.forgetWritten(caller, sent);
          const error = sent.length === chunk.length ? result.error : null;
          return { ...result, outcomes: outcomesOf(items, result.outcomes), error };
        },
        skip: outcomesForAll,
      });
    });
}

const readSent = (response: WriteResponse | null, sent: readonly ArticleUpdate[], { isMerged }: Caller): ChunkResult =>
  response === null
    ? { outcomes: [], laterOutcome: null, error: null }
    : readChunkResponse(isMerged ? asRefusal(response) : response, sent);

/** The outcome of each item of a chunk, by those of the sent ones. */
function outcomesOf(items: readonly ChunkItem[], ofSent: readonly ArticleOutcome[]): readonly ArticleOutcome[] {
  const sent = ofSent.values();
  return items.flatMap(({ update: { articleId }, unsent, isHiddenUnknown }): ArticleOutcome[] => {
    if (unsent) return [{ ...unsent, articleId }];
    const outcome = sent.next().value;
    if (outcome === undefined) return [];
    const mayBeShown = isHiddenUnknown && (outcome.kind === 'updated' || outcome.kind === 'unknown');
    return [mayBeShown ? { ...outcome, isHiddenUnknown } : outcome];
  });
}

/**
 * A proxy or firewall may refuse a merged call because of one caller's content, also by a status of the service. Then
 * the items of each caller are sent again alone.
 */
function asRefusal(response: WriteResponse): WriteResponse {
  const httpStatus = response.kind === 'unknown' ? response.foreignStatus : undefined;
  const isOfContent = httpStatus !== undefined && CONTENT_REJECTION_STATUSES.has(httpStatus);
  return isOfContent ? { kind: 'rejected', httpStatus, envelope: null, retryAfterSeconds: null } : response;
}
