import {
  type ArticleOutcome,
  type CompletedBulkUpdate,
  completedItems,
  outcomesForAll,
} from '../../core/articles/article-outcomes.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';
import type { ArticleUpdateItem } from '../../core/articles/forks.ts';
import { isDistinctive, isOneWord, wordsIn } from '../../core/articles/named-articles.ts';
import type { Writes } from '../../core/backend.ts';
import { lazily } from '../../core/base/lazily.ts';
import { joinLeases } from '../../core/base/lease.ts';
import { MAX_CONCURRENT_RETRIES, MAX_NOTICE_CHARS } from '../../core/base/limits.ts';
import type { Log } from '../../core/base/log.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { idKeyOf } from '../../core/base/text.ts';
import { type Caller, timeLeft } from '../../core/callers/caller.ts';
import { createRequestFacts } from '../../core/callers/request-facts.ts';
import type { RequestEvent } from '../../core/callers/request-report.ts';
import { type BackendError, outOfTime, type Rejection, rejected } from '../../core/errors.ts';
import { HTML_CONTENT_DEPRECATED, NO_NOTICES, type Notice, type ServiceError } from '../../core/notices.ts';
import { mergeTraces } from '../../core/tracing.ts';

type SendBulkUpdate = Writes['bulkUpdateArticles'];

export interface SendBatchOptions {
  readonly send: SendBulkUpdate;
  readonly log: Log;
}

/** Sends the batch as one call and settles all its requests. The promise itself never rejects. */
export async function sendBatch(options: SendBatchOptions, batch: readonly BulkUpdateRequest[]): Promise<void> {
  const { send, log } = options;
  const [first, ...others] = batch;
  if (first === undefined) return;
  if (others.length === 0) return settleWith(first, send(first.caller, first.updates));
  const updates = batch.flatMap((request) => request.updates);
  const caller = mergedCaller(first.caller, batch);
  try {
    const result = await send(caller, updates);
    if (!result.ok && result.error.kind === 'unavailable' && caller.lease?.isExpired()) {
      // Nothing was sent. The requests whose lease has not expired go once more, without the others.
      const { late = [], others = [] } = Object.groupBy(batch, (request) => (isExpired(request) ? 'late' : 'others'));
      for (const { resolve } of late) resolve(result);
      return await sendBatch(options, others);
    }
    const applied = result.ok ? null : appliedAfterRefusal(result.error);
    if (applied === null) {
      const { results, withheld } = splitResult(batch, result);
      // The number only, because the texts may quote content.
      if (withheld > 0) log('info', 'notices of a merged call withheld', { requestId: caller.request.id, withheld });
      for (const [index, callerResult] of results.entries()) batch[index]?.resolve(callerResult);
      return;
    }
    await retryEach(send, batch, applied);
  } catch (thrown) {
    for (const { reject } of batch) reject(thrown);
  }
}

const isExpired = ({ caller }: BulkUpdateRequest): boolean => caller.lease?.isExpired() === true;

/**
 * Retries the requests in their order and before any pending request, so that no update overtakes an earlier one of the
 * same article. They can run concurrently, because an article occurs only once in a batch.
 */
async function retryEach(
  send: SendBulkUpdate,
  batch: readonly BulkUpdateRequest[],
  applied: AppliedItems,
): Promise<void> {
  const remaining = batch.values();
  const retryNext = async () => {
    for (const request of remaining) await settleWith(request, retryAlone(send, request, applied));
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_RETRIES }, retryNext));
}

/** An exception is a bug: it rejects the promise of this request, and the queue goes on. */
const settleWith = ({ resolve, reject }: BulkUpdateRequest, result: ReturnType<SendBulkUpdate>): Promise<void> =>
  result.then(resolve, reject);

/**
 * The call has the earliest deadline of its callers, so that none of them waits past their own. `nextBatch` bounds
 * the time that the others lose by this.
 */
function mergedCaller(
  { apiToken, sentToken, address, requestTimeoutMs }: Caller,
  batch: readonly BulkUpdateRequest[],
): Caller {
  const callers = batch.map(({ caller }) => caller);
  // What the call costs counts for each request at once: a client may leave before the call ends.
  const add = (event: RequestEvent) => {
    for (const { request } of callers) request.report.add(event);
  };
  const isEnded = () => callers.some((caller) => caller.request.isEnded());
  const request = createRequestFacts({ report: { add }, isEnded });
  add({ kind: 'merged-call', id: request.id });
  return {
    apiToken,
    sentToken,
    address,
    request,
    trace: mergeTraces(callers.map((caller) => caller.trace)),
    isMerged: true,
    deadline: Math.min(...callers.map((caller) => caller.deadline)),
    requestTimeoutMs,
    lease: joinLeases(callers.map((caller) => caller.lease)),
  };
}

