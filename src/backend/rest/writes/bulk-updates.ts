import type { Log } from '../../../base/log.ts';
import { outcomesForAll } from '../../../domain/articles/article-outcomes.ts';
import { encodeArticleUpdate } from '../../../v2/bulk-updates.ts';
import type { Writes } from '../../backend.ts';
import { splitIntoChunks, WRITES } from '../../writes/declarations.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { readChunkResponse } from './chunk-results.ts';
import { sendChunks } from './send-chunks.ts';
import { runLoggedWrite, sendWrite } from './write-response.ts';

export interface ArticleWritesOptions {
  readonly upstream: Upstream;
  /** The most items of one call. */
  readonly bulkSize: number;
  readonly log: Log;
}

export const createBulkUpdates =
  ({ upstream, bulkSize, log }: ArticleWritesOptions): Writes['bulkUpdateArticles'] =>
  (caller, updates) =>
    runLoggedWrite('bulkUpdateArticles', { upstream, caller, log }, (writer) => {
      const { staleReads } = WRITES.bulkUpdateArticles;
      const call = { kind: 'write', staleReads, path: ['Articles', 'bulkupdate'] } as const;
      return sendChunks({
        chunks: splitIntoChunks(updates, bulkSize),
        send: (chunk) => sendWrite(writer, { ...call, body: chunk.map(encodeArticleUpdate) }),
        read: readChunkResponse,
        skip: outcomesForAll,
      });
    });
