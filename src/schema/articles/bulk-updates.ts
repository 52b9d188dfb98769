import {
  type ArticleOutcome,
  type ArticleUpdate,
  articleUpdateRules,
  type BulkUpdate,
} from '../../domain/articles/bulk-updates.ts';
import type { BackendError } from '../../domain/errors.ts';
import { ok, type Result } from '../../domain/result.ts';
import { builder } from '../builder.ts';
import { admitted, type Context } from '../context.ts';
import {
  AuthenticationErrorType,
  errorAmong,
  errorTypeName,
  RateLimitedErrorType,
  ServiceRejectedErrorType,
  ServiceUnavailableErrorType,
  TooCostlyErrorType,
  ValidationErrorType,
} from '../errors/errors.ts';
import { NoticeType, ServiceErrorType } from '../errors/notices.ts';
import { write } from '../run-mutation.ts';
import { ArticleUpdateResult, type ItemOutcome } from './article-outcomes.ts';
import { type BulkPreview, BulkUpdateArticlesPreview, previewOfBulk } from './article-previews.ts';
import { BulkUpdateArticlesInput } from './article-update-input.ts';

interface BulkPayload extends BulkUpdate {
  readonly kind: 'payload';
  readonly updates: readonly ArticleUpdate[];
}

const BulkUpdateSummary = builder.objectRef<readonly ArticleOutcome[]>('BulkUpdateSummary').implement({
  description: 'How many items ended how.',
  fields: (t) => {
    const count = (kind: ArticleOutcome['kind'], description: string) =>
      t.int({ description, resolve: (outcomes) => outcomes.filter((outcome) => outcome.kind === kind).length });
    return {
      total: t.int({ description: 'All submitted items.', resolve: (outcomes) => outcomes.length }),
      updated: count('updated', 'The service confirmed the update.'),
      failed: count('failed', 'The service refused the update.'),
      unknown: count('unknown', 'The update was sent, and no answer says what became of it.'),
      notAttempted: count('not-attempted', 'The update was not sent.'),
    };
  },
});

/** Each is made when the executor asks for it. */
function* itemOutcomes({ outcomes, updates }: BulkPayload): Iterable<ItemOutcome> {
  for (const [index, outcome] of outcomes.entries()) yield { ...outcome, index, update: updates[index] };
}

const BulkUpdateArticlesPayload = builder.objectRef<BulkPayload>('BulkUpdateArticlesPayload').implement({
  description: 'The service answered for single items, or was about to: every submitted item has its own outcome.',
  fields: (t) => ({
    results: t.field({
      type: [ArticleUpdateResult],
      description: 'One outcome for each submitted item, in the submitted order.',
      resolve: itemOutcomes,
    }),
    summary: t.expose('outcomes', { type: BulkUpdateSummary, description: 'The outcomes counted.' }),
    serviceErrors: t.expose('serviceErrors', {
      type: [ServiceErrorType],
      description: 'Errors that the service sent beside the outcomes.',
    }),
    warnings: t.expose('warnings', { type: [NoticeType], description: 'Warnings of all calls, without repeats.' }),
    information: t.expose('information', {
      type: [NoticeType],
      description: 'Information of all calls, without repeats.',
    }),
    extensionData: t.expose('extensionData', {
      type: 'JSON',
      nullable: true,
      description: 'Extension data of the answer; null where the list took several calls.',
    }),
  }),
});

const BULK_ERRORS = [
  'validation',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'rejected',
  'unavailable',
  'too-costly',
] as const;

const BulkUpdateArticlesResult = builder.unionType('BulkUpdateArticlesResult', {
  description: 'A payload with an outcome for each item, or the reason why no item has one.',
  types: [
    BulkUpdateArticlesPayload,
    BulkUpdateArticlesPreview,
    ValidationErrorType,
    AuthenticationErrorType,
    RateLimitedErrorType,
    ServiceRejectedErrorType,
    ServiceUnavailableErrorType,
    TooCostlyErrorType,
  ],
  resolveType: (result) => {
    if (result.kind === 'payload') return 'BulkUpdateArticlesPayload';
    return result.kind === 'preview' ? 'BulkUpdateArticlesPreview' : errorTypeName(result);
  },
});

builder.mutationField('bulkUpdateArticles', (t) =>
  t.field({
    type: BulkUpdateArticlesResult,
    nullable: true,
    description:
      'Changes many articles. Over the service the list goes out in calls of up to 100 items, in order. Each item ends as updated, failed, unknown or not attempted. The gateway sends nothing twice that may have been applied, with one exception: items that were merged into a call with those of other callers, which the service then refused, go once more alone.',
    args: {
      input: t.arg({ type: BulkUpdateArticlesInput, required: true, description: 'The articles to change.' }),
      preview: t.arg.boolean({
        defaultValue: false,
        description:
          'true: checks everything and answers what would change. Nothing is written; over the service it costs one call for each item.',
      }),
    },
    resolve: async (_root, { input, preview }, context) => {
      const result = await write<readonly ArticleUpdate[], BulkPayload | BulkPreview>(context, {
        scope: 'articles:write',
        isPreview: preview === true,
        rules: articleUpdateRules(input.articles, context.limits.maxBulkItems),
        send: (updates) => (preview ? previewOfBulk(admitted(context), updates) : sendBulk(context, updates)),
      });
      return result.ok ? result.value : errorAmong(BULK_ERRORS, result.error);
    },
  }),
);

async function sendBulk(
  { backend, caller }: Context,
  updates: readonly ArticleUpdate[],
): Promise<Result<BulkPayload, BackendError>> {
  const answer = await backend.bulkUpdateArticles(caller, updates);
  return answer.ok ? ok({ ...answer.value, kind: 'payload' as const, updates }) : answer;
}
