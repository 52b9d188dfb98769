import { type ArticleOutcome, outcomesForAll } from '../../core/articles/article-outcomes.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import { type ArticleUpdateItem, ruleOf, withDraft } from '../../core/articles/forks.ts';
import type { Backend, BackendResult } from '../../core/backend.ts';
import type { Log } from '../../core/base/log.ts';
import { ok } from '../../core/base/result.ts';
import type { Caller } from '../../core/callers/caller.ts';
import { splitIntoChunks, WRITES } from '../../core/writes/declarations.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { ChunkReads } from '../reads/chunk-reads.ts';
import { RequestCache } from '../reads/request-cache.ts';
import type { RecentWrites } from '../recent-writes/recent-writes.ts';
import { encodeArticleUpdate } from '../v2/bulk-updates.ts';
import type { ChunkItem, ChunkStep, PreparedChunk } from './chunk-steps.ts';
import { RevisionSteps } from './expected-revisions.ts';
import { type ForkOptions, Forks } from './forks.ts';
import { sendWhileFresh, unsentError } from './fresh-reads.ts';
import { createHiddenStep, type KnownHidden } from './keep-hidden.ts';
import { createPublishedStep } from './published-versions.ts';
import { type ChunkResult, CONTENT_REJECTION_STATUSES, readChunkResponse, sendChunks } from './send-chunks.ts';
import { runLoggedWrite, sendWrite, type WriteCaller, type WriteResponse } from './write-response.ts';

export interface ArticleWritesOptions {
  readonly upstream: Upstream;
  /** The most items of one call. */
  readonly bulkSize: number;
  readonly log: Log;
}

interface BulkUpdatesOptions
  extends ArticleWritesOptions,
    Pick<ForkOptions, 'requestReads' | 'ticks' | 'maxCalls' | 'lookPausesMs'> {
  readonly recentWrites: RecentWrites;
  /** What is known of hidden articles; null where an update without `hidden` is sent as it is (`KEEP_HIDDEN`). */
  readonly knownHidden: KnownHidden | null;
}

type BulkUpdates = Pick<Backend, 'bulkUpdateArticles' | 'forkArticles' | 'lookForForks'>;

/** The bulk update, and the forks that it makes of published versions. */
export function createBulkUpdates(options: BulkUpdatesOptions): BulkUpdates {
  const { knownHidden } = options;
  const forks = new Forks(options);
  const readAnew = createChunkReads(options);
  const bulkUpdateArticles: Backend['bulkUpdateArticles'] = (caller, updates) =>
    runLoggedWrite('bulkUpdateArticles', { ...options, caller }, (writer) =>
      updates.some((update) => needsSteps(update, knownHidden !== null))
        ? sendPrepared({ ...options, forks, readAnew }, writer, updates)
        : sendPlain(options, writer, updates),
    );
  return { bulkUpdateArticles, forkArticles: forks.forkArticles, lookForForks: forks.lookForForks };
}

const CALL = {
  kind: 'write',
  staleReads: WRITES.bulkUpdateArticles.staleReads,
  path: ['Articles', 'bulkupdate'],
} as const;

/** True for an update that a step may concern before its call. */
const needsSteps = ({ hidden, ifRevision, ifPublished }: ArticleUpdateItem, keepsHidden: boolean): boolean =>
  ifRevision !== undefined || ifPublished !== undefined || (keepsHidden && hidden === undefined);

type SentWrites = Pick<BulkUpdatesOptions, 'bulkSize' | 'recentWrites' | 'knownHidden'>;

/** Sends updates that no step concerns. */
const sendPlain = (options: SentWrites, writer: WriteCaller, updates: readonly ArticleUpdate[]) =>
  sendChunks<ArticleUpdate, ArticleOutcome>({
    chunks: splitIntoChunks(updates, options.bulkSize),
    send: (chunk) => sendWrite(writer, { ...CALL, body: chunk.map(encodeArticleUpdate) }),
    read: async (response, chunk) => readSent(options, writer, { response, sent: chunk }),
    skip: outcomesForAll,
  });

