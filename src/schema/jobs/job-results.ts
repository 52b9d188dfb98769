import { MAX_RESULTS_PAGE_SIZE, type Page } from '../../base/pages.ts';
import type { ItemOutcome, JobItemOutcome } from '../../domain/jobs/article-update-jobs.ts';
import { ArticleUpdateOutcome, type OutcomeOfItem } from '../articles/article-outcomes.ts';
import { builder } from '../builder.ts';
import { authorizeRead } from '../context.ts';
import { invalidArgumentError, unwrapResult } from '../errors/graphql-errors.ts';
import { createConnectionType, pageArgsUpTo, toPageRequest } from '../relay/connections.ts';
import { ArticleUpdateJobType } from './article-update-jobs.ts';

const ITEM_OUTCOMES = {
  UPDATED: { description: 'The article was updated: `ArticleUpdated`.' },
  FAILED: { description: 'The service refused the item: `ArticleUpdateFailed`.' },
  UNKNOWN: { description: 'The item was sent, and its outcome is unknown: `ArticleUpdateUnknown`.' },
  NOT_ATTEMPTED: {
    description: 'The item was not sent, or refused before anything of it was applied: `ArticleUpdateNotAttempted`.',
  },
} as const satisfies Record<ItemOutcome, { description: string }>;

const ItemOutcomeType = builder.enumType('ItemOutcome', {
  description: 'How an item of a job has ended, which selects its type.',
  values: ITEM_OUTCOMES,
});

const ArticleUpdateOutcomeConnection = createConnectionType(
  'ArticleUpdateOutcome',
  ArticleUpdateOutcome,
  'outcomes of items',
);

const withItem = ({ index, outcome, target }: JobItemOutcome): OutcomeOfItem => ({ ...outcome, index, update: target });

const withItems = (page: Page<JobItemOutcome>): Page<OutcomeOfItem> => ({
  ...page,
  edges: page.edges.map(({ cursor, node }) => ({ cursor, node: withItem(node) })),
});

/** Throws for a list that would select nothing. Null selects all outcomes. */
function toOutcomes(outcomes: readonly ItemOutcome[] | null | undefined): readonly ItemOutcome[] | null {
  if (outcomes?.length === 0) {
    throw invalidArgumentError(['outcomes'], 'outcomes must name at least one outcome; leave it out to get all.');
  }
  return outcomes ? [...new Set(outcomes)] : null;
}

builder.objectField(ArticleUpdateJobType, 'results', (t) =>
  t.field({
    type: ArticleUpdateOutcomeConnection,
    nullable: true,
    description:
      'The items of the job that have ended, by their position in the job. An item that is still pending is left out, so that a page of a running job may be followed by items that came before its end: read the results again when the job is done. Costs no call to the service, whatever the size of the job, unless `article` is selected.',
    args: {
      ...pageArgsUpTo(MAX_RESULTS_PAGE_SIZE),
      outcomes: t.arg({
        type: [ItemOutcomeType],
        description: 'The items that ended in one of these ways, at least one; all where it is left out or null.',
      }),
    },
    resolve: async ({ jobId }, { outcomes, ...args }, context) => {
      const { jobs, caller } = authorizeRead(context);
      const request = { page: toPageRequest(args, MAX_RESULTS_PAGE_SIZE), outcomes: toOutcomes(outcomes) };
      return withItems(unwrapResult(await jobs.results(caller, jobId, request)));
    },
  }),
);
