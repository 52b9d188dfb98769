import type { InputFieldBuilder, ObjectFieldBuilder, OutputRef } from '@pothos/core';
import {
  type ArticleCreation,
  type ArticleCreationDraft,
  type CreationOutcome,
  categoryKeysOf,
  findReferences,
  type References,
  type Referring,
  userIdsOf,
  validateArticleCreations,
} from '../../../core/articles/article-creations.ts';
import type { JobCounts } from '../../../core/articles/article-update-jobs.ts';
import type { Category } from '../../../core/articles/articles.ts';
import {
  CATEGORY_INPUT,
  type CategoryCreation,
  type CategoryCreationDraft,
  type CategoryCreationOutcome,
  hasName,
  referringOf,
  validateCategoryCreations,
} from '../../../core/articles/category-creations.ts';
import { nameWarnings, titleWarnings } from '../../../core/articles/item-warnings.ts';
import { MAX_CANDIDATES, MAX_CREATED_ARTICLES, MAX_CREATED_TITLE } from '../../../core/base/limits.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { BackendGraphQLError, openRead, unwrapResult } from '../graphql-errors.ts';
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

// The creates of articles and of categories: what they have in common, then each.

type Creation = ArticleCreation | CategoryCreation;

type OutcomeOfCreation = OutcomeOf<Creation, CreationOutcome | CategoryCreationOutcome>;

/** An outcome of a kind: of an article, of a category, or of any. */
type OutcomeOfKind<Kind extends CreationOutcome['kind'], Outcome = OutcomeOfCreation> = Extract<
  Outcome,
  { kind: Kind }
>;

type CreationPreview<Item extends Creation> = ItemPreview & Item & Omit<References, 'item'>;

/** The words of one create in names and descriptions. */
interface CreationWords {
  readonly type: 'Article' | 'Category';
  readonly many: 'Articles' | 'Categories';
  readonly label: 'title' | 'name';
  /** What it is put into. */
  readonly parent: 'category' | 'parent';
}

const labelOf = (item: Creation): string => ('title' in item ? item.title : item.name);

/** The members of an item that both inputs have. `label` is its title or name. */
const creationInputFields = (t: InputFieldBuilder<SchemaTypes, 'InputObject'>, { label, parent }: CreationWords) => ({
  label: t.string({
    required: true,
    description: `The ${label}, of 1 to ${MAX_CREATED_TITLE} characters that are not all white space.`,
  }),
  projectVersionId: t.id({
    required: true,
    description: "The service's own ID of the project version, as in `ProjectVersion.projectVersionId`.",
  }),
  order: t.int({ description: `The position in its ${parent}, from 1. Left out: none. Not null.` }),
});

/** Creates the payload of a create with the types of its outcomes, but for those of the kinds `created` and `unknown`. */
function createCreationPayload({ type, many, label }: CreationWords) {
  const noun = type.toLowerCase();
  const typeNames = {
    created: `${type}Created`,
    failed: `${type}CreateFailed`,
    unknown: `${type}CreateUnknown`,
    'not-attempted': `${type}CreateNotAttempted`,
  } as const satisfies Record<OutcomeOfCreation['kind'], string>;
  const outcomes = builder.interfaceRef<OutcomeOfCreation>(`${type}CreateOutcome`).implement({
    description: `What became of one ${noun} that was to be created. \`__typename\` says how the item ended.`,
    resolveType: ({ kind }) => typeNames[kind],
    fields: (t) => ({
      ...outcomeFields(t),
      [label]: t.string({
        description: `The ${label}, as it was submitted.`,
        resolve: ({ item }) => (item === undefined ? '' : labelOf(item)),
      }),
    }),
  });
  builder.objectRef<OutcomeOfKind<'failed'>>(typeNames.failed).implement({
    description: `An item that the service refused. No ${noun} was created; \`details\` says why.`,
    interfaces: [outcomes],
  });
  builder.objectRef<OutcomeOfKind<'not-attempted'>>(typeNames['not-attempted']).implement({
    description: `An item that was not sent, or that was refused before ${type === 'Article' ? 'an' : 'a'} ${noun} was created.`,
    interfaces: [outcomes],
    fields: notAttemptedFields,
  });
  const summary = builder.objectRef<JobCounts>(`Create${many}Summary`).implement({
    description: 'The items, counted by how they ended.',
    fields: (t) => ({
      ...countFields(t),
      created: t.exposeInt('updated', { description: `The number of ${many.toLowerCase()} that were created.` }),
    }),
  });
  const description = 'A create in which every submitted item has an outcome of its own.';
  return { outcomes, payload: createItemsPayload(`Create${many}Payload`, { description, outcomes, summary }) };
}