/** Reads the outcomes of the items of a call, and keeps what it has written. */
function readSent(
  { recentWrites, knownHidden }: SentWrites,
  { caller, lastCall: { period } }: WriteCaller,
  { response, sent }: { readonly response: WriteResponse; readonly sent: readonly ArticleUpdate[] },
): ChunkResult {
  const result = readChunkResponse(caller.isMerged ? asRefusal(response) : response, sent);
  recentWrites.note(caller, { items: sent, outcomes: result.outcomes, period });
  knownHidden?.forgetWritten(caller, sent);
  return result;
}

interface PreparedWrites extends SentWrites {
  readonly upstream: Upstream;
  readonly forks: Forks;
  readonly readAnew: ReturnType<typeof createChunkReads>;
}

/** Has the steps prepare each chunk, and sends what they leave of it. */
function sendPrepared(options: PreparedWrites, writer: WriteCaller, updates: readonly ArticleUpdateItem[]) {
  const { bulkSize, readAnew, upstream } = options;
  const { caller } = writer;
  const revisions = updates.some(({ ifRevision }) => ifRevision !== undefined)
    ? new RevisionSteps({ upstream, updates, readAnew })
    : null;
  const steps = stepsFor(options, writer, { updates, revisions });
  let prepared = unprepared(caller, []);
  const prepareAndSend = async (chunk: readonly ArticleUpdateItem[]): Promise<WriteResponse | null> => {
    const result = await prepare(steps, unprepared(caller, chunk), readAnew);
    prepared = result.ok ? result.value : unprepared(caller, chunk);
    if (!result.ok) return { kind: 'not-sent', error: result.error };
    const body = prepared.items.filter(isSent).map(({ update }) => encodeArticleUpdate(update));
    const response = body.length === 0 ? null : sendWrite({ ...writer, caller: prepared.caller }, { ...CALL, body });
    return Promise.resolve(response).finally(() => releaseReserved(prepared, caller));
  };
  return sendChunks<ArticleUpdateItem, ArticleOutcome, WriteResponse | null>({
    chunks: splitIntoChunks(updates, bulkSize),
    send: (chunk) => sendWhileFresh(caller, { readAndSend: () => prepareAndSend(chunk), errorOf: unsentError }),
    read: async (response, chunk) => {
      if (unsentError(response) === null) revisions?.noteSent(prepared.items);
      const sent = sentUpdates(prepared, chunk);
      return joinOutcomes(prepared, response === null ? NOTHING_SENT : readSent(options, writer, { response, sent }));
    },
    skip: outcomesForAll,
  });
}

const isSent = ({ unsent }: ChunkItem): boolean => unsent === undefined;

/** The updates of a chunk that were sent, as they were asked for: what the steps have added is no change. */
function sentUpdates({ items }: PreparedChunk, chunk: readonly ArticleUpdateItem[]): readonly ArticleUpdateItem[] {
  const sent: ArticleUpdateItem[] = [];
  for (const [index, { unsent, draftVersionNumber, update }] of items.entries()) {
    if (unsent) continue;
    const asked = chunk[index] ?? update;
    const { languageCode, versionNumber } = update;
    sent.push(draftVersionNumber === undefined ? asked : { ...asked, languageCode, versionNumber });
  }
  return sent;
}

const NOTHING_SENT: ChunkResult = { outcomes: [], laterOutcome: null, error: null };

/** What happens to the items of a chunk before its call, in this order. */
function stepsFor(
  { upstream, forks, knownHidden }: PreparedWrites,
  writer: WriteCaller,
  { updates, revisions }: { readonly updates: readonly ArticleUpdateItem[]; readonly revisions: RevisionSteps | null },
): readonly ChunkStep[] {
  return [
    ...(revisions === null ? [] : [revisions.first]),
    ...(knownHidden === null ? [] : [createHiddenStep(knownHidden)]),
    ...(updates.some(ruleOf) ? [createPublishedStep({ upstream, forks, writer, revisions })] : []),
    ...(revisions === null ? [] : [revisions.last]),
  ];
}

