import { type ArticleOutcome, type ArticleUpdate, type BulkUpdate, parseArticleUpdates } from '../domain/articles.ts';
import { ok } from '../domain/result.ts';
import { ArticleUpdateResult, type ItemOutcome } from './article-outcomes.ts';
import { builder } from './builder.ts';
import {
  AuthenticationErrorType,
  errorAmong,
  errorTypeName,
  RateLimitedErrorType,
  ServiceRejectedErrorType,
  ServiceUnavailableErrorType,
  ValidationErrorType,
} from './errors.ts';
import { NoticeType, ServiceErrorType } from './notices.ts';
import { write } from './writes.ts';

const TranslationStatus = builder.enumType('TranslationStatus', {
  description: "How far a translation is, as it can be set. The service's digits are in brackets.",
  values: {
    NONE: { description: 'Nothing to translate ("0").' },
    NEEDS_TRANSLATION: { description: 'The translation has to follow a changed text ("1").' },
    TRANSLATED: { description: 'The translation is up to date ("2").' },
  } as const,
});

const ArticleUpdateInput = builder.inputType('ArticleUpdateInput', {
  description:
    'Changes to one language version of an article. What is left out is not sent to the service; null is sent as null, and both change nothing in a stored article.',
  fields: (t) => ({
    articleId: t.id({ required: true, description: 'The article. Not empty.' }),
    languageCode: t.string({
      description: "The language. Left out: the default language of the article's project version. Not empty.",
    }),
    title: t.string({ description: 'A new title.' }),
    content: t.string({ description: 'A new text, for any editor.' }),
    htmlContent: t.string({
      description: 'A new text as HTML, for articles of the HTML editor; used only where `content` is left out.',
      deprecationReason: 'The service is going to remove it; use content.',
    }),
    categoryId: t.id({ description: 'Where the article moves to. Not empty.' }),
    hidden: t.boolean({ description: 'true hides the article, false shows it. Not null.' }),
    versionNumber: t.int({ description: 'Which version to change, from 1. Left out: the latest.' }),
    translationStatus: t.field({ type: TranslationStatus, description: 'How far the translation is.' }),
    source: t.string({ description: 'Free text that the service keeps for later reference.' }),
    order: t.int({ description: 'The position in the category, from 1. Not null.' }),
  }),
});

const BulkUpdateArticlesInput = builder.inputType('BulkUpdateArticlesInput', {
  description: 'The articles to change.',
  fields: (t) => ({
    articles: t.field({
      type: [ArticleUpdateInput],
      required: true,
      description:
        'At least one, and at most as many as the gateway is set to (10,000 by default). They are taken in order; the same article may stand here twice.',
    }),
  }),
});

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

const BulkUpdateArticlesPayload = builder.objectRef<BulkPayload>('BulkUpdateArticlesPayload').implement({
  description: 'The service answered for single items, or was about to: every submitted item has its own outcome.',
  fields: (t) => ({
    results: t.field({
      type: [ArticleUpdateResult],
      description: 'One outcome for each submitted item, in the submitted order.',
      resolve: ({ outcomes, updates }) =>
        outcomes.map((outcome, index): ItemOutcome => ({ ...outcome, index, update: updates[index] })),
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

const BULK_ERRORS = ['validation', 'unauthenticated', 'forbidden', 'rate-limited', 'rejected', 'unavailable'] as const;

const BulkUpdateArticlesResult = builder.unionType('BulkUpdateArticlesResult', {
  description: 'A payload with an outcome for each item, or the reason why no item has one.',
  types: [
    BulkUpdateArticlesPayload,
    ValidationErrorType,
    AuthenticationErrorType,
    RateLimitedErrorType,
    ServiceRejectedErrorType,
    ServiceUnavailableErrorType,
  ],
  resolveType: (result) => (result.kind === 'payload' ? 'BulkUpdateArticlesPayload' : errorTypeName(result)),
});

builder.mutationField('bulkUpdateArticles', (t) =>
  t.field({
    type: BulkUpdateArticlesResult,
    nullable: true,
    description:
      'Changes many articles. Over the service the list goes out in calls of up to 100 items, in order. Each item ends as updated, failed, unknown or not attempted; the gateway never sends a write again that may have arrived.',
    args: { input: t.arg({ type: BulkUpdateArticlesInput, required: true, description: 'The articles to change.' }) },
    resolve: async (_root, { input }, context) => {
      const result = await write(context, {
        parse: () => parseArticleUpdates(input.articles, context.limits.maxBulkItems),
        send: async (updates) => {
          const answer = await context.backend.bulkUpdateArticles(context.caller, updates);
          return answer.ok ? ok({ ...answer.value, kind: 'payload' as const, updates }) : answer;
        },
      });
      return result.ok ? result.value : errorAmong(BULK_ERRORS, result.error);
    },
  }),
);