/** The fields that the previews of items of both creates have. */
const creationPreviewFields = (
  t: ObjectFieldBuilder<SchemaTypes, CreationPreview<Creation>>,
  { type, label, parent }: CreationWords,
) => ({
  ...itemPreviewFields(t),
  [label]: t.string({ description: `The ${label}, as it was submitted.`, resolve: labelOf }),
  order: t.exposeInt('order', { nullable: true, description: `The position in the ${parent}; null without one.` }),
  projectVersion: t.expose('projectVersion', {
    type: ProjectVersionType,
    nullable: true,
    description: `The project version of the new ${type.toLowerCase()}; null where it does not exist.`,
  }),
});

/** Creates the preview of a create. `warnings` says of which items the gateway warns. */
function createCreationPreview<Item>({ many }: CreationWords, items: OutputRef<Item>, warnings: string) {
  const summary = builder.objectRef<PreviewCounts>(`Create${many}PreviewSummary`).implement({
    description: 'The previewed items, counted by what they would do.',
    fields: (t) => ({
      ...previewCountFields(t),
      created: t.exposeInt('changed', { description: `The number of ${many.toLowerCase()} that would be created.` }),
    }),
  });
  return createItemsPreview(`Create${many}Preview`, {
    description: 'What a create would do, if it were sent now. Nothing was written.',
    items,
    summary,
    warnings: `Warnings of the gateway, each with its \`code\`, and in \`extensionData\` the \`indexes\` of the first 100 items and their \`total\`: ${warnings}`,
  });
}

/** Reads what items refer to. */
async function loadReferences<Item extends Referring>(
  { backend, budget, caller }: Context,
  items: readonly Item[],
  names?: Parameters<typeof findReferences>[2],
): Promise<readonly References<Item>[]> {
  budget.chargeFields(items.length);
  const reads = {
    versions: await backend.projectVersions(caller),
    accounts: await backend.teamAccounts(caller, userIdsOf(items)),
    categories: await backend.categories(caller, categoryKeysOf(items)),
  };
  return unwrapResult(findReferences(items, reads, names));
}

/** Returns null where the read fails, since its error would replace all outcomes. */
async function readIfPossible<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BackendGraphQLError) return null;
    throw error;
  }
}

const ARTICLE_WORDS: CreationWords = { type: 'Article', many: 'Articles', label: 'title', parent: 'category' };

const ArticleCreateInput = builder.inputType('ArticleCreateInput', {
  description:
    'An article to be created as a draft, in the default language of its project version. A member that is left out is not sent to the service.',
  fields: (t) => {
    const { label: title, ...shared } = creationInputFields(t, ARTICLE_WORDS);
    return {
      title,
      ...shared,
      categoryId: t.id({
        description:
          'The ID of the category in that project version, as in `Category.categoryId`. Left out or null: the article is in none. Where the outcome of an article without a category ends unknown, nothing can tell whether it was created.',
      }),
      content: t.string({ description: 'The text, in the format of the editor.' }),
      contentType: t.field({ type: ContentType, description: 'The editor. Left out: that of the service. Not null.' }),
    } satisfies Record<keyof ArticleCreationDraft, unknown>;
  },
});

const CreateArticlesInput = builder.inputType('CreateArticlesInput', {
  description: 'The articles to create.',
  fields: (t) => accountInputFields(t, ArticleCreateInput, `from 1 to ${MAX_CREATED_ARTICLES}`),
});

type ArticleOutcome = OutcomeOf<ArticleCreation, CreationOutcome>;

const ofArticles = createCreationPayload(ARTICLE_WORDS);

