import type { Backend } from '../../backend/backend.ts';
import { ok, type Result } from '../../base/result.ts';
import { outcomesForAll } from '../../domain/articles/article-outcomes.ts';
import {
  type ArticleUpdate,
  type CompletedBulkUpdate,
  validateArticleUpdates,
} from '../../domain/articles/bulk-updates.ts';
import { sharedMemberWarnings } from '../../domain/articles/shared-members.ts';
import { type Caller, recordRateLimit } from '../../domain/callers/caller.ts';
import type { BackendError } from '../../domain/errors.ts';
import { validateKeyed } from '../../domain/jobs/idempotency-keys.ts';
import { NO_NOTICES } from '../../domain/notices.ts';
import { bulkUpdateAnswer } from '../../state/codec.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { errorTypeName, errorTypesOf, toErrorOfKinds } from '../errors/errors.ts';
import { NoticeType, ServiceErrorType } from '../errors/notices.ts';
import { idempotencyKeyArgs, REPLAYED_DESCRIPTION, sendOnce } from '../idempotency/send-once.ts';
import { runMutation } from '../run-mutation.ts';
import { ArticleUpdateOutcome, type OutcomeOfItem } from './article-outcomes.ts';
import { BulkUpdateArticlesInput } from './article-update-input.ts';
import { BulkUpdateSummary, summaryOf } from './bulk-update-summary.ts';

interface BulkUpdatePayload extends CompletedBulkUpdate {
  readonly kind: 'payload';
  readonly updates: readonly ArticleUpdate[];
  readonly replayed: boolean;
}

/** A generator, so that each outcome is created only when the executor reaches it. */
function* itemOutcomes({ outcomes, updates }: BulkUpdatePayload): Iterable<OutcomeOfItem> {
  let index = 0;
  for (const outcome of outcomes) {
    yield { ...outcome, index, update: updates[index] };
    index += 1;
  }
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
    replayed: t.exposeBoolean('replayed', { description: REPLAYED_DESCRIPTION }),
    summary: t.field({
      type: BulkUpdateSummary,
      description: 'The submitted items, counted by how they ended.',
      resolve: ({ outcomes }) => summaryOf(outcomes),
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
  'idempotency-conflict',
  'idempotency-in-progress',
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
    args: {
      input: t.arg({ type: BulkUpdateArticlesInput, required: true, description: 'The articles to change.' }),
      ...idempotencyKeyArgs,
    },
    resolve: async (_root, { input, idempotencyKey }, context) => {
      const result = await runMutation(context, {
        scope: 'articles:write',
        validation: validateKeyed(idempotencyKey, validateArticleUpdates(input.articles, context.limits.maxBulkItems)),
        send: (updates) => callOnce(context, updates, idempotencyKey),
      });
      return result.ok ? result.value : toErrorOfKinds(BULK_UPDATE_ERROR_KINDS, result.error);
    },
  }),
);

async function callOnce(
  context: Context,
  updates: readonly ArticleUpdate[],
  idempotencyKey: string | null | undefined,
): Promise<Result<BulkUpdatePayload, BackendError>> {
  const result = await sendOnce(context, {
    operation: 'bulkUpdateArticles',
    idempotencyKey,
    input: updates,
    send: (caller) => callBulkUpdate(context.backend, caller, updates),
    answer: bulkUpdateAnswer,
    outcomeUnknown: (reason) => ok(allUnknown(updates, reason)),
  });
  if (!result.ok) return result;
  const { value, replayed } = result.value;
  const warnings = [...value.warnings, ...sharedMemberWarnings(updates)];
  return ok({ ...value, warnings, replayed, kind: 'payload' as const, updates });
}

const callBulkUpdate = (backend: Backend, caller: Caller, updates: readonly ArticleUpdate[]) =>
  backend.bulkUpdateArticles(caller, updates).then((result) => {
    if (result.ok) recordRateLimits(caller, result.value.outcomes);
    return result;
  });

function recordRateLimits(caller: Caller, outcomes: CompletedBulkUpdate['outcomes']): void {
  for (const outcome of outcomes) {
    const isLimited = outcome.kind === 'not-attempted' && outcome.reason === 'RATE_LIMITED';
    if (isLimited) recordRateLimit(caller, outcome.retryAfterSeconds);
  }
}

const allUnknown = (updates: readonly ArticleUpdate[], details: string): CompletedBulkUpdate => ({
  ...NO_NOTICES,
  serviceErrors: [],
  outcomes: outcomesForAll(updates, { kind: 'unknown', details }),
});
