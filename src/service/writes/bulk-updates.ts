import { outcomesForAll } from '../../core/articles/article-outcomes.ts';
import type { Writes } from '../../core/backend.ts';
import type { Log } from '../../core/base/log.ts';
import { splitIntoChunks, WRITES } from '../../core/writes/declarations.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import type { RequestReads } from '../reads/request-cache.ts';
import type { RecentWrites } from '../recent-writes/recent-writes.ts';
import { encodeArticleUpdate } from '../v2/bulk-updates.ts';
import { CONTENT_REJECTION_STATUSES, readChunkResponse } from './chunk-results.ts';
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
  readonly recentWrites: RecentWrites;
}

export const createBulkUpdates =
  ({ bulkSize, recentWrites, ...options }: BulkUpdatesOptions): Writes['bulkUpdateArticles'] =>
  (caller, updates) =>
    runLoggedWrite('bulkUpdateArticles', { ...options, caller }, (writer) => {
      const { staleReads } = WRITES.bulkUpdateArticles;
      const call = { kind: 'write', staleReads, path: ['Articles', 'bulkupdate'] } as const;
      return sendChunks({
        chunks: splitIntoChunks(updates, bulkSize),
        send: (chunk) => sendWrite(writer, { ...call, body: chunk.map(encodeArticleUpdate) }),
        read: async (response, chunk) => {
          const result = readChunkResponse(caller.isMerged ? asRefusal(response) : response, chunk);
          const items = chunk.map((update) => ({ update }));
          recentWrites.note(caller, { items, outcomes: result.outcomes, period: writer.lastCall.period });
          return result;
        },
        skip: outcomesForAll,
      });
    });

/**
 * A proxy or firewall may refuse a merged call because of one caller's content, also by a status of the service. Then
 * the items of each caller are sent again alone.
 */
function asRefusal(response: WriteResponse): WriteResponse {
  const httpStatus = response.kind === 'unknown' ? response.foreignStatus : undefined;
  const isOfContent = httpStatus !== undefined && CONTENT_REJECTION_STATUSES.has(httpStatus);
  return isOfContent ? { kind: 'rejected', httpStatus, envelope: null, retryAfterSeconds: null } : response;
}
