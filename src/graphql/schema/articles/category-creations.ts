import {
  categoryKeysOf,
  findReferences,
  type References,
  userIdsOf,
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
import { nameWarnings } from '../../../core/articles/item-warnings.ts';
import { MAX_CANDIDATES, MAX_CREATED_ARTICLES, MAX_CREATED_TITLE } from '../../../core/base/limits.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { openRead, unwrapResult } from '../graphql-errors.ts';
import { addWrite } from '../mutations.ts';
import { readIfPossible } from './article-creations.ts';
import {
  countFields,
  createItemsPayload,
  itemsPayloadOf,
  notAttemptedFields,
  type OutcomeOf,
  outcomeFields,
  UpdateEvidence,
} from './article-outcomes.ts';
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

const CategoryCreateInput = builder.inputType('CategoryCreateInput', {
  description: 'A category to be created, as a folder of its project version. A member that is left out is not sent.',
  fields: (t) =>
    ({
      name: t.string({
        required: true,
        description: `The name, of 1 to ${MAX_CREATED_TITLE} characters that are not all white space.`,
      }),
      projectVersionId: t.id({
        required: true,
        description: "The service's own ID of the project version, as in `ProjectVersion.projectVersionId`.",
      }),
      parentCategoryId: t.id({
        description:
          'The ID of the category that it is put into, which exists already: a tree is created level by level. Left out or null: the top of the tree.',
      }),
      order: t.int({ description: 'The position in its parent, from 1. Left out: none. Not null.' }),
    }) satisfies Record<keyof CategoryCreationDraft, unknown>,
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

type OutcomeOfItem = OutcomeOf<CategoryCreation, CategoryCreationOutcome>;

type OutcomeOfKind<Kind extends CategoryCreationOutcome['kind']> = Extract<OutcomeOfItem, { kind: Kind }>;

const OUTCOME_TYPE_NAMES = {
  created: 'CategoryCreated',
  failed: 'CategoryCreateFailed',
  unknown: 'CategoryCreateUnknown',
  'not-attempted': 'CategoryCreateNotAttempted',
} as const satisfies Record<CategoryCreationOutcome['kind'], string>;

const CategoryCreateOutcome = builder.interfaceRef<OutcomeOfItem>('CategoryCreateOutcome').implement({
  description: 'What became of one category that was to be created. `__typename` says how the item ended.',
  resolveType: ({ kind }) => OUTCOME_TYPE_NAMES[kind],
  fields: (t) => ({
    ...outcomeFields(t),
    name: t.string({ description: 'The name, as it was submitted.', resolve: ({ item }) => item?.name ?? '' }),
  }),
});

builder.objectRef<OutcomeOfKind<'created'>>('CategoryCreated').implement({
  description: 'An item whose category was created.',
  interfaces: [CategoryCreateOutcome],
  fields: (t) => ({
    categoryId: t.exposeID('categoryId', { description: 'The ID of the new category.' }),
    category: t.field({
      type: CategoryType,
      nullable: true,
      description: 'The new category, read only where this field is selected. Null where it could not be read.',
      resolve: ({ categoryId, item }, _args, context) =>
        authorizeRead(context).loaders.categories.load({ categoryId, projectVersionId: item?.projectVersionId }),
    }),
    evidence: t.field({
      type: UpdateEvidence,
      description: 'How the gateway knows that it was created.',
      // No read proves that a category is the one that was to be made.
      resolve: () => 'ANSWER' as const,
    }),
  }),
});

builder.objectRef<OutcomeOfKind<'failed'>>('CategoryCreateFailed').implement({
  description: 'An item that the service refused. No category was created; `details` says why.',
  interfaces: [CategoryCreateOutcome],
});

builder.objectRef<OutcomeOfKind<'unknown'>>('CategoryCreateUnknown').implement({
  description:
    'An item that was sent, and of which nothing tells whether a category was created. Look at the candidates before you send the item again.',
  interfaces: [CategoryCreateOutcome],
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

builder.objectRef<OutcomeOfKind<'not-attempted'>>('CategoryCreateNotAttempted').implement({
  description: 'An item that was not sent, or that was refused before a category was created.',
  interfaces: [CategoryCreateOutcome],
  fields: notAttemptedFields,
});

const CreateCategoriesSummary = builder.objectRef<JobCounts>('CreateCategoriesSummary').implement({
  description: 'The items, counted by how they ended.',
  fields: (t) => ({
    ...countFields(t),
    created: t.exposeInt('updated', { description: 'The number of categories that were created.' }),
  }),
});

/** The preview of one item. */
interface CreationPreview extends ItemPreview, CategoryCreation, Omit<References, 'item'> {
  readonly existing: Category | null;
}

const CategoryCreatePreview = builder.objectRef<CreationPreview>('CategoryCreatePreview').implement({
  description: 'What one item would create, if it were sent now.',
  fields: (t) => ({
    ...itemPreviewFields(t),
    name: t.exposeString('name', { description: 'The name, as it was submitted.' }),
    order: t.exposeInt('order', { nullable: true, description: 'The position in the parent; null without one.' }),
    projectVersion: t.expose('projectVersion', {
      type: ProjectVersionType,
      nullable: true,
      description: 'The project version of the new category; null where it does not exist.',
    }),
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

const CreateCategoriesPreviewSummary = builder.objectRef<PreviewCounts>('CreateCategoriesPreviewSummary').implement({
  description: 'The previewed items, counted by what they would do.',
  fields: (t) => ({
    ...previewCountFields(t),
    created: t.exposeInt('changed', { description: 'The number of categories that would be created.' }),
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
    payload: createItemsPayload('CreateCategoriesPayload', {
      description: 'A create in which every submitted item has an outcome of its own.',
      outcomes: CategoryCreateOutcome,
      summary: CreateCategoriesSummary,
    }),
    errorKinds: ['too-costly'],
    toPayload: itemsPayloadOf,
  },
  preview: {
    description:
      'Answers what `createCategories` would create with the same input. Checks the whole input, the team account, the project versions and the parents, and warns of names that are there already. Over the service, this takes one call for the project versions, one for the team account, and one for the category tree of each project version.',
    selection: 'results { name wouldSucceed parent { name } issues { path message } } warnings { code description }',
    payload: createItemsPreview('CreateCategoriesPreview', {
      description: 'What a create would do, if it were sent now. Nothing was written.',
      items: CategoryCreatePreview,
      summary: CreateCategoriesPreviewSummary,
      warnings:
        'Warnings of the gateway, each with its `code`, and in `extensionData` the `indexes` of the first 100 items and their `total`: of items whose name a category in their place has already (`NAME_EXISTS`), and of items that have the name and the place of an earlier one (`NAME_REPEATED`).',
    }),
    errorKinds: ['too-costly'],
    load: loadPreview,
  },
});

async function loadPreview(context: Context, items: readonly CategoryCreation[]) {
  const { backend, budget, caller } = context;
  budget.chargeFields(items.length);
  const referring = items.map(referringOf);
  const reads = {
    versions: await backend.projectVersions(caller),
    accounts: await backend.teamAccounts(caller, userIdsOf(referring)),
    categories: await backend.categories(caller, categoryKeysOf(referring)),
  };
  const references = unwrapResult(findReferences(referring, reads, CATEGORY_INPUT));
  const search = createNameSearch(context);
  const existing = await Promise.all(
    references.map(async ({ item, issues }) => (issues.length > 0 ? null : ((await search(item))[0] ?? null))),
  );
  const results = references.map(
    ({ item, ...found }, index): CreationPreview => ({ ...item, ...found, index, existing: existing[index] ?? null }),
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
