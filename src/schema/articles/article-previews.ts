import type { GraphQLResolveInfo } from 'graphql';
import { ok, type Result } from '../../base/result.ts';
import {
  type ArticlePreview,
  type PreviewExtent,
  previewArticleUpdates,
  sharedMemberWarnings,
} from '../../domain/articles/article-previews.ts';
import type { Category } from '../../domain/articles/articles.ts';
import { type ArticleUpdate, validateArticleUpdates } from '../../domain/articles/bulk-updates.ts';
import type { BackendError } from '../../domain/errors.ts';
import type { Notice } from '../../domain/notices.ts';
import { builder, createObjectType, id, integer, list, one } from '../builder.ts';
import { authorizeRead, type Context, loadAll } from '../context.ts';
import { FieldChangeType } from '../field-changes.ts';
import { InputIssueType, NoticeType } from '../mutation-errors.ts';
import { createResultType, runMutation, WRITE_ERROR_KINDS } from '../mutations.ts';
import { selectsAnyField } from '../selected-fields.ts';
import { ArticleType, TEXT_FIELDS } from './articles.ts';
import { BulkUpdateArticlesInput } from './bulk-updates.ts';
import { CategoryType } from './categories.ts';

interface BulkUpdatePreview {
  readonly items: readonly ArticlePreview[];
  readonly warnings: readonly Notice[];
}

const ArticleUpdatePreview = createObjectType<ArticlePreview>('ArticleUpdatePreview', {
  description: 'What one item of a bulk update would do, if it were sent now.',
  members: {
    index: integer('The position of the item in the submitted list, from 0.'),
    articleId: id('The ID of the article, as it was submitted.'),
    issues: list(InputIssueType)(
      'Every reason for which the item would fail, with the place in the input, such as `["input", "articles", "3", "categoryId"]`. In the order of the input; empty where the item would succeed.',
    ),
    movesTo: one(CategoryType).orNull(
      'The category that the article would move to; null where the article would not move.',
    ),
    changes: list(FieldChangeType)(
      'The properties that would change, in this order: title, text, category, hidden, translation status, order, source; empty where the item would fail or change nothing.',
    ),
    article: one(ArticleType).orNull(
      'The article as it would be before this item, after the earlier items of the list; null where the article does not exist.',
    ),
  },
  fields: (t) => ({
    wouldSucceed: t.boolean({
      description: 'Whether no reason is known for which the item would fail. True if, and only if, `issues` is empty.',
      resolve: ({ issues }) => issues.length === 0,
    }),
  }),
});

const BulkPreviewSummary = createObjectType<readonly ArticlePreview[]>('BulkUpdatePreviewSummary', {
  description: 'The items of a previewed bulk update, counted by what they would do.',
  fields: (t) => ({
    total: t.int({ description: 'The number of submitted items.', resolve: (items) => items.length }),
    changed: t.int({
      description: 'The number of items that would change something.',
      resolve: (items) => items.filter(({ changes }) => changes.length > 0).length,
    }),
    unchanged: t.int({
      description: 'The number of items that would succeed and change nothing.',
      resolve: (items) => items.filter(({ issues, changes }) => issues.length === 0 && changes.length === 0).length,
    }),
    failing: t.int({
      description: 'The number of items that would fail.',
      resolve: (items) => items.filter(({ issues }) => issues.length > 0).length,
    }),
  }),
});

const BulkUpdateArticlesPreview = createObjectType<BulkUpdatePreview>('BulkUpdateArticlesPreview', {
  description: 'What a bulk update would change, if it were sent now. Nothing was written.',
  members: {
    warnings: list(NoticeType)(
      'Warnings of the gateway about items that set `categoryId`, `hidden` or `order` of one article differently, in this order of the members; empty where there is none. The bulk update answers the same ones.',
    ),
  },
  fields: (t) => ({
    results: t.expose('items', {
      type: [ArticleUpdatePreview],
      description: 'One preview for each submitted item, in the submitted order.',
    }),
    summary: t.expose('items', {
      type: BulkPreviewSummary,
      description: 'The submitted items, counted by what they would do.',
    }),
  }),
});

const EXAMPLE = `
\`\`\`graphql
mutation {
  previewBulkUpdateArticles(input: { articles: [{ articleId: "unpack-the-hub", title: "First steps" }] }) {
    __typename
    ... on BulkUpdateArticlesPreview {
      results { articleId wouldSucceed changes { field from to } issues { path message } }
    }
  }
}
\`\`\``;

builder.mutationField('previewBulkUpdateArticles', (t) =>
  t.field({
    type: createResultType('PreviewBulkUpdateArticlesResult', {
      description: 'A preview with what each item would do, or the reason why there is none.',
      payload: BulkUpdateArticlesPreview,
      errorKinds: [...WRITE_ERROR_KINDS, 'too-costly'],
    }),
    nullable: true,
    description: `Answers what \`bulkUpdateArticles\` would change with the same input, and writes nothing. Checks the whole input, and reads the articles and the categories that they would move to. Over the service, this takes one call for the project versions, and for each project version and language one call for the list of its articles and one for its categories where articles move; articles are read themselves, one call each, where \`content\`, \`htmlContent\` or \`versionNumber\` is given, or where their text or their versions are selected. Where the input tells that these are more calls than \`MAX_UPSTREAM_CALLS\`, the answer is \`TooCostlyError\` before the first of them; never are more calls made. A mutation, so that no client keeps the answer in a cache.\n${EXAMPLE}`,
    args: {
      input: t.arg({
        type: BulkUpdateArticlesInput,
        required: true,
        description: 'The bulk update to preview, as `bulkUpdateArticles` takes it.',
      }),
    },
    resolve: (...[_root, { input }, context, info]) =>
      runMutation(context, {
        write: 'bulkUpdateArticles',
        isPreview: true,
        validation: validateArticleUpdates(input.articles, context.limits.maxBulkItems),
        send: (updates) => loadBulkUpdatePreview(authorizeRead(context), updates, extentOf(info)),
      }),
  }),
);

/** The fields between the result and its articles. */
const FIELDS_TO_ARTICLES: ReadonlySet<string> = new Set(['results', 'article']);

/** Each costs one call for each article. */
const COSTLY_FIELDS: ReadonlySet<string> = new Set(['versions']);

const extentOf = (info: GraphQLResolveInfo): PreviewExtent => ({
  withText: selectsAnyField(info, TEXT_FIELDS, FIELDS_TO_ARTICLES),
  callsPerArticle: selectsAnyField(info, COSTLY_FIELDS, FIELDS_TO_ARTICLES) ? 1 : 0,
});

async function loadBulkUpdatePreview(
  context: Context,
  updates: readonly ArticleUpdate[],
  extent: PreviewExtent,
): Promise<Result<BulkUpdatePreview, BackendError>> {
  context.budget.chargeFields(updates.length);
  const read = await context.backend.articlesOfUpdates(context.caller, updates, extent);
  if (!read.ok) return read;
  const articles = read.value;
  const targetCategories = await loadAll(context, updates, async ({ categoryId }, index): Promise<Category | null> => {
    const article = articles[index];
    if (!article || categoryId == null) return null;
    const { projectVersionId, languageCode } = article;
    return context.loaders.categories.load({ categoryId, projectVersionId, languageCode });
  });
  const titleProblem = (title: string) => context.backend.storedTextProblem?.('title', title) ?? null;
  const items = previewArticleUpdates({ updates, articles, targetCategories, titleProblem });
  return ok({ items, warnings: sharedMemberWarnings(updates) });
}
