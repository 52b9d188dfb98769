import type { ObjectFieldBuilder, OutputRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import {
  type ArticlePreview,
  type PreviewSelection,
  previewArticleUpdates,
} from '../../../core/articles/article-previews.ts';
import { type Category, missingAccountText, usersWithout } from '../../../core/articles/articles.ts';
import { type ArticleUpdateDraft, validateArticleUpdates } from '../../../core/articles/bulk-updates.ts';
import {
  type ArticleUpdateItem,
  type IfPublished,
  type PublishedRule,
  ruleOf,
  validateIfPublished,
  withRule,
} from '../../../core/articles/forks.ts';
import { hiddenWarnings, itemWarnings, versionWarnings } from '../../../core/articles/item-warnings.ts';
import { isPlaced, revisionOf } from '../../../core/articles/revisions.ts';
import { lazily } from '../../../core/base/lazily.ts';
import type { InputIssue } from '../../../core/errors.ts';
import type { Notice } from '../../../core/notices.ts';
import { builder, type EnumValues, type SchemaTypes } from '../builder.ts';
import { type Context, loadAll } from '../context.ts';
import { FieldChangeType } from '../field-changes.ts';
import { openRead, unwrapResult } from '../graphql-errors.ts';
import { InputIssueType, NoticeType } from '../mutation-errors.ts';
import { addWrite } from '../mutations.ts';
import { selectsAnyField } from '../selected-fields.ts';
import { ArticleUpdateOutcome, BulkUpdateSummary, createItemsPayload, itemsPayloadOf } from './article-outcomes.ts';
import { ArticleType, FIELDS_WITH_CALLS, SETTABLE_STATUSES, TEXT_FIELDS } from './articles.ts';
import { CategoryType } from './categories.ts';

const TranslationStatus = builder.enumType('TranslationStatus', {
  description: "A translation status that an article can be given. The service's own digit is in brackets.",
  values: SETTABLE_STATUSES,
});

export const IF_REVISION =
  'The `revision` that was read of the article. The item is written only while the article has it; else it is not attempted (`CHANGED_SINCE`). Left out: whatever is there is overwritten. Not null.';

export const ArticleUpdateInput = builder.inputType('ArticleUpdateInput', {
  description:
    'Changes to an article in one language. A member that is left out is not sent to the service, and null is sent as null; in the embedded store both keep what is stored.',
  fields: (t) =>
    ({
      articleId: t.id({
        required: true,
        description: "The service's own ID of the article, as in `Article.articleId`. Not empty.",
      }),
      languageCode: t.string({
        description:
          "The code of the language whose text is changed, such as `en` or `pt-br`. Left out: the default language of the article's project version. Not empty. In the embedded store, a title or text in a language of the project version in which the article has none makes one, as a draft.",
      }),
      title: t.string({ description: 'The new title. An empty text is sent as it is.' }),
      content: t.string({
        description:
          'The new text, in the format of the editor of the article: Markdown, or HTML for the HTML editor. An empty text is sent as it is.',
      }),
      htmlContent: t.string({
        description: 'The new text as HTML, for articles of the HTML editor only. Used where `content` is left out.',
        deprecationReason: 'The service is going to remove it; use content.',
      }),
      categoryId: t.id({
        description:
          'The ID of the category that the article moves to, in the same project version, as in `Category.categoryId`. Left out: the article does not move. Not empty. All languages of the article share the category.',
      }),
      hidden: t.boolean({
        description: 'true hides the article from readers in all languages, false shows the article. Not null.',
      }),
      versionNumber: t.int({
        description: 'The number of the version to change, from 1. Left out: the latest version.',
      }),
      ifRevision: t.string({ description: IF_REVISION }),
      translationStatus: t.field({ type: TranslationStatus, description: 'The new translation status.' }),
      source: t.string({
        description: 'A text that the service keeps for later reference. No read returns this text.',
      }),
      order: t.int({
        description:
          'The new position of the article in its category, from 1. In the embedded store other articles keep their positions, and those with the same position are sorted by ID. Not null. All languages of the article share the position.',
      }),
    }) satisfies Record<keyof ArticleUpdateDraft, unknown>,
});

export const IfPublishedType = builder.enumType('IfPublished', {
  description:
    'What becomes of an item that sets `title`, `content`, `htmlContent` or `translationStatus` of a published version: one with the status PUBLISHED, or the public one.',
  values: {
    UPDATE: {
      description:
        'It is sent as it is. The embedded store changes the version in place; what the service does is not documented.',
    },
    FORK: {
      description:
        'The version is copied as a new draft, once for all items of it, and the item changes the draft. Readers see no change before the draft is published.',
    },
    SKIP: { description: 'It is not sent: `ArticleUpdateNotAttempted`, with the reason PUBLISHED.' },
  } satisfies EnumValues<IfPublished>,
});

const BulkUpdateArticlesInput = builder.inputType('BulkUpdateArticlesInput', {
  description: 'The articles to change in one bulk update.',
  fields: (t) => ({
    articles: t.field({
      type: [ArticleUpdateInput],
      required: true,
      description:
        'The changes, in the order in which they are made. From 1 to 10,000 items, unless the gateway is set to another maximum (`MAX_BULK_ITEMS`). The same article may be changed by several items.',
    }),
    ifPublished: t.field({
      type: IfPublishedType,
      required: true,
      defaultValue: 'UPDATE',
      description:
        'What becomes of items that change the text of a published version. With FORK and SKIP the articles of such items are read first, past the read cache; an item of which that does not tell whether its version is published is not attempted (UNAVAILABLE). Each fork takes a call to the service.',
    }),
    userId: t.id({
      description:
        'The ID of the team account that becomes the contributor of new drafts, as in `TeamAccount.userId`. Needed with FORK, and not used otherwise.',
    }),
  }),
});

const ITEM_WARNINGS =
  'items that set `categoryId`, `hidden` or `order` of one article differently, and with a `code` those that set no property to a value (`ITEM_CHANGES_NOTHING`), that set an empty title (`TITLE_EMPTY`), and that name an article with the same `languageCode` and `versionNumber` as an earlier item (`ARTICLE_REPEATED`). There is one warning of each kind at most; `extensionData` of those with a `code` has the `indexes` of the first 100 items and their `total`.';

export interface ItemPreview {
  readonly index: number;
  readonly issues: readonly InputIssue[];
  /** `changes` is absent for a write whose items always change something. */
  readonly changes?: readonly unknown[];
}

export const itemPreviewFields = (t: ObjectFieldBuilder<SchemaTypes, ItemPreview>) => ({
  index: t.exposeInt('index', { description: 'The position of the item in the submitted list, from 0.' }),
  issues: t.expose('issues', {
    type: [InputIssueType],
    description:
      'Every reason for which the item would fail, with the place in the input, such as `["input", "articles", "3", "categoryId"]`. In the order of the input; empty where none is known.',
  }),
  wouldSucceed: t.boolean({
    description: 'Whether no reason is known for which the item would fail. True if, and only if, `issues` is empty.',
    resolve: ({ issues }) => issues.length === 0,
  }),
});

const ArticleUpdatePreview = builder.objectRef<ArticlePreview>('ArticleUpdatePreview').implement({
  description: 'What one item of a bulk update, or of a publication, would do, if it were sent now.',
  fields: (t) => ({
    ...itemPreviewFields(t),
    articleId: t.exposeID('articleId', { description: 'The ID of the article, as it was submitted.' }),
    revision: t.string({
      nullable: true,
      description:
        'The revision of the article as it is now, which the write takes as `ifRevision`; null where the article does not exist, or where the service does not say when it changed.',
      resolve: ({ read }) => (read !== null && isPlaced(read) ? revisionOf(read) : null),
    }),
    movesTo: t.expose('movesTo', {
      type: CategoryType,
      nullable: true,
      description: 'The category that the article would move to; null where the article would not move.',
    }),
    changes: t.expose('changes', {
      type: [FieldChangeType],
      description:
        'The properties that would change, in this order: title, text, category, hidden, translation status, order, source, status, public version; empty where the item would fail or change nothing.',
    }),
    article: t.expose('article', {
      type: ArticleType,
      nullable: true,
      description:
        'The article as it would be before this item, after the earlier items of the list; null where the article does not exist, or not in this language.',
    }),
    wouldCreateTranslation: t.exposeBoolean('makesTranslation', {
      description:
        'Whether the item would make the text of the article in its language, which has none yet, as a draft. Over the service the update is sent, and only a read of the article afterwards shows whether it made one.',
    }),
    isPublished: t.exposeBoolean('isPublished', {
      nullable: true,
      description:
        'Whether the version that the item names or means is published; null where that was not told, or the article does not exist.',
    }),
    wouldFork: t.exposeBoolean('wouldFork', {
      description: 'Whether the item would go to a new draft of the published version (`ifPublished: FORK`).',
    }),
  }),
});

export interface PreviewCounts {
  readonly total: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly failing: number;
}

export const previewCountFields = (t: ObjectFieldBuilder<SchemaTypes, PreviewCounts>) => ({
  total: t.exposeInt('total', { description: 'The number of submitted items.' }),
  failing: t.exposeInt('failing', { description: 'The number of items that would fail.' }),
});

const BulkPreviewSummary = builder.objectRef<PreviewCounts>('BulkUpdatePreviewSummary').implement({
  description: 'The items of a previewed bulk update, counted by what they would do.',
  fields: (t) => ({
    ...previewCountFields(t),
    changed: t.exposeInt('changed', { description: 'The number of items that would change something.' }),
    unchanged: t.exposeInt('unchanged', { description: 'The number of items that would succeed and change nothing.' }),
  }),
});

interface ItemsPreview<Item> {
  readonly results: readonly Item[];
  readonly summary: PreviewCounts;
  readonly itemWarnings: () => readonly Notice[];
}

export function itemsPreviewOf<Item extends ItemPreview>(
  results: readonly Item[],
  warn: () => readonly Notice[] = () => [],
): ItemsPreview<Item> {
  const total = results.length;
  const failing = results.filter(({ issues }) => issues.length > 0).length;
  const unchanged = results.filter(({ issues, changes }) => issues.length === 0 && changes?.length === 0).length;
  return {
    results,
    summary: { total, changed: total - failing - unchanged, unchanged, failing },
    itemWarnings: lazily(warn),
  };
}

interface ItemsPreviewOptions<Item> {
  readonly description: string;
  readonly items: OutputRef<Item>;
  readonly summary: OutputRef<PreviewCounts>;
  /** The description of the warnings of the gateway; absent where it gives none. */
  readonly warnings?: string | undefined;
}

export const createItemsPreview = <Item>(
  name: string,
  { description, items, summary, warnings }: ItemsPreviewOptions<Item>,
) =>
  builder.objectRef<ItemsPreview<Item>>(name).implement({
    description,
    fields: (t) => ({
      results: t.expose('results', {
        type: [items],
        description: 'One preview for each submitted item, in the submitted order.',
      }),
      summary: t.expose('summary', {
        type: summary,
        description: 'The submitted items, counted by what they would do.',
      }),
      ...(warnings !== undefined && {
        warnings: t.field({
          type: [NoticeType],
          description: warnings,
          resolve: ({ itemWarnings }) => itemWarnings(),
        }),
      }),
    }),
  });

export const createArticlesPreview = (name: string, description: string, warnings?: string) =>
  createItemsPreview(name, { description, items: ArticleUpdatePreview, summary: BulkPreviewSummary, warnings });

addWrite('bulkUpdateArticles', {
  input: {
    type: BulkUpdateArticlesInput,
    description: 'The articles to change.',
    example: '{ articles: [{ articleId: "unpack-the-hub", title: "First steps", hidden: false }] }',
  },
  *validate({ articles, ifPublished, userId }, maxItems) {
    const updates = yield* validateArticleUpdates(articles, maxItems);
    return ifPublished === 'UPDATE' ? updates : withRule(updates, yield* validateIfPublished(ifPublished, userId));
  },
  write: {
    description:
      'Changes many articles, and answers with an outcome for each item: updated, failed, unknown or not attempted. Items are taken in their order; over the service the list is sent in calls of up to 100 items (`UPSTREAM_BULK_SIZE`), one after another. Nothing that may have been applied is sent twice, with one exception: items that were merged into one call with those of other callers, which the service then refused, are sent once more alone.',
    selection: 'results { __typename index articleId details retryable }',
    payload: createItemsPayload('BulkUpdateArticlesPayload', {
      description: 'A bulk update in which every submitted item has an outcome of its own.',
      outcomes: ArticleUpdateOutcome,
      summary: BulkUpdateSummary,
      ownWarnings: `${ITEM_WARNINGS} Over the service also those that left out \`hidden\` where the API token may not read whether their articles are hidden (\`HIDDEN_NOT_KNOWN\`).`,
    }),
    errorKinds: ['too-costly'],
    toPayload: (written, updates, caller) => ({
      ...itemsPayloadOf(written, updates, caller),
      itemWarnings: lazily(() => [...itemWarnings(updates), ...hiddenWarnings(written.value.outcomes)]),
    }),
  },
  preview: {
    description:
      'Answers what `bulkUpdateArticles` would change with the same input. Checks the whole input, and reads the articles and the categories that they would move to. Over the service, this takes one call for the project versions, and for each project version and language one call for its categories with their articles; articles are read themselves, one call each, where no category has them, where `content`, `htmlContent` or `versionNumber` is given, or where their text or their versions are selected. Where the input tells that these are more calls than `MAX_UPSTREAM_CALLS`, the answer is `TooCostlyError` before the first of them; never are more calls made.',
    selection: 'results { articleId wouldSucceed changes { field from to } issues { path message } }',
    payload: createArticlesPreview(
      'BulkUpdateArticlesPreview',
      'What a bulk update would change, if it were sent now. Nothing was written.',
      `Warnings of the gateway about items that change the text of a published version without a fork (\`ITEM_PUBLISHED\`), and of the latest version where that is a draft and an older one is public (\`ITEM_HAS_DRAFT\`), and, as the bulk update answers them, about ${ITEM_WARNINGS}`,
    ),
    errorKinds: ['too-costly'],
    load: (context, updates, info) => loadPreview(context, updates, previewSelectionOf(info)),
  },
});

const FIELDS_TO_ARTICLES: ReadonlySet<string> = new Set(['results', 'article']);

const REVISION_FIELD: ReadonlySet<string> = new Set(['revision']);

export const previewSelectionOf = (info: GraphQLResolveInfo): PreviewSelection => ({
  withText: selectsAnyField(info, TEXT_FIELDS, FIELDS_TO_ARTICLES),
  withRevision: selectsAnyField(info, REVISION_FIELD, FIELDS_TO_ARTICLES),
  callsPerArticle: FIELDS_WITH_CALLS.filter((field) => selectsAnyField(info, new Set([field]), FIELDS_TO_ARTICLES))
    .length,
});

async function loadPreview(context: Context, updates: readonly ArticleUpdateItem[], selected: PreviewSelection) {
  context.budget.chargeFields(updates.length);
  const rules = updates.flatMap((item) => ruleOf(item) ?? []);
  const withPublicVersion = rules.length > 0 || selected.withPublicVersion === true;
  const selection = { ...selected, withPublicVersion, withUntranslated: true };
  const articles = await openRead(context.backend.articlesOfUpdates(context.caller, updates, selection));
  const targetCategories = await loadAll(context, updates, async ({ categoryId }, index): Promise<Category | null> => {
    const article = articles[index];
    if (!article || categoryId == null) return null;
    const { projectVersionId, languageCode } = article;
    return context.loaders.categories.load({ categoryId, projectVersionId, languageCode });
  });
  const titleProblem = (title: string) => context.backend.storedTextProblem?.('title', title) ?? null;
  const items = previewArticleUpdates({ updates, articles, targetCategories, titleProblem });
  const previews = await withAccountIssues(context, items, rules);
  return itemsPreviewOf(previews, () => [...itemWarnings(updates), ...versionWarnings(previews, updates)]);
}

/** Items that would be forked fail where their team account does not exist. */
async function withAccountIssues(
  { backend, caller }: Context,
  previews: readonly ArticlePreview[],
  rules: readonly PublishedRule[],
): Promise<readonly ArticlePreview[]> {
  const [rule] = rules;
  if (rule?.kind !== 'FORK' || !previews.some(({ wouldFork }) => wouldFork)) return previews;
  const { userId } = rule;
  const missing = unwrapResult(usersWithout(await backend.teamAccounts(caller, [userId]), [userId]));
  if (missing.size === 0) return previews;
  const issue = { path: ['userId'], message: missingAccountText(userId) };
  return previews.map((preview) =>
    preview.wouldFork ? { ...preview, issues: [issue], changes: [], movesTo: null, wouldFork: false } : preview,
  );
}
