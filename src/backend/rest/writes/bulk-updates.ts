import { MAX_ADDED_NOTICE_CHARACTERS } from '../../../base/limits.ts';
import type { Log } from '../../../base/log.ts';
import { err, ok } from '../../../base/result.ts';
import { type ArticleOutcome, outcomesForAll, type SharedOutcome } from '../../../domain/articles/article-outcomes.ts';
import type { ArticleUpdate, CompletedBulkUpdate } from '../../../domain/articles/bulk-updates.ts';
import type { Notice, ServiceError } from '../../../domain/notices.ts';
import { encodeArticleUpdate } from '../../../v2/bulk-updates.ts';
import type { BackendResult, Writes } from '../../backend.ts';
import { splitIntoChunks, WRITES } from '../../writes/declarations.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { readChunkResponse } from './chunk-results.ts';
import { runLoggedWrite, sendWrite, type WriteCaller } from './write-response.ts';

interface BulkUpdatesOptions {
  readonly upstream: Upstream;
  /** The most items of one call. */
  readonly bulkSize: number;
  readonly log: Log;
}

export const createBulkUpdates =
  ({ upstream, bulkSize, log }: BulkUpdatesOptions): Writes['bulkUpdateArticles'] =>
  (caller, updates) =>
    runLoggedWrite('bulkUpdateArticles', { upstream, caller, log }, (writer) => sendChunks(writer, updates, bulkSize));

/** Sends the chunks one after another, until the outcome of one forbids the next. */
async function sendChunks(
  writer: WriteCaller,
  updates: readonly ArticleUpdate[],
  bulkSize: number,
): BackendResult<CompletedBulkUpdate> {
  const chunks = splitIntoChunks(updates, bulkSize);
  const [warnings, information] = [new JoinedNotices<Notice>(), new JoinedNotices<Notice>()];
  const serviceErrors = new JoinedNotices<ServiceError>();
  let extensionData: CompletedBulkUpdate['extensionData'] = null;
  const outcomes: ArticleOutcome[] = [];
  let laterOutcome: SharedOutcome | null = null;
  for (const [index, chunk] of chunks.entries()) {
    if (laterOutcome !== null) {
      outcomes.push(...outcomesForAll(chunk, laterOutcome));
      continue;
    }
    const { staleReads } = WRITES.bulkUpdateArticles;
    const body = chunk.map(encodeArticleUpdate);
    const response = await sendWrite(writer, { kind: 'write', staleReads, path: ['Articles', 'bulkupdate'], body });
    const result = readChunkResponse(response, chunk);
    if (index === 0 && result.error !== null) return err(result.error);
    outcomes.push(...result.outcomes);
    const envelope = 'envelope' in response ? response.envelope : null;
    warnings.add(envelope?.warnings);
    information.add(envelope?.information);
    serviceErrors.add(response.kind === 'unknown' ? response.serviceErrors : envelope?.errors);
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
 * The notices and errors of the responses to all chunks. Each chunk may repeat the same, and a bulk update may have two hundred chunks with
 * responses of 10 MB, so later chunks add only what is new, and only up to a limit.
 */
class JoinedNotices<T extends object> {
  readonly all: T[] = [];
  readonly #knownKeys = new Set<string>();
  #remainingCharacters = MAX_ADDED_NOTICE_CHARACTERS;

  /** Takes all that the first chunk tells. */
  add(notices: readonly T[] = []): void {
    const isFirst = this.all.length === 0;
    for (const notice of notices) {
      const key = JSON.stringify(notice);
      if (!isFirst && (this.#knownKeys.has(key) || key.length > this.#remainingCharacters)) continue;
      this.#knownKeys.add(key);
      this.all.push(notice);
      if (!isFirst) this.#remainingCharacters -= key.length;
    }
  }
}