/** The items of a refused merged call that may have been applied. */
type AppliedItems = 'nothing' | 'maybe-some';

/** Statuses that the items of a single caller may cause, so that each request is sent again alone. */
const APPLIED_BY_STATUS: ReadonlyMap<number | null, AppliedItems> = new Map([
  [400, 'maybe-some'],
  [403, 'nothing'],
  [409, 'maybe-some'],
  [413, 'nothing'],
  [422, 'maybe-some'],
]);

/** Null when the error concerns the whole call, so that nothing is sent again. */
const appliedAfterRefusal = (error: BackendError): AppliedItems | null =>
  APPLIED_BY_STATUS.get(upstreamStatusOf(error)) ?? null;

function upstreamStatusOf(error: BackendError): number | null {
  if (error.kind === 'rejected') return error.httpStatus;
  if (error.kind === 'validation') return 400;
  if (error.kind === 'unavailable') return error.foreignStatus ?? null;
  return error.kind === 'forbidden' ? 403 : null;
}

/**
 * Sends a request of a refused merged call again, alone. It is not sent when it would have to wait for the rate limit.
 */
async function retryAlone(
  send: SendBulkUpdate,
  { caller, updates }: BulkUpdateRequest,
  applied: AppliedItems,
): Promise<Result<CompletedBulkUpdate, BackendError>> {
  const result =
    timeLeft(caller) > 0
      ? await send({ ...caller, doesNotWait: true }, updates)
      : err(outOfTime(caller.requestTimeoutMs));
  if (applied === 'maybe-some') return ok(markUnconfirmedAsUnknown(updates, result));
  const isAnswered = result.ok || result.error.kind !== 'unavailable' || result.error.foreignStatus !== undefined;
  if (isAnswered) return result;
  const details = NOT_SENT_ALONE + result.error.message;
  const outcome = { kind: 'not-attempted', details, reason: 'REJECTED', retryAfterSeconds: null } as const;
  return ok(completedItems(outcomesForAll(updates, outcome)));
}

const NOT_SENT_ALONE =
  'The service refused one call with this and the updates of others, and nothing of it was applied. ' +
  'Alone this was not sent. ';

const MAYBE_APPLIED =
  'The outcome is unknown: the service refused one call with this and the updates of others and may have applied ' +
  'a part of it, and alone this was refused or not sent. ';

/** Only a confirmed update is certain: an item may fail now because the first call has applied it. */
function markUnconfirmedAsUnknown(
  updates: readonly ArticleUpdate[],
  result: Result<CompletedBulkUpdate, BackendError>,
): CompletedBulkUpdate {
  if (result.ok) return { ...result.value, outcomes: result.value.outcomes.map(markUnlessUpdated) };
  const { serviceErrors, warnings, information, message } = { ...NO_NOTICES, ...result.error };
  const outcomes = outcomesForAll(updates, { kind: 'unknown', details: MAYBE_APPLIED + message });
  return { outcomes, serviceErrors, warnings, information, extensionData: null };
}

const markUnlessUpdated = (outcome: ArticleOutcome): ArticleOutcome =>
  outcome.kind === 'updated' || outcome.kind === 'unknown'
    ? outcome
    : { kind: 'unknown', articleId: outcome.articleId, details: MAYBE_APPLIED + (outcome.details ?? '') };

type BulkUpdateResult = Result<CompletedBulkUpdate, BackendError>;

/** The result of a merged call, divided among its requests. */
interface SplitResult {
  /** In the order of the batch: the outcomes of the request's own items, and the notices about them. */
  readonly results: readonly BulkUpdateResult[];
  /** The number of notices that no caller receives, because they cannot be attributed. */
  readonly withheld: number;
}

/** @internal Exported for tests. */
export function splitResult(batch: readonly BulkUpdateRequest[], result: BulkUpdateResult): SplitResult {
  const messages: ServiceMessages = { ...NO_NOTICES, ...(result.ok ? result.value : result.error) };
  const recipientsOf = createAttribution(batch);
  const serviceErrors = route(messages.serviceErrors, recipientsOf);
  const warnings = route(messages.warnings, recipientsOf);
  const information = route(messages.information, recipientsOf);
  const messagesFor = (request: BulkUpdateRequest): ServiceMessages => ({
    serviceErrors: serviceErrors.received.get(request) ?? [],
    warnings: warnings.received.get(request) ?? [],
    information: information.received.get(request) ?? [],
  });
  const withheld = serviceErrors.withheld + warnings.withheld + information.withheld;
  if (result.ok) return { results: splitSuccess(batch, result.value, messagesFor), withheld };
  return { results: batch.map(messagesFor).map(errorWithMessages(result.error)), withheld };
}

