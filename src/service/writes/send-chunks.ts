import {
  type ArticleOutcome,
  type CompletedItems,
  type NotAttempted,
  notAttemptedAfter,
  outcomesForAll,
  STOPPED_AFTER_UNKNOWN,
  type UnsuccessfulOutcome,
} from '../../core/articles/article-outcomes.ts';
import type { BackendResult } from '../../core/backend.ts';
import { isObject } from '../../core/base/json.ts';
import { MAX_ADDED_NOTICE_CHARACTERS } from '../../core/base/limits.ts';
import { err, ok } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import type { Notice, Notices, ServiceError } from '../../core/notices.ts';
import type { Chunk, SentItem } from '../../core/writes/declarations.ts';
import { decodeOutcomes } from '../v2/bulk-updates.ts';
import { type Envelope, reportsSuccess } from '../v2/envelope.ts';
import { decodeError } from '../v2/errors.ts';
import type { RejectedResponse, WriteResponse } from './write-response.ts';

interface SendChunksOptions<Item, Outcome, Response> {
  /** The chunks, each of which is sent as one call, in their order. */
  readonly chunks: readonly (readonly Item[])[];
  /** Sends a chunk. The response may be null where no item of it was sent. */
  readonly send: (chunk: readonly Item[]) => Promise<Response>;
  readonly read: (response: Response, chunk: readonly Item[]) => Promise<ChunkResult<Outcome>>;
  /** The outcomes of the items of a chunk that is not sent. */
  readonly skip: (chunk: readonly Item[], outcome: NotAttempted) => readonly Outcome[];
}

/** Sends the chunks one after another until the outcome of one forbids the next, and joins the notices of all responses. */
export async function sendChunks<Item, Outcome, Response extends WriteResponse | null = WriteResponse>({
  chunks,
  send,
  read,
  skip,
}: SendChunksOptions<Item, Outcome, Response>): BackendResult<CompletedItems<Outcome>> {
  const [warnings, information] = [new JoinedNotices<Notice>(), new JoinedNotices<Notice>()];
  const serviceErrors = new JoinedNotices<ServiceError>();
  let extensionData: Notices['extensionData'] = null;
  const outcomes: Outcome[] = [];
  let laterOutcome: NotAttempted | null = null;
  for (const [index, chunk] of chunks.entries()) {
    if (laterOutcome !== null) {
      outcomes.push(...skip(chunk, laterOutcome));
      continue;
    }
    const response = await send(chunk);
    const result = await read(response, chunk);
    if (index === 0 && result.error !== null) return err(result.error);
    outcomes.push(...result.outcomes);
    const envelope = response && 'envelope' in response ? response.envelope : null;
    warnings.add(envelope?.warnings);
    information.add(envelope?.information);
    serviceErrors.add(response?.kind === 'unknown' ? response.serviceErrors : envelope?.errors);
    extensionData = chunks.length === 1 && envelope !== null ? envelope.extensionData : null;
    laterOutcome = result.laterOutcome;
  }
  return ok({
    outcomes,
    serviceErrors: serviceErrors.all,
    warnings: warnings.all,
    information: information.all,
    extensionData,
  });
}

/**
 * The notices of the responses to all chunks. Each chunk may repeat them, and a bulk update may have two hundred chunks
 * with responses of 10 MB, so later chunks add only new notices, up to a limit.
 */
class JoinedNotices<T extends object> {
  all: T[] = [];
  /** The keys of all notices; null while these are of one chunk. */
  #knownKeys: Set<string> | null = null;
  #remainingCharacters = MAX_ADDED_NOTICE_CHARACTERS;

  /** Adds all notices of the first chunk that has some, and new ones of later chunks. */
  add(notices: readonly T[] = []): void {
    if (notices.length === 0) return;
    if (this.all.length === 0) this.all = [...notices];
    else this.#addNew(notices);
  }

  #addNew(notices: readonly T[]): void {
    const known = this.#knownKeys ?? new Set(this.all.map((notice) => JSON.stringify(notice)));
    this.#knownKeys = known;
    for (const notice of notices) {
      const key = JSON.stringify(notice);
      if (known.has(key) || key.length > this.#remainingCharacters) continue;
      known.add(key);
      this.all.push(notice);
      this.#remainingCharacters -= key.length;
    }
  }
}

/** The statuses that reject the token, the permission or the rate, so that any other call would be rejected as well. */
const ACCESS_REJECTION_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** The statuses that reject the content. The service may check items one by one, so some may have been applied before. */
export const CONTENT_REJECTION_STATUSES: ReadonlySet<number> = new Set([400, 409, 422]);

