import { MAX_ADDED_NOTICE_CHARACTERS } from '../../../base/limits.ts';
import type { Log } from '../../../base/log.ts';
import { err, ok } from '../../../base/result.ts';
import {
  type ArticleOutcome,
  outcomeCountsOf,
  outcomesForAll,
  type SharedOutcome,
} from '../../../domain/articles/article-outcomes.ts';
import type { ArticleUpdate, CompletedBulkUpdate } from '../../../domain/articles/bulk-updates.ts';
import type { Notice, ServiceError } from '../../../domain/notices.ts';
import { encodeArticleUpdate } from '../../../v2/bulk-updates.ts';
import type { BackendResult, Writes } from '../../backend.ts';
import { splitIntoChunks, WRITES } from '../../writes/declarations.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { readChunkResponse } from './chunk-results.ts';
import { conclusiveLevelOf, sendWrite, type WriteCaller, type WriteResponse, WriteTrace } from './write-response.ts';

interface BulkUpdatesOptions {
  readonly upstream: Upstream;
  /** The most items of one call. */
  readonly bulkSize: number;
  readonly log: Log;
}

/** Each bulk update ends with one line in the log, beside the line of its request. */
export function createBulkUpdates({ upstream, bulkSize, log }: BulkUpdatesOptions): Writes['bulkUpdateArticles'] {
  return async (caller, updates) => {
    const trace = new WriteTrace();
    const result = await sendChunks({ upstream, caller, trace }, updates, bulkSize);
    caller.request.clearReads();
    const outcome = result.ok ? outcomeCountsOf(result.value.outcomes) : { outcome: result.error.kind };
    const isConclusive = 'updated' in outcome && outcome.unknown + outcome.notAttempted === 0;
    log(isConclusive ? conclusiveLevelOf(caller) : 'warn', 'bulk update', {
      requestId: caller.request.id,
      items: updates.length,
      calls: trace.calls,
      httpStatus: trace.httpStatus,
      ms: trace.ms,
      ...outcome,
    });
    return result;
  };
}

/** Sends the chunks one after another, until the outcome of one forbids the next. */
async function sendChunks(
  writer: WriteCaller,
  updates: readonly ArticleUpdate[],
  bulkSize: number,
): BackendResult<CompletedBulkUpdate> {
  const chunks = splitIntoChunks(updates, bulkSize);
  const notices = new BulkNotices();
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
    notices.add(response);
    laterOutcome = result.laterOutcome;
  }
  return ok({
    outcomes,
    serviceErrors: notices.serviceErrors.all,
    warnings: notices.warnings.all,
    information: notices.information.all,
    extensionData: chunks.length === 1 ? notices.extensionData : null,
  });
}

/**
 * Collects what the responses tell besides outcomes. Each chunk may repeat the same, and a bulk update may have two
 * hundred chunks with responses of 10 MB, so later chunks add only new notices, and only up to a limit.
 */
class BulkNotices {
  readonly warnings = new NoticeCollector<Notice>({ isUnique: true });
  readonly information = new NoticeCollector<Notice>({ isUnique: true });
  readonly serviceErrors = new NoticeCollector<ServiceError>({ isUnique: false });
  /** The extension data of the last response. */
  extensionData: CompletedBulkUpdate['extensionData'] = null;

  add(response: WriteResponse): void {
    const envelope = 'envelope' in response ? response.envelope : null;
    this.warnings.add(envelope?.warnings ?? []);
    this.information.add(envelope?.information ?? []);
    this.serviceErrors.add(response.kind === 'unknown' ? response.serviceErrors : (envelope?.errors ?? []));
    this.extensionData = envelope?.extensionData ?? null;
  }
}

class NoticeCollector<T extends object> {
  readonly all: T[] = [];
  readonly #isUnique: boolean;
  readonly #knownKeys = new Set<string>();
  #remainingCharacters = MAX_ADDED_NOTICE_CHARACTERS;

  constructor({ isUnique }: { readonly isUnique: boolean }) {
    this.#isUnique = isUnique;
  }

  /** Takes all that the first chunk tells. */
  add(notices: readonly T[]): void {
    const isFirst = this.all.length === 0;
    for (const notice of notices) {
      const key = JSON.stringify(notice);
      const isKnown = this.#isUnique && this.#knownKeys.has(key);
      if (!isFirst && (isKnown || key.length > this.#remainingCharacters)) continue;
      this.#knownKeys.add(key);
      this.all.push(notice);
      if (!isFirst) this.#remainingCharacters -= key.length;
    }
  }
}
