import type { ArticleOutcome } from '../../domain/articles/article-outcomes.ts';
import {
  type ArticleUpdate,
  type CompletedBulkUpdate,
  validateArticleUpdates,
} from '../../domain/articles/bulk-updates.ts';
import { sharedMemberWarnings } from '../../domain/articles/shared-members.ts';
import { recordRateLimit } from '../../domain/callers/caller.ts';
import type { BackendError } from '../../domain/errors.ts';
import { ok, type Result } from '../../domain/result.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { errorTypeName, errorTypesOf, toErrorOfKinds } from '../errors/errors.ts';
import { NoticeType, ServiceErrorType } from '../errors/notices.ts';
import { runMutation } from '../run-mutation.ts';
import { ArticleUpdateOutcome, type ItemOutcome } from './article-outcomes.ts';
import { BulkUpdateArticlesInput } from './article-update-input.ts';

interface BulkUpdatePayload extends CompletedBulkUpdate {
  readonly kind: 'payload';
  readonly updates: readonly ArticleUpdate[];
}

const BulkUpdateSummary = builder.objectRef<readonly ArticleOutcome[]>('BulkUpdateSummary').implement({
  description: 'The items of a bulk update, counted by how they ended.',
  fields: (t) => {
    const count = (kind: ArticleOutcome['kind'], description: string) =>
      t.int({ description, resolve: (outcomes) => outcomes.filter((outcome) => outcome.kind === kind).length });
    return {
      total: t.int({ description: 'The number of submitted items.', resolve: (outcomes) => outcomes.length }),
      updated: count('updated', 'The number of items whose article was updated.'),
      failed: count('failed', 'The number of items that the service refused.'),
      unknown: count('unknown', 'The number of items that were sent, and whose outcome is unknown.'),
      notAttempted: count(
        'not-attempted',
        'The number of items that were not sent, or refused before anything of them was applied.',
      ),
    };
  },
});

/** A generator, so that each outcome is created only when the executor reaches it. */
function* itemOutcomes({ outcomes, updates }: BulkUpdatePayload): Iterable<ItemOutcome> {
  for (const [index, outcome] of outcomes.entries()) yield { ...outcome, index, update: updates[index] };
}

const BulkUpdateArticlesPayload = builder.objectRef<BulkUpdatePayload>('BulkUpdateArticlesPayload').implement({
  description: 'A bulk update in which every submitted item has an outcome of its own.',
  fields: (t) => ({
    results: t.field({
      type: [ArticleUpdateOutcome],
      description:
        'One outcome for each submitted item, in the submitted order. The items to send again are those whose outcome is `retryable`.',
      resolve: itemOutcomes,
    }),
    summary: t.expose('outcomes', {
      type: BulkUpdateSummary,
      description: 'The submitted items, counted by how they ended.',
    }),
    serviceErrors: t.expose('serviceErrors', {
      type: [ServiceErrorType],
      description: 'Errors that the service sent beside the outcomes, in the order of its answers.',
    }),
    warnings: t.expose('warnings', {
      type: [NoticeType],
      description:
        'Warnings of the service, in the order of its answers, without repeats; after them those of the gateway about items that set `categoryId`, `hidden` or `order` of one article differently.',
    }),
    information: t.expose('information', {
      type: [NoticeType],
      description: 'Information of the service, in the order of its answers, without repeats.',
    }),
    extensionData: t.expose('extensionData', {
      type: 'JSON',
      nullable: true,
      description:
        'Extension data of the answer of the service; null where there is none, and where the bulk update took several calls or shared one with other callers.',
    }),
  }),
});

const BULK_UPDATE_ERROR_KINDS = [
  'validation',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'rejected',
  'unavailable',
  'too-costly',
] as const;

const BulkUpdateArticlesResult = builder.unionType('BulkUpdateArticlesResult', {
  description: 'A payload with an outcome for each item, or an error that concerns the whole bulk update.',
  types: [BulkUpdateArticlesPayload, ...errorTypesOf(BULK_UPDATE_ERROR_KINDS)],
  resolveType: (result) => (result.kind === 'payload' ? 'BulkUpdateArticlesPayload' : errorTypeName(result)),
});

const EXAMPLE = `
\`\`\`graphql
mutation {
  bulkUpdateArticles(input: { articles: [{ articleId: "unpack-the-hub", title: "First steps", hidden: false }] }) {
    __typename
    ... on BulkUpdateArticlesPayload {
      results { __typename index articleId details retryable }
    }
    ... on MutationError { message retryable }
  }
}
\`\`\``;

builder.mutationField('bulkUpdateArticles', (t) =>
  t.field({
    type: BulkUpdateArticlesResult,
    nullable: true,
    description: `Changes many articles, and answers with an outcome for each item: updated, failed, unknown or not attempted. Items are taken in their order; over the service the list is sent in calls of up to 100 items (\`UPSTREAM_BULK_SIZE\`), one after another. Nothing that may have been applied is sent twice, with one exception: items that were merged into one call with those of other callers, which the service then refused, are sent once more alone.\n${EXAMPLE}`,
    args: { input: t.arg({ type: BulkUpdateArticlesInput, required: true, description: 'The articles to change.' }) },
    resolve: async (_root, { input }, context) => {
      const result = await runMutation(context, {
        scope: 'articles:write',
        validation: validateArticleUpdates(input.articles, context.limits.maxBulkItems),
        send: (updates) => callBulkUpdate(context, updates),
      });
      return result.ok ? result.value : toErrorOfKinds(BULK_UPDATE_ERROR_KINDS, result.error);
    },
  }),
);

async function callBulkUpdate(
  { backend, caller }: Context,
  updates: readonly ArticleUpdate[],
): Promise<Result<BulkUpdatePayload, BackendError>> {
  const result = await backend.bulkUpdateArticles(caller, updates);
  if (!result.ok) return result;
  for (const outcome of result.value.outcomes) {
    const isLimited = outcome.kind === 'not-attempted' && outcome.reason === 'RATE_LIMITED';
    if (isLimited) recordRateLimit(caller, outcome.retryAfterSeconds);
  }
  const warnings = [...result.value.warnings, ...sharedMemberWarnings(updates)];
  return ok({ ...result.value, warnings, kind: 'payload' as const, updates });
}
