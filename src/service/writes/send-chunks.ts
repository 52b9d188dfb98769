import type { CompletedItems, NotAttempted } from '../../core/articles/article-outcomes.ts';
import type { BackendResult } from '../../core/backend.ts';
import { MAX_ADDED_NOTICE_CHARACTERS } from '../../core/base/limits.ts';
import { err, ok } from '../../core/base/result.ts';
import type { Notice, Notices, ServiceError } from '../../core/notices.ts';
import type { ChunkResult } from './chunk-results.ts';
import type { WriteResponse } from './write-response.ts';

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
