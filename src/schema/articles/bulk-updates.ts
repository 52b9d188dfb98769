import {
  type ArticleOutcome,
  type ArticleUpdate,
  type CompletedBulkUpdate,
  validateArticleUpdates,
} from '../../domain/articles/bulk-updates.ts';
import type { BackendError } from '../../domain/errors.ts';
import { ok, type Result } from '../../domain/result.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { errorTypeName, errorTypesOf, toErrorOfKinds } from '../errors/errors.ts';
import { NoticeType, ServiceErrorType } from '../errors/notices.ts';
import { runMutation } from '../run-mutation.ts';
import { ArticleUpdateResult, type ItemOutcome } from './article-outcomes.ts';
import { BulkUpdateArticlesPreview, type BulkUpdatePreviewPayload, loadBulkUpdatePreview } from './article-previews.ts';
import { BulkUpdateArticlesInput } from './article-update-input.ts';

interface BulkUpdatePayload extends CompletedBulkUpdate {
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

/** A generator, so that each outcome is created only when the executor reaches it. */
function* itemOutcomes({ outcomes, updates }: BulkUpdatePayload): Iterable<ItemOutcome> {
  for (const [index, outcome] of outcomes.entries()) yield { ...outcome, index, update: updates[index] };
}

const BulkUpdateArticlesPayload = builder.objectRef<BulkUpdatePayload>('BulkUpdateArticlesPayload').implement({
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
  description: 'A payload with an outcome for each item, or the reason why no item has one.',
  types: [BulkUpdateArticlesPayload, BulkUpdateArticlesPreview, ...errorTypesOf(BULK_UPDATE_ERROR_KINDS)],
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
      const result = await runMutation<readonly ArticleUpdate[], BulkUpdatePayload | BulkUpdatePreviewPayload>(
        context,
        {
          scope: 'articles:write',
          isPreview: preview === true,
          validation: validateArticleUpdates(input.articles, context.limits.maxBulkItems),
          send: (updates) =>
            preview ? loadBulkUpdatePreview(authorizeRead(context), updates) : callBulkUpdate(context, updates),
        },
      );
      return result.ok ? result.value : toErrorOfKinds(BULK_UPDATE_ERROR_KINDS, result.error);
    },
  }),
);

async function callBulkUpdate(
  { backend, caller }: Context,
  updates: readonly ArticleUpdate[],
): Promise<Result<BulkUpdatePayload, BackendError>> {
  const result = await backend.bulkUpdateArticles(caller, updates);
  return result.ok ? ok({ ...result.value, kind: 'payload' as const, updates }) : result;
}
