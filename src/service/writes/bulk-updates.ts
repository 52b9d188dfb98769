import { type ArticleOutcome, outcomesForAll } from '../../core/articles/article-outcomes.ts';
import { type ArticleUpdateItem, withDraft } from '../../core/articles/forks.ts';
import type { Backend, BackendResult } from '../../core/backend.ts';
import type { Log } from '../../core/base/log.ts';
import { mapOk } from '../../core/base/result.ts';
import { type Chunk, splitIntoChunks, WRITES } from '../../core/writes/declarations.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import type { RequestCacheOptions, RequestReads } from '../reads/request-cache.ts';
import type { RecentWrites } from '../recent-writes/recent-writes.ts';
import { encodeArticleUpdate } from '../v2/bulk-updates.ts';
import { type ChunkResult, CONTENT_REJECTION_STATUSES, readChunkResponse } from './chunk-results.ts';
import { type ChunkStep, type PreparedChunk, prepareChunk } from './chunk-steps.ts';
import { type ForkOptions, Forks } from './forks.ts';
import { createPublishedStep } from './published-versions.ts';
import { type AnsweredChunk, sendChunks } from './send-chunks.ts';
import { runLoggedWrite, sendWrite, type WriteCaller, type WriteResponse } from './write-response.ts';

export interface ArticleWritesOptions {
  readonly upstream: Upstream;
  readonly requestReads: RequestReads;
  /** The most items of one call. */
  readonly bulkSize: number;
  readonly log: Log;
}

interface BulkUpdatesOptions
  extends ArticleWritesOptions,
    Pick<RequestCacheOptions, 'maxCalls' | 'ticks'>,
    Pick<ForkOptions, 'lookPausesMs'> {
  readonly recentWrites: RecentWrites;
}

/** The bulk update, and the forks that it makes of published versions. */
export function createBulkUpdates({
  bulkSize,
  ...given
}: BulkUpdatesOptions): Pick<Backend, 'bulkUpdateArticles' | 'forkArticles' | 'lookForForks'> {
  const forks = new Forks(given);
  const options = { ...given, forks };
  const { recentWrites } = options;
  return {
    bulkUpdateArticles: (caller, updates) =>
      runLoggedWrite('bulkUpdateArticles', { ...options, caller }, async (writer) => {
        const steps = await stepsOf(options, writer, updates);
        if (!steps.ok) return steps;
        return sendChunks({
          chunks: splitIntoChunks(updates, bulkSize),
          send: (chunk) => sendChunk({ writer, steps: steps.value, recentWrites }, chunk),
          skip: outcomesForAll,
        });
      }),
    forkArticles: forks.forkArticles,
    lookForForks: forks.lookForForks,
  };
}

/** The steps that each chunk of the request passes before its call, in their order. Most requests have none. */
async function stepsOf(
  options: Parameters<typeof createPublishedStep>[0],
  writer: WriteCaller,
  updates: readonly ArticleUpdateItem[],
): BackendResult<readonly ChunkStep[]> {
  const published = await createPublishedStep(options, writer, updates);
  return mapOk(published, (step) => (step === null ? [] : [step]));
}

interface Sending extends Pick<BulkUpdatesOptions, 'recentWrites'> {
  readonly writer: WriteCaller;
  readonly steps: readonly ChunkStep[];
}

async function sendChunk(
  { writer, steps, recentWrites }: Sending,
  chunk: Chunk<ArticleUpdateItem>,
): Promise<AnsweredChunk<ArticleOutcome>> {
  const prepared = await prepareChunk(steps, chunk, writer.caller);
  try {
    const items = prepared.items.filter(({ ended }) => ended === undefined);
    const sent = items.map(({ update }) => update);
    if (sent.length === 0) return { response: null, result: joinOutcomes(prepared, NOTHING_SENT) };
    const { staleReads } = WRITES.bulkUpdateArticles;
    const call = { kind: 'write', staleReads, path: ['Articles', 'bulkupdate'] } as const;
    const body = sent.map(encodeArticleUpdate);
    const response = await sendWrite({ ...writer, caller: prepared.caller }, { ...call, body });
    const result = readChunkResponse(writer.caller.isMerged ? asRefusal(response) : response, sent);
    const { outcomes } = result;
    recentWrites.note(writer.caller, { items, outcomes, period: writer.lastCall.period });
    return { response, result: joinOutcomes(prepared, result) };
  } finally {
    if (prepared.caller !== writer.caller) prepared.caller.reserved?.release();
  }
}

const NOTHING_SENT: ChunkResult = { outcomes: [], laterOutcome: null, error: null };

/** The outcomes of all items: of those that have ended before the call, and of those that were sent. */
function joinOutcomes({ items, laterOutcome }: PreparedChunk, result: ChunkResult): ChunkResult {
  if (laterOutcome === null && items.every((item) => item.ended === undefined && item.draftVersionNumber === undefined))
    return result;
  const sent = result.outcomes.values();
  const outcomes = items.flatMap(({ ended, draftVersionNumber }): readonly ArticleOutcome[] => {
    const outcome = ended ?? sent.next().value;
    if (outcome === undefined) return [];
    return [draftVersionNumber === undefined ? outcome : withDraft(outcome, draftVersionNumber)];
  });
  // An item has an outcome of its own already, so the write does not fail as a whole.
  return { outcomes, laterOutcome: result.laterOutcome ?? laterOutcome, error: null };
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
