import {
  type ArticleOutcome,
  isRetryable,
  type NotAttemptedReason,
  outcomeCountsOf,
} from '../../domain/articles/article-outcomes.ts';
import type { JobCounts } from '../../domain/articles/article-update-jobs.ts';
import { articleKeyOf, type UpdateTarget } from '../../domain/articles/bulk-updates.ts';
import { builder, createEnumType, createObjectType, integer, one } from '../builder.ts';
import { authorizeRead } from '../context.ts';
import { ArticleType, loadArticle } from './articles.ts';

export const BulkUpdateSummary = createObjectType<JobCounts>('BulkUpdateSummary', {
  description: 'The items of a bulk update or of a job, counted by how they ended.',
  members: {
    total: integer('The number of submitted items.'),
    pending: integer('The number of items of a job that have not ended yet. 0 for the answer of a bulk update.'),
    updated: integer('The number of items whose article was updated.'),
    failed: integer('The number of items that the service refused.'),
    unknown: integer('The number of items that were sent, and whose outcome is unknown.'),
    notAttempted: integer('The number of items that were not sent, or refused before anything of them was applied.'),
  },
});

/** The counts of a bulk update in which each item has ended. */
export const summaryOf = (outcomes: readonly ArticleOutcome[]): JobCounts => ({
  ...outcomeCountsOf(outcomes),
  total: outcomes.length,
  pending: 0,
});

/** An outcome with its item. */
export type OutcomeOfItem = ArticleOutcome & {
  readonly index: number;
  readonly update: UpdateTarget | undefined;
};

type OutcomeOfKind<K extends ArticleOutcome['kind']> = Extract<OutcomeOfItem, { kind: K }>;

const OUTCOME_TYPE_NAMES = {
  updated: 'ArticleUpdated',
  failed: 'ArticleUpdateFailed',
  unknown: 'ArticleUpdateUnknown',
  'not-attempted': 'ArticleUpdateNotAttempted',
} as const satisfies Record<ArticleOutcome['kind'], string>;

export const ArticleUpdateOutcome = builder.interfaceRef<OutcomeOfItem>('ArticleUpdateOutcome').implement({
  description: 'What became of one item of a bulk update or of a job. `__typename` says how the item ended.',
  resolveType: ({ kind }) => OUTCOME_TYPE_NAMES[kind],
  fields: (t) => ({
    index: t.exposeInt('index', {
      description: 'The position of the item in the submitted list or in the whole job, from 0.',
    }),
    articleId: t.exposeID('articleId', { description: 'The ID of the article, as it was submitted.' }),
    details: t.exposeString('details', {
      nullable: true,
      description:
        'An explanation of the outcome for people, from the service, or else from the gateway; null where there is none.',
    }),
    retryable: t.boolean({
      description:
        'Whether sending this item again, unchanged, is safe and may help. True only of items that were not attempted, and not where the reason is UNAUTHENTICATED, FORBIDDEN or REJECTED.',
      resolve: isRetryable,
    }),
  }),
});

const UpdateEvidence = createEnumType('UpdateEvidence', 'How the gateway knows that an article was updated.', {
  ANSWER: 'The service confirmed the update in its answer.',
  READ_BACK: 'The article was read after the update, and is as the update asked for.',
});

const ReadBack = createEnumType('ReadBack', 'What reading the article told about an update whose outcome is unknown.', {
  NOT_TRIED: 'The article was not read.',
  DIFFERS: 'The article was read, and is not as the update asked for.',
  NOT_READABLE: 'The article, or a property that the update changes, could not be read. No read returns `source`.',
});

const NotAttemptedReasonType = createEnumType<NotAttemptedReason>(
  'NotAttemptedReason',
  'Why an item of a bulk update was not attempted.',
  {
    RATE_LIMITED: 'The service accepts no more calls for now (HTTP 429).',
    UNAUTHENTICATED: 'The service did not accept the API token (HTTP 401).',
    FORBIDDEN: 'The API token does not permit the update (HTTP 403).',
    UNAVAILABLE: 'The service could not be reached, or too many calls to the service were waiting.',
    REJECTED: 'The service refused the call with the item as a whole, before anything of it was applied.',
    OUT_OF_TIME:
      'Too little was left of the time that the request may take, which `details` names. Send the item again, or set a larger `REQUEST_TIMEOUT_MS` on the gateway.',
    AFTER_UNKNOWN: 'The outcome of items before this one is unknown, and nothing was sent after them.',
    CANCELLED: 'The bulk update was cancelled before the item was sent.',
  },
);

createObjectType<OutcomeOfKind<'updated'>>('ArticleUpdated', {
  description: 'An item of a bulk update whose article was updated.',
  interfaces: [ArticleUpdateOutcome],
  fields: (t) => ({
    article: t.field({
      type: ArticleType,
      nullable: true,
      description:
        'The article after the whole bulk update, read only where this field is selected. Over the service, that costs one call for each item where the text is selected; else the lists of the articles serve many items by few calls. Null, with an error at this place, where the article could not be read; the update stands.',
      resolve: (...[{ update }, _args, context, info]) =>
        update ? loadArticle(articleKeyOf(update), authorizeRead(context), info) : null,
    }),
    evidence: t.field({
      type: UpdateEvidence,
      description: 'How the gateway knows that the article was updated.',
      resolve: ({ evidence = 'ANSWER' }) => evidence,
    }),
  }),
});

createObjectType<OutcomeOfKind<'failed'>>('ArticleUpdateFailed', {
  description:
    'An item of a bulk update that the service refused. Nothing of the item was applied; `details` says why.',
  interfaces: [ArticleUpdateOutcome],
});

createObjectType<OutcomeOfKind<'unknown'>>('ArticleUpdateUnknown', {
  description:
    'An item of a bulk update that was sent, and whose outcome is unknown: no answer of the service says whether the article was updated. Read the article before you send the item again.',
  interfaces: [ArticleUpdateOutcome],
  fields: (t) => ({
    readBack: t.field({
      type: ReadBack,
      description: 'What reading the article told about the update.',
      resolve: ({ readBack = 'NOT_TRIED' }) => readBack,
    }),
  }),
});

createObjectType<OutcomeOfKind<'not-attempted'>>('ArticleUpdateNotAttempted', {
  description: 'An item of a bulk update that was not sent, or that was refused before anything of it was applied.',
  interfaces: [ArticleUpdateOutcome],
  members: {
    reason: one(NotAttemptedReasonType)('Why the item was not attempted.'),
    retryAfterSeconds: integer.orNull(
      'How long to wait before the item is sent again, in whole seconds; null where there is no need to wait, or where the service does not say.',
    ),
  },
});