const unprepared = (caller: Caller, chunk: readonly ArticleUpdateItem[]): PreparedChunk => ({
  items: chunk.map((update) => ({ update })),
  caller,
  laterOutcome: null,
});

/** Gives back the calls that a step has reserved for the call of the chunk, and that were not taken. */
function releaseReserved(prepared: PreparedChunk, caller: Caller): void {
  if (prepared.caller.reserved !== caller.reserved) prepared.caller.reserved?.release();
}

const createChunkReads =
  (options: Pick<BulkUpdatesOptions, 'upstream' | 'requestReads' | 'ticks' | 'recentWrites'>) => (caller: Caller) => {
    // The reads of a write don't count among those of its request.
    const reader = { ...caller, request: { ...caller.request, kept: { ofBackend: null } } };
    const reads = { ...options, readCache: null, maxCalls: Number.POSITIVE_INFINITY };
    return new ChunkReads(new RequestCache(reads, reader));
  };

async function prepare(
  steps: readonly ChunkStep[],
  chunk: PreparedChunk,
  readAnew: PreparedWrites['readAnew'],
): BackendResult<PreparedChunk> {
  const { caller } = chunk;
  let reader: ChunkReads | null = null;
  const current = (readingCaller = caller) => {
    reader ??= readAnew(readingCaller);
    return reader;
  };
  let prepared = chunk;
  for (const step of steps) {
    const result = await step(prepared, current);
    if (!result.ok) {
      releaseReserved(prepared, caller);
      return result;
    }
    prepared = result.value;
  }
  return ok(prepared);
}

/** The outcome of each item of a chunk, by those of the sent ones. An error of the call is one of the write where all were sent. */
function joinOutcomes({ items, laterOutcome }: PreparedChunk, result: ChunkResult): ChunkResult {
  const sent = result.outcomes.values();
  const outcomes: ArticleOutcome[] = [];
  let isWhole = true;
  for (const item of items) {
    const { articleId } = item.update;
    const outcome = item.unsent ? { ...item.unsent, articleId } : sent.next().value;
    if (outcome !== undefined) outcomes.push(completeOutcome(item, outcome));
    isWhole &&= item.unsent === undefined && item.draftVersionNumber === undefined;
  }
  return { outcomes, laterOutcome: result.laterOutcome ?? laterOutcome, error: isWhole ? result.error : null };
}

/** Says of an outcome what the steps have made of the item. */
function completeOutcome({ isHiddenUnknown, draftVersionNumber }: ChunkItem, outcome: ArticleOutcome): ArticleOutcome {
  const ofDraft = draftVersionNumber === undefined ? outcome : withDraft(outcome, draftVersionNumber);
  if (!isHiddenUnknown || (ofDraft.kind !== 'updated' && ofDraft.kind !== 'unknown')) return ofDraft;
  const details = ofDraft.details === null ? HIDDEN_UNKNOWN : `${ofDraft.details} ${HIDDEN_UNKNOWN}`;
  return { ...ofDraft, details, isHiddenUnknown };
}

const HIDDEN_UNKNOWN = 'Sent without hidden, though the API token may not read whether the article is hidden.';

/**
 * A proxy or firewall may refuse a merged call because of one caller's content, also by a status of the service. Then
 * the items of each caller are sent again alone.
 */
function asRefusal(response: WriteResponse): WriteResponse {
  const httpStatus = response.kind === 'unknown' ? response.foreignStatus : undefined;
  const isOfContent = httpStatus !== undefined && CONTENT_REJECTION_STATUSES.has(httpStatus);
  return isOfContent ? { kind: 'rejected', httpStatus, envelope: null, retryAfterSeconds: null } : response;
}