type ServiceMessages = Pick<Rejection, 'serviceErrors' | 'warnings' | 'information'>;

function splitSuccess(
  batch: readonly BulkUpdateRequest[],
  { outcomes }: CompletedBulkUpdate,
  messagesFor: (request: BulkUpdateRequest) => ServiceMessages,
): readonly BulkUpdateResult[] {
  let end = 0;
  return batch.map((request) => {
    const start = end;
    end += request.updates.length;
    // The extension data cannot be attributed to a request.
    return ok({ outcomes: outcomes.slice(start, end), ...messagesFor(request), extensionData: null });
  });
}

/** Keeps a message of the gateway. One made of the service's texts is made again of the routed ones. */
function errorWithMessages(error: BackendError): (messages: ServiceMessages) => BulkUpdateResult {
  if (error.kind !== 'rejected') return ({ serviceErrors }) => err({ ...error, serviceErrors });
  const { message, ...rejection } = error;
  const gatewayMessage = message === rejected(rejection).message ? {} : { message };
  return (messages) => err({ ...rejected({ ...rejection, ...messages }), ...gatewayMessage });
}

type RecipientsOf = (notice: Notice | ServiceError) => readonly BulkUpdateRequest[];

/** The notices of each request, and the number of those that no caller receives. */
function route<T extends Notice | ServiceError>(notices: readonly T[], recipientsOf: RecipientsOf) {
  const received = new Map<BulkUpdateRequest, T[]>();
  let withheld = 0;
  for (const notice of notices) {
    const recipients = recipientsOf(notice);
    if (recipients.length === 0) withheld += 1;
    for (const recipient of recipients) {
      const notices = received.get(recipient) ?? [];
      notices.push(notice);
      received.set(recipient, notices);
    }
  }
  return { received, withheld };
}

/** UTF-16 code units that are searched per result. Notices beyond them are withheld. */
const MAX_SEARCHED_CHARS = 200_000;

/**
 * Attributes the notices of a merged call to its requests. A notice goes to the only caller whose article it names. One
 * that names articles of several callers, or none, is withheld, because it may quote any caller's items. The notice that
 * the field `html_content` is deprecated goes to the callers that sent the field.
 */
function createAttribution(batch: readonly BulkUpdateRequest[]): RecipientsOf {
  let charsLeft = MAX_SEARCHED_CHARS;
  const sendersOfBatch = lazily(() => sendersOf(batch));
  return (notice) => {
    const text = textOf(notice);
    charsLeft -= Math.min(text.length, MAX_NOTICE_CHARS);
    if (text.length > MAX_NOTICE_CHARS || charsLeft < 0) return [];
    if (text === HTML_DEPRECATION)
      return batch.filter(({ updates }) => updates.some(({ htmlContent }) => htmlContent != null));
    const { byArticleId, hasAmbiguousIds } = sendersOfBatch();
    const namedIds = hasAmbiguousIds ? [] : wordsIn(text).filter((word) => byArticleId.has(word));
    const recipients = new Set(namedIds.flatMap((articleId) => byArticleId.get(articleId) ?? []));
    return recipients.size === 1 && namedIds.some(isDistinctive) ? [...recipients] : [];
  };
}

/** All of a notice but its code, as JSON. The data counts too, because it may name articles. */
const textOf = (notice: Notice | ServiceError): string =>
  JSON.stringify([notice.description, notice.extensionData, 'customData' in notice ? notice.customData : null]);

const HTML_DEPRECATION = textOf(HTML_CONTENT_DEPRECATED);

/** The requests of a merged call, by what a notice can name. */
interface Senders {
  /** Keyed by lower-case ID, because the service may write IDs in another case than they were sent in. */
  readonly byArticleId: ReadonlyMap<string, BulkUpdateRequest>;
  /** True when an ID consists of several words, so that a word of it in a notice proves nothing. */
  readonly hasAmbiguousIds: boolean;
}

