import type { ArticleOutcome, ArticleUpdate, BulkUpdate } from '../../domain/articles.ts';
import type { Caller } from '../../domain/caller.ts';
import type { BackendError } from '../../domain/errors.ts';
import type { Notice } from '../../domain/notices.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { encodeArticleUpdate } from '../../v2/bulk-updates.ts';
import { alike, type ChunkEnd, chunkEndOf } from './chunk-end.ts';
import { chunksOf } from './chunks.ts';
import type { Upstream } from './upstream.ts';
import { sendWrite } from './write-answer.ts';

export interface BulkUpdateOptions {
  readonly upstream: Upstream;
  /** So many items go upstream in one call. */
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
  const ends: ChunkEnd[] = [];
  let httpStatus: number | null = null;
  for (const chunk of chunks) {
    const body = chunk.map(encodeArticleUpdate);
    const call = { method: 'PUT', path: ['Articles', 'bulkupdate'], body, hasRoom: chunk.length < bulkSize } as const;
    const answer = await sendWrite(upstream, caller, call);
    const end = chunkEndOf(answer, chunk);
    httpStatus = answer.httpStatus;
    if (ends.length === 0 && end.error !== null) return { result: err(end.error), httpStatus, calls: 1 };
    ends.push(end);
    if (end.stop !== null) break;
  }
  const stop = ends.at(-1)?.stop ?? '';
  const left = chunks.slice(ends.length).flatMap((chunk) => alike(chunk, 'not-attempted', stop));
  return { result: ok(joined(ends, left, chunks.length)), httpStatus, calls: ends.length };
}

function joined(ends: readonly ChunkEnd[], left: readonly ArticleOutcome[], chunkCount: number): BulkUpdate {
  const envelopes = ends.flatMap(({ envelope }) => envelope ?? []);
  return {
    outcomes: [...ends.flatMap(({ outcomes }) => outcomes), ...left],
    serviceErrors: ends.flatMap(({ serviceErrors }) => serviceErrors),
    warnings: joinNotices(envelopes.map(({ warnings }) => warnings)),
    information: joinNotices(envelopes.map(({ information }) => information)),
    extensionData: chunkCount === 1 ? (envelopes[0]?.extensionData ?? null) : null,
  };
}

/** The notices of one answer as they came; those of several without repeats, since each chunk says the same again. */
function joinNotices(lists: readonly (readonly Notice[])[]): readonly Notice[] {
  const [only, ...others] = lists;
  if (only === undefined || others.length === 0) return only ?? [];
  return [...new Map(lists.flat().map((notice) => [JSON.stringify(notice), notice])).values()];
}
