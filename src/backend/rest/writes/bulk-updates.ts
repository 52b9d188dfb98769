import type { ArticleOutcome, ArticleUpdate, BulkUpdate } from '../../../domain/articles/bulk-updates.ts';
import type { Caller } from '../../../domain/callers/caller.ts';
import type { BackendError } from '../../../domain/errors.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { encodeArticleUpdate } from '../../../v2/bulk-updates.ts';
import { SaidByChunks } from '../said-by-chunks.ts';
import type { Upstream } from '../upstream.ts';
import { alike, type ChunkEnd, chunkEndOf } from './chunk-results.ts';
import { chunksOf } from './chunks.ts';
import { sendWrite } from './write-response.ts';

export interface BulkUpdateOptions {
  readonly upstream: Upstream;
  /** The most items of one call. */
  readonly bulkSize: number;
}

/** The bulk update as it went: its result, and what the log tells of it. */
export interface BulkUpdateRun {
  readonly result: Result<BulkUpdate, BackendError>;
  /** The status of the last answer; null where the last call had none. */
  readonly httpStatus: number | null;
  readonly calls: number;
}

/** Sends the chunks one after another, and says of every item what became of it. */
export async function runBulkUpdate(
  { upstream, bulkSize }: BulkUpdateOptions,
  caller: Caller,
  updates: readonly ArticleUpdate[],
): Promise<BulkUpdateRun> {
  const chunks = chunksOf(updates, bulkSize);
  const said = new SaidByChunks();
  const outcomes: ArticleOutcome[] = [];
  let calls = 0;
  let last: { readonly httpStatus: number | null; readonly end: ChunkEnd } | null = null;
  for (const chunk of chunks) {
    const body = chunk.map(encodeArticleUpdate);
    const call = { method: 'PUT', path: ['Articles', 'bulkupdate'], body, hasRoom: chunk.length < bulkSize } as const;
    const answer = await sendWrite(upstream, caller, call);
    const end = chunkEndOf(answer, chunk);
    const { httpStatus } = answer;
    if (calls === 0 && end.error !== null) return { result: err(end.error), httpStatus, calls: 1 };
    calls += 1;
    outcomes.push(...end.outcomes);
    said.add(end.envelope, end.serviceErrors);
    last = { httpStatus, end };
    if (end.stop !== null) break;
  }
  const stop = last?.end.stop ?? '';
  for (const chunk of chunks.slice(calls)) outcomes.push(...alike(chunk, 'not-attempted', stop));
  const update: BulkUpdate = {
    outcomes,
    serviceErrors: said.serviceErrors.all,
    warnings: said.warnings.all,
    information: said.information.all,
    extensionData: chunks.length === 1 ? (last?.end.envelope?.extensionData ?? null) : null,
  };
  return { result: ok(update), httpStatus: last?.httpStatus ?? null, calls };
}