function sendersOf(batch: readonly BulkUpdateRequest[]): Senders {
  const byArticleId = new Map<string, BulkUpdateRequest>();
  for (const request of batch)
    for (const { articleId } of request.updates) if (articleId !== '') byArticleId.set(idKeyOf(articleId), request);
  return { byArticleId, hasAmbiguousIds: !byArticleId.keys().every(isOneWord) };
}

/** One caller's bulk update, and the functions that settle its promise. */
export interface BulkUpdateRequest {
  readonly caller: Caller;
  readonly updates: readonly ArticleUpdateItem[];
  /** The IDs in lower case, since it is unknown whether the service treats them as case-sensitive. */
  readonly articleIds: readonly string[];
  resolve(result: Result<CompletedBulkUpdate, BackendError>): void;
  reject(thrown: unknown): void;
}

/** The bounds of a merged call. A single request may exceed them: it is sent alone and unchanged. */
export interface BatchLimits {
  /** The most items, at most what the backend sends or writes at once (`UPSTREAM_BULK_SIZE`). */
  readonly maxItems: number;
  /**
   * UTF-16 code units of all texts. JSON writes a code unit in at most 6 bytes, so the default keeps the texts of a body
   * below 6 MB. Merging saves calls for small requests; large ones gain nothing.
   */
  readonly maxChars: number;
}

/** True for a request that fills a call by itself, or needs steps of its own before its call, so that it is never merged. */
export const isLarge = ({ updates }: BulkUpdateRequest, { maxItems }: BatchLimits): boolean =>
  updates.length >= maxItems ||
  updates.some(({ ifPublished, ifRevision }) => (ifPublished ?? ifRevision) !== undefined);

export const updatesAnyOf = ({ articleIds }: BulkUpdateRequest, articles: ReadonlySet<string>): boolean =>
  articles.size > 0 && articleIds.some((articleId) => articles.has(articleId));

/** Requests that are sent as one call. */
interface Batch {
  readonly requests: readonly BulkUpdateRequest[];
  /** True when there is no room for the next request. */
  readonly isFull: boolean;
}

/**
 * Takes the longest run of requests from the front of the queue that fit into one call and update no article of an
 * in-flight call. No request is skipped, so that the queue is fair and no update overtakes an earlier one of the same
 * article. The run is empty when the first request is large or has to wait for an in-flight call.
 */
export function nextBatch(
  queue: readonly BulkUpdateRequest[],
  limits: BatchLimits,
  inFlight: ReadonlySet<string>,
): Batch {
  const [first] = queue;
  if (!first || isLarge(first, limits) || updatesAnyOf(first, inFlight)) return { requests: [], isFull: false };
  if (queue.length === 1) return { requests: [first], isFull: false };
  const fits = createFit(limits, inFlight);
  const end = queue.findIndex((request) => !fits(request));
  // A request that exceeds a limit by itself is sent alone.
  const requests = end === -1 ? queue.slice() : queue.slice(0, Math.max(end, 1));
  const items = requests.reduce((sum, { updates }) => sum + updates.length, 0);
  const nextItems = queue[requests.length]?.updates.length ?? 0;
  return { requests, isFull: items === limits.maxItems || items + nextItems > limits.maxItems };
}

/** Returns a function that reports for one request after another whether it fits into one call with the earlier ones. */
function createFit({ maxItems, maxChars }: BatchLimits, inFlight: ReadonlySet<string>) {
  const now = performance.now();
  const batchIds = new Set<string>();
  let [items, chars] = [0, 0];
  /** Milliseconds until the earliest and until the latest deadline. */
  let [minTimeLeft, maxTimeLeft] = [Number.POSITIVE_INFINITY, 0];
  return ({ caller, updates, articleIds }: BulkUpdateRequest): boolean => {
    items += updates.length;
    const timeLeft = Math.max(0, caller.deadline - now);
    minTimeLeft = Math.min(minTimeLeft, timeLeft);
    maxTimeLeft = Math.max(maxTimeLeft, timeLeft);
    // A merged call ends by its earliest deadline: a caller with twice that time would gain by waiting for the next call.
    if (items > maxItems || maxTimeLeft > 2 * minTimeLeft) return false;
    chars += charsOf(updates);
    if (chars > maxChars) return false;
    return articleIds.every((articleId) => !inFlight.has(articleId) && batchIds.size < batchIds.add(articleId).size);
  };
}

function charsOf(updates: readonly ArticleUpdate[]): number {
  let chars = 0;
  for (const update of updates)
    for (const value of Object.values(update)) if (typeof value === 'string') chars += value.length;
  return chars;
}
