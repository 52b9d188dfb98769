import {
  type ArticleCreation,
  type ArticleCreationDraft,
  type CreationOutcome,
  categoryKeysOf,
  findReferences,
  type References,
  userIdsOf,
  validateArticleCreations,
} from '../../../core/articles/article-creations.ts';
import type { JobCounts } from '../../../core/articles/article-update-jobs.ts';
import { titleWarnings } from '../../../core/articles/item-warnings.ts';
import { MAX_CANDIDATES, MAX_CREATED_ARTICLES, MAX_CREATED_TITLE } from '../../../core/base/limits.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { BackendGraphQLError, unwrapResult } from '../graphql-errors.ts';
import { addWrite } from '../mutations.ts';
import {
  accountInputFields,
  countFields,
  createItemsPayload,
  evidenceField,
  itemsPayloadOf,
  notAttemptedFields,
  type OutcomeOf,
  outcomeFields,
} from './article-outcomes.ts';
import { ArticleType, ContentType, loadArticle } from './articles.ts';
import {
  createItemsPreview,
  type ItemPreview,
  itemPreviewFields,
  itemsPreviewOf,
  type PreviewCounts,
  previewCountFields,
} from './bulk-updates.ts';
import { CategoryType } from './categories.ts';
import { ProjectVersionType } from './project-versions.ts';

const ArticleCreateInput = builder.inputType('ArticleCreateInput', {
  description:
    'An article to be created as a draft, in the default language of its project version. A member that is left out is not sent to the service.',
  fields: (t) =>
    ({
      title: t.string({
        required: true,
        description: `The title, of 1 to ${MAX_CREATED_TITLE} characters that are not all white space.`,
      }),
      projectVersionId: t.id({
        required: true,
        description: "The service's own ID of the project version, as in `ProjectVersion.projectVersionId`.",
      }),
      categoryId: t.id({
        description:
          'The ID of the category in that project version, as in `Category.categoryId`. Left out or null: the article is in none. Where the outcome of an article without a category ends unknown, nothing can tell whether it was created.',
      }),
      content: t.string({ description: 'The text, in the format of the editor.' }),
      contentType: t.field({ type: ContentType, description: 'The editor. Left out: that of the service. Not null.' }),
      order: t.int({ description: 'The position in its category, from 1. Left out: none. Not null.' }),
    }) satisfies Record<keyof ArticleCreationDraft, unknown>,
});

const CreateArticlesInput = builder.inputType('CreateArticlesInput', {
  description: 'The articles to create.',
  fields: (t) => accountInputFields(t, ArticleCreateInput, `from 1 to ${MAX_CREATED_ARTICLES}`),
});

type OutcomeOfItem = OutcomeOf<ArticleCreation, CreationOutcome>;

type OutcomeOfKind<Kind extends CreationOutcome['kind']> = Extract<OutcomeOfItem, { kind: Kind }>;

const OUTCOME_TYPE_NAMES = {
  created: 'ArticleCreated',
  failed: 'ArticleCreateFailed',
  unknown: 'ArticleCreateUnknown',
  'not-attempted': 'ArticleCreateNotAttempted',
} as const satisfies Record<CreationOutcome['kind'], string>;

const ArticleCreateOutcome = builder.interfaceRef<OutcomeOfItem>('ArticleCreateOutcome').implement({
  description: 'What became of one article that was to be created. `__typename` says how the item ended.',
  resolveType: ({ kind }) => OUTCOME_TYPE_NAMES[kind],
  fields: (t) => ({
    ...outcomeFields(t),
    title: t.string({ description: 'The title, as it was submitted.', resolve: ({ item }) => item?.title ?? '' }),
  }),
});

builder.objectRef<OutcomeOfKind<'created'>>('ArticleCreated').implement({
  description:
    'An item whose article was created. READ_BACK: it is the only draft in its category that has the title, the text and the contributor as sent, it was created no earlier than the call, and no other create of this gateway may have made it.',
  interfaces: [ArticleCreateOutcome],
  fields: (t) => ({
    articleId: t.exposeID('articleId', { description: 'The ID of the new article.' }),
    article: t.field({
      type: ArticleType,
      nullable: true,
      description:
        'The new article, read only where this field is selected, at the cost of `ArticleUpdated.article`. Null, with an error at this place, where it could not be read; it is created all the same.',
      resolve: (...[{ articleId }, _args, context, info]) => loadArticle({ articleId }, authorizeRead(context), info),
    }),
    evidence: evidenceField(t),
  }),
});

builder.objectRef<OutcomeOfKind<'failed'>>('ArticleCreateFailed').implement({
  description: 'An item that the service refused. No article was created; `details` says why.',
  interfaces: [ArticleCreateOutcome],
});

builder.objectRef<OutcomeOfKind<'unknown'>>('ArticleCreateUnknown').implement({
  description:
    'An item that was sent, and of which nothing tells whether an article was created. Look at the candidates before you send the item again. The same request with its `idempotencyKey` looks for it again.',
  interfaces: [ArticleCreateOutcome],
  fields: (t) => ({
    candidates: t.field({
      type: [ArticleType],
      description: `The articles of that title in that language of the project version, those that were changed last first, at most ${MAX_CANDIDATES}. Without those that cannot be read any more. An empty list proves nothing: lists of the service may lag, and may not have been readable.`,
      resolve: (...[{ candidates }, _args, context, info]) =>
        Promise.all(candidates.map((key) => readIfPossible(() => loadArticle(key, authorizeRead(context), info)))).then(
          (articles) => articles.filter((article) => article !== null),
        ),
    }),
  }),
});

