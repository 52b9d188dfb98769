import { type ArticleUpdateDraft, validateArticleUpdates } from '../articles/bulk-updates.ts';
import type { Validation } from '../errors.ts';
import type { JobPart } from './article-update-jobs.ts';

/** A part of a job as the caller sent it, before validation. */
export interface JobPartDraft {
  readonly articles: readonly ArticleUpdateDraft[];
  readonly startIndex: number;
  readonly moreToCome: boolean;
}

/** Only a part that closes a job with earlier parts may have no items. Issues have the positions in the whole job. */
export function* validateJobPart(
  { articles, startIndex, moreToCome }: JobPartDraft,
  maxItems: number,
): Validation<Omit<JobPart, 'idempotencyKey'>> {
  if (startIndex < 0) yield { path: ['startIndex'], message: `startIndex must be 0 or more; it is ${startIndex}.` };
  const onlyCloses = articles.length === 0 && startIndex > 0 && !moreToCome;
  const updates = onlyCloses ? [] : yield* validateArticleUpdates(articles, maxItems, Math.max(0, startIndex));
  return { startIndex, moreToCome, updates };
}