const PARTLY_APPLIED_PREFIX =
  'The outcome is unknown: the service refused the call that this item was sent in with others, and may have applied a ' +
  'part of it. ';

/** Defines the outcomes of the items of a write. */
export interface ItemOutcomes<Item, Outcome> {
  /** Decodes the entries of an answer, of which some may be missing. */
  readonly decode: (entries: readonly unknown[], chunk: readonly Item[]) => readonly Outcome[];
  readonly forAll: (chunk: readonly Item[], outcome: UnsuccessfulOutcome) => readonly Outcome[];
}

const UPDATES: ItemOutcomes<SentItem, ArticleOutcome> = { decode: decodeOutcomes, forAll: outcomesForAll };

/** The outcomes and notices of one chunk of a write, from its response: see docs/contract.md, "Outcomes of items". */
export interface ChunkResult<Outcome = ArticleOutcome> {
  /** The outcome of each item of the chunk. */
  readonly outcomes: readonly Outcome[];
  /** The outcome of the items of all later chunks where these must not be sent; null where the next one may be sent. */
  readonly laterOutcome: NotAttempted | null;
  /** The error of the whole write if the chunk is its first; null where its items have outcomes of their own. */
  readonly error: BackendError | null;
}

/** Reads the answer to a call that has an entry for each item. Where an answer has none, the outcomes are unknown. */
export const readChunkResponse = (response: WriteResponse, chunk: Chunk): ChunkResult =>
  readItemsResponse(response, chunk, UPDATES);

export function readItemsResponse<Item, Outcome>(
  response: WriteResponse,
  chunk: readonly Item[],
  outcomesOf: ItemOutcomes<Item, Outcome>,
): ChunkResult<Outcome> {
  const notAttempted = (error: BackendError) => {
    const outcome = notAttemptedAfter(error);
    return { outcomes: outcomesOf.forAll(chunk, outcome), laterOutcome: outcome, error };
  };
  switch (response.kind) {
    case 'not-sent':
      return notAttempted(response.error);
    case 'unknown': {
      const details = `The outcome is unknown: ${response.reason}`;
      const outcomes = outcomesOf.forAll(chunk, { kind: 'unknown', details });
      return { outcomes, laterOutcome: STOPPED_AFTER_UNKNOWN, error: null };
    }
    case 'accepted': {
      const { envelope } = response;
      const items = acceptedItemsOf(envelope, chunk);
      const outcomes = outcomesOf.decode(items, chunk);
      if (items.length > 0) return { outcomes, laterOutcome: null, error: null };
      const isSuccess = reportsSuccess(envelope);
      const error = isSuccess ? null : decodeError(response, { mayHaveApplied: true, readsTexts: false });
      return { outcomes, laterOutcome: STOPPED_AFTER_UNKNOWN, error };
    }
    case 'rejected': {
      const { httpStatus, envelope } = response;
      const items = httpStatus < 400 || ACCESS_REJECTION_STATUSES.has(httpStatus) ? [] : resultItemsOf(envelope);
      if (items.length > 0) return { outcomes: outcomesOf.decode(items, chunk), laterOutcome: null, error: null };
      const isOfContent = isContentRejection(response);
      const mayHaveApplied = isOfContent && chunk.length > 1;
      const error = decodeError(response, { mayHaveApplied, readsTexts: false });
      if (!isOfContent) return notAttempted(error);
      const outcomes = outcomesOf.forAll(
        chunk,
        mayHaveApplied
          ? { kind: 'unknown', details: PARTLY_APPLIED_PREFIX + error.message }
          : { kind: 'failed', details: error.message },
      );
      return { outcomes, laterOutcome: null, error };
    }
  }
}

/** True where the service refused the items without an outcome for each. */
export const isContentRejection = (response: WriteResponse): response is RejectedResponse =>
  response.kind === 'rejected' &&
  CONTENT_REJECTION_STATUSES.has(response.httpStatus) &&
  resultItemsOf(response.envelope).length === 0;

/**
 * The items of a success. The answer to one item may be an object instead of a list. Where that is an article, the
 * envelope has the success.
 */
function acceptedItemsOf(envelope: Envelope, { length }: readonly unknown[]): readonly unknown[] {
  const { payload } = envelope;
  if (length !== 1 || !isObject(payload) || !('article_id' in payload || 'id' in payload))
    return resultItemsOf(envelope);
  return [{ article_id: payload['id'], success: reportsSuccess(envelope) ? envelope.success : null, ...payload }];
}

const resultItemsOf = (envelope: Envelope | null): readonly unknown[] =>
  Array.isArray(envelope?.payload) ? envelope.payload : [];