/** Returns null where the read fails, since its error would replace all outcomes. */
export async function readIfPossible<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BackendGraphQLError) return null;
    throw error;
  }
}

builder.objectRef<OutcomeOfKind<'not-attempted'>>('ArticleCreateNotAttempted').implement({
  description: 'An item that was not sent, or that was refused before an article was created.',
  interfaces: [ArticleCreateOutcome],
  fields: notAttemptedFields,
});

const CreateArticlesSummary = builder.objectRef<JobCounts>('CreateArticlesSummary').implement({
  description: 'The items, counted by how they ended.',
  fields: (t) => ({
    ...countFields(t),
    created: t.exposeInt('updated', { description: 'The number of articles that were created.' }),
  }),
});

/** The preview of one item. */
interface CreationPreview extends ItemPreview, ArticleCreation, Omit<References, 'item'> {
  /** The ID of an article that has the title and is in the category; null without one. */
  readonly existingId: string | null;
}

const ArticleCreatePreview = builder.objectRef<CreationPreview>('ArticleCreatePreview').implement({
  description: 'What one item would create, if it were sent now.',
  fields: (t) => ({
    ...itemPreviewFields(t),
    title: t.exposeString('title', { description: 'The title, as it was submitted.' }),
    content: t.exposeString('content', { nullable: true, description: 'The text; null without one.' }),
    contentType: t.expose('contentType', {
      type: ContentType,
      nullable: true,
      description: 'The editor; null where it is that of the service.',
    }),
    order: t.exposeInt('order', { nullable: true, description: 'The position in the category; null without one.' }),
    projectVersion: t.expose('projectVersion', {
      type: ProjectVersionType,
      nullable: true,
      description: 'The project version of the new article; null where it does not exist.',
    }),
    languageCode: t.exposeString('languageCode', {
      nullable: true,
      description: 'The code of its language; null where the project version does not exist.',
    }),
    category: t.expose('category', {
      type: CategoryType,
      nullable: true,
      description: 'Its category; null where none was given, and where it does not exist.',
    }),
    existing: t.field({
      type: ArticleType,
      nullable: true,
      description:
        'An article of that title that is in the category already, of which a warning tells; null without one.',
      resolve: (...[{ existingId: articleId }, _args, context, info]) =>
        articleId === null ? null : loadArticle({ articleId }, context, info),
    }),
  }),
});

const CreateArticlesPreviewSummary = builder.objectRef<PreviewCounts>('CreateArticlesPreviewSummary').implement({
  description: 'The previewed items, counted by what they would do.',
  fields: (t) => ({
    ...previewCountFields(t),
    created: t.exposeInt('changed', { description: 'The number of articles that would be created.' }),
  }),
});

addWrite('createArticles', {
  input: {
    type: CreateArticlesInput,
    description: 'The articles to create.',
    example:
      '{ articles: [{ title: "Pair a sensor", projectVersionId: "fernlight-2", categoryId: "first-steps", content: "Hold the button." }], userId: "embedded-store" }',
  },
  validate: validateArticleCreations,
  write: {
    description:
      'Creates articles as drafts, and answers with an outcome for each item: created, failed, unknown or not attempted. Over the service they are sent in calls of up to 100 items (`UPSTREAM_BULK_SIZE`), one after another, never merged with those of other callers, and never twice. What ends unknown is looked for by a few reads, within `MAX_UPSTREAM_CALLS`, several times while the request lasts. Send an `idempotencyKey`, so that a repeated request creates nothing twice.',
    selection: 'results { __typename title details ... on ArticleCreated { articleId } }',
    payload: createItemsPayload('CreateArticlesPayload', {
      description: 'A create in which every submitted item has an outcome of its own.',
      outcomes: ArticleCreateOutcome,
      summary: CreateArticlesSummary,
    }),
    errorKinds: ['too-costly'],
    toPayload: itemsPayloadOf,
  },
  preview: {
    description:
      'Answers what `createArticles` would create with the same input. Checks the whole input, the team account, the project versions and the categories, and warns of titles that are there already. Over the service, this takes one call for the project versions, one for the team account, and one for the category tree of each project version; where that is more than `MAX_UPSTREAM_CALLS`, the answer is `TooCostlyError` before the first of them.',
    selection:
      'results { title wouldSucceed category { name } issues { path message } existing { articleId } } warnings { code description }',
    payload: createItemsPreview('CreateArticlesPreview', {
      description: 'What a create would do, if it were sent now. Nothing was written.',
      items: ArticleCreatePreview,
      summary: CreateArticlesPreviewSummary,
      warnings:
        'Warnings of the gateway, each with its `code`, and in `extensionData` the `indexes` of the first 100 items and their `total`: of items whose title an article in their category has already (`TITLE_EXISTS`), and of items that have the title and the category of an earlier one (`TITLE_REPEATED`), whose articles could not be looked for if their outcomes ended unknown.',
    }),
    errorKinds: ['too-costly'],
    load: loadPreview,
  },
});

async function loadPreview(context: Context, items: readonly ArticleCreation[]) {
  const { backend, budget, caller } = context;
  budget.chargeFields(items.length);
  const existingIds = (await backend.articlesWithTitles(caller, items)).map(unwrapResult);
  const references = findReferences(items, {
    versions: await backend.projectVersions(caller),
    accounts: await backend.teamAccounts(caller, userIdsOf(items)),
    categories: await backend.categories(caller, categoryKeysOf(items)),
  });
  const results = unwrapResult(references).map(
    ({ item, ...found }, index): CreationPreview => ({
      ...item,
      ...found,
      index,
      existingId: existingIds[index] ?? null,
    }),
  );
  return itemsPreviewOf(results, () => titleWarnings(items, existingIds));
}