builder.objectRef<OutcomeOfKind<'created', ArticleOutcome>>('ArticleCreated').implement({
  description:
    'An item whose article was created. READ_BACK: it is the only draft in its category that has the title, the text and the contributor as sent, it was created no earlier than the call, and no other create of this gateway may have made it.',
  interfaces: [ofArticles.outcomes],
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

builder.objectRef<OutcomeOfKind<'unknown', ArticleOutcome>>('ArticleCreateUnknown').implement({
  description:
    'An item that was sent, and of which nothing tells whether an article was created. Look at the candidates before you send the item again. The same request with its `idempotencyKey` looks for it again.',
  interfaces: [ofArticles.outcomes],
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

interface ArticlePreview extends CreationPreview<ArticleCreation> {
  /** The ID of an article that has the title and is in the category; null without one. */
  readonly existingId: string | null;
}

const ArticleCreatePreview = builder.objectRef<ArticlePreview>('ArticleCreatePreview').implement({
  description: 'What one item would create, if it were sent now.',
  fields: (t) => ({
    ...creationPreviewFields(t, ARTICLE_WORDS),
    content: t.exposeString('content', { nullable: true, description: 'The text; null without one.' }),
    contentType: t.expose('contentType', {
      type: ContentType,
      nullable: true,
      description: 'The editor; null where it is that of the service.',
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
    payload: ofArticles.payload,
    errorKinds: ['too-costly'],
    toPayload: itemsPayloadOf,
  },
  preview: {
    description:
      'Answers what `createArticles` would create with the same input. Checks the whole input, the team account, the project versions and the categories, and warns of titles that are there already. Over the service, this takes one call for the project versions, one for the team account, and one for the category tree of each project version; where that is more than `MAX_UPSTREAM_CALLS`, the answer is `TooCostlyError` before the first of them.',
    selection:
      'results { title wouldSucceed category { name } issues { path message } existing { articleId } } warnings { code description }',
    payload: createCreationPreview(
      ARTICLE_WORDS,
      ArticleCreatePreview,
      'of items whose title an article in their category has already (`TITLE_EXISTS`), and of items that have the title and the category of an earlier one (`TITLE_REPEATED`), whose articles could not be looked for if their outcomes ended unknown.',
    ),
    errorKinds: ['too-costly'],
    load: loadArticlesPreview,
  },
});

async function loadArticlesPreview(context: Context, items: readonly ArticleCreation[]) {
  const existingIds = (await context.backend.articlesWithTitles(context.caller, items)).map(unwrapResult);
  const references = await loadReferences(context, items);
  const results = references.map(
    ({ item, ...found }, index): ArticlePreview => ({
      ...item,
      ...found,
      index,
      existingId: existingIds[index] ?? null,
    }),
  );
  return itemsPreviewOf(results, () => titleWarnings(items, existingIds));
}

const CATEGORY_WORDS: CreationWords = { type: 'Category', many: 'Categories', label: 'name', parent: 'parent' };

const CategoryCreateInput = builder.inputType('CategoryCreateInput', {
  description: 'A category to be created, as a folder of its project version. A member that is left out is not sent.',
  fields: (t) => {
    const { label: name, ...shared } = creationInputFields(t, CATEGORY_WORDS);
    return {
      name,
      ...shared,
      parentCategoryId: t.id({
        description:
          'The ID of the category that it is put into, which exists already: a tree is created level by level. Left out or null: the top of the tree.',
      }),
    } satisfies Record<keyof CategoryCreationDraft, unknown>;
  },
});

const CreateCategoriesInput = builder.inputType('CreateCategoriesInput', {
  description: 'The categories to create.',
  fields: (t) => ({
    categories: t.field({
      type: [CategoryCreateInput],
      required: true,
      description: `The categories, in their order, from 1 to ${MAX_CREATED_ARTICLES}.`,
    }),
    userId: t.id({ description: 'The ID of the team account in whose name it is done, as in `TeamAccount.userId`.' }),
  }),
});

type CategoryOutcome = OutcomeOf<CategoryCreation, CategoryCreationOutcome>;

const ofCategories = createCreationPayload(CATEGORY_WORDS);

builder.objectRef<OutcomeOfKind<'created', CategoryOutcome>>('CategoryCreated').implement({
  description: 'An item whose category was created.',
  interfaces: [ofCategories.outcomes],
  fields: (t) => ({
    categoryId: t.exposeID('categoryId', { description: 'The ID of the new category.' }),
    category: t.field({
      type: CategoryType,
      nullable: true,
      description: 'The new category, read only where this field is selected. Null where it could not be read.',
      resolve: ({ categoryId, item }, _args, context) =>
        authorizeRead(context).loaders.categories.load({ categoryId, projectVersionId: item?.projectVersionId }),
    }),
    // No read proves that a category is the one that was to be made.
    evidence: evidenceField(t),
  }),
});

builder.objectRef<OutcomeOfKind<'unknown', CategoryOutcome>>('CategoryCreateUnknown').implement({
  description:
    'An item that was sent, and of which nothing tells whether a category was created. Look at the candidates before you send the item again.',
  interfaces: [ofCategories.outcomes],
  fields: (t) => ({
    candidates: t.field({
      type: [CategoryType],
      description: `The categories of that name in that place, read when this field is selected, at most ${MAX_CANDIDATES}. An empty list proves nothing: lists of the service may lag, and may not have been readable.`,
      resolve: async ({ item }, _args, context) => {
        const reader = authorizeRead(context);
        const found = item && (await readIfPossible(async () => createNameSearch(reader)(item)));
        return (found ?? []).slice(0, MAX_CANDIDATES);
      },
    }),
  }),
});

interface CategoryPreview extends CreationPreview<CategoryCreation> {
  readonly existing: Category | null;
}

const CategoryCreatePreview = builder.objectRef<CategoryPreview>('CategoryCreatePreview').implement({
  description: 'What one item would create, if it were sent now.',
  fields: (t) => ({
    ...creationPreviewFields(t, CATEGORY_WORDS),
    parent: t.expose('category', {
      type: CategoryType,
      nullable: true,
      description: 'The category that it is put into; null at the top of the tree, and where it does not exist.',
    }),
    existing: t.expose('existing', {
      type: CategoryType,
      nullable: true,
      description: 'A category of that name that is there already, of which a warning tells; null without one.',
    }),
  }),
});

addWrite('createCategories', {
  input: {
    type: CreateCategoriesInput,
    description: 'The categories to create.',
    example: '{ categories: [{ name: "Sensors", projectVersionId: "fernlight-2", parentCategoryId: "first-steps" }] }',
  },
  validate: validateCategoryCreations,
  write: {
    description:
      'Creates categories whose parents exist, and answers with an outcome for each item: created, failed, unknown or not attempted. Over the service they are sent in calls of up to 100 items (`UPSTREAM_BULK_SIZE`), one after another, and never twice. Send an `idempotencyKey`, so that a repeated request creates nothing twice.',
    selection: 'results { __typename name details ... on CategoryCreated { categoryId } }',
    payload: ofCategories.payload,
    errorKinds: ['too-costly'],
    toPayload: itemsPayloadOf,
  },
  preview: {
    description:
      'Answers what `createCategories` would create with the same input. Checks the whole input, the team account, the project versions and the parents, and warns of names that are there already. Over the service, this takes one call for the project versions, one for the team account, and one for the category tree of each project version.',
    selection: 'results { name wouldSucceed parent { name } issues { path message } } warnings { code description }',
    payload: createCreationPreview(
      CATEGORY_WORDS,
      CategoryCreatePreview,
      'of items whose name a category in their place has already (`NAME_EXISTS`), and of items that have the name and the place of an earlier one (`NAME_REPEATED`).',
    ),
    errorKinds: ['too-costly'],
    load: loadCategoriesPreview,
  },
});

async function loadCategoriesPreview(context: Context, items: readonly CategoryCreation[]) {
  const references = await loadReferences(context, items.map(referringOf), CATEGORY_INPUT);
  const search = createNameSearch(context);
  const existing = await Promise.all(
    references.map(async ({ item, issues }) => (issues.length > 0 ? null : ((await search(item))[0] ?? null))),
  );
  const results = references.map(
    ({ item, ...found }, index): CategoryPreview => ({ ...item, ...found, index, existing: existing[index] ?? null }),
  );
  return itemsPreviewOf(results, () => nameWarnings(items, existing));
}

/** Finds the categories with the name of an item in its place. The top of each tree is read once. */
function createNameSearch({ backend, caller, loaders }: Context) {
  const tops = new Map<string, Promise<readonly Category[] | null>>();
  const readTop = (projectVersionId: string) => {
    const reading = tops.get(projectVersionId) ?? openRead(backend.rootCategories(caller, { projectVersionId }));
    tops.set(projectVersionId, reading);
    return reading;
  };
  return async (item: CategoryCreation): Promise<readonly Category[]> => {
    const { projectVersionId, parentCategoryId: categoryId } = item;
    const parent = categoryId == null ? null : await loaders.categories.load({ categoryId, projectVersionId });
    const siblings =
      categoryId == null ? await readTop(projectVersionId) : parent && loaders.childCategories.load(parent);
    return ((await siblings) ?? []).filter((category) => hasName(category, item));
  };
}
