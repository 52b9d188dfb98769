import { type ArticleOutcome, outcomeCountsOf } from '../../domain/articles/article-outcomes.ts';
import type { JobCounts } from '../../domain/jobs/article-update-jobs.ts';
import { builder } from '../builder.ts';

export const BulkUpdateSummary = builder.objectRef<JobCounts>('BulkUpdateSummary').implement({
  description: 'The items of a bulk update or of a job, counted by how they ended.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'The number of submitted items.' }),
    pending: t.exposeInt('pending', {
      description: 'The number of items of a job that have not ended yet. 0 for the answer of a bulk update.',
    }),
    updated: t.exposeInt('updated', { description: 'The number of items whose article was updated.' }),
    failed: t.exposeInt('failed', { description: 'The number of items that the service refused.' }),
    unknown: t.exposeInt('unknown', {
      description: 'The number of items that were sent, and whose outcome is unknown.',
    }),
    notAttempted: t.exposeInt('notAttempted', {
      description: 'The number of items that were not sent, or refused before anything of them was applied.',
    }),
  }),
});

/** The counts of a bulk update in which each item has ended. */
export const summaryOf = (outcomes: readonly ArticleOutcome[]): JobCounts => ({
  ...outcomeCountsOf(outcomes),
  total: outcomes.length,
  pending: 0,
});
