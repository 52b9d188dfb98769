import type { ObjectFieldBuilder, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type {
  Article,
  ArticleFilter,
  ArticleKey,
  ArticleOrder,
  ArticleSelection,
  ArticleVersion,
  TeamAccount,
} from '../../../core/articles/articles.ts';
import { isPlaced, revisionOf } from '../../../core/articles/revisions.ts';
import { parseSearchText } from '../../../core/articles/search-words.ts';
import type { Page } from '../../../core/backend.ts';
import { LazyEdge, withNodes } from '../../../core/base/pages.ts';
import { idProblem, textProblem } from '../../../core/base/text.ts';
import { builder, globalId, NodeInterface, type SchemaTypes } from '../builder.ts';
import { connectionOf, createConnectionType, pageArgs, selectsItemsOnly, toPageRequest } from '../connections.ts';
import { authorizeRead, type Context } from '../context.ts';
import { invalidArgumentError, openRead } from '../graphql-errors.ts';
import { selectsAnyField } from '../selected-fields.ts';

/** The statuses that both reads and updates have. */
export const SETTABLE_STATUSES = {
  NONE: { description: 'There is nothing to translate ("0").' },
  NEEDS_TRANSLATION: {
    description: 'The text in another language has changed, and the translation has to follow ("1").',
  },
  TRANSLATED: { description: 'The translation is up to date ("2").' },
} as const;

const ArticleTranslationStatusType = builder.enumType('ArticleTranslationStatus', {
  description: "The translation status of an article, as reads return it. The service's own digit is in brackets.",
  values: {
    ...SETTABLE_STATUSES,
    IN_PROGRESS: { description: 'The translation is being made ("3"). No update can set this status.' },
    UNRECOGNIZED: { description: 'A status that this version of the gateway does not know.' },
  },
});

export const ContentType = builder.enumType('ArticleContentType', {
  description: 'An editor that articles are written with.',
  values: {
    MARKDOWN: { description: 'The Markdown editor. The text is in `content`.' },
    WYSIWYG: { description: 'The HTML editor. The text is in `htmlContent`.' },
    BLOCK: { description: 'The block editor. The text is in `content`.' },
  },
});

const ArticleStatusType = builder.enumType('ArticleStatus', {
  description: 'Whether a version of an article is published.',
  values: {
    DRAFT: { description: 'It is being written (0).' },
    PUBLISHED: { description: 'It was published (3).' },
    UNRECOGNIZED: { description: 'A status that this version of the gateway does not know.' },
  },
});

const personFields = (t: ObjectFieldBuilder<SchemaTypes, TeamAccount>) => ({
  userId: t.exposeID('userId', {
    description: "The service's own ID of the team account, which writes take as `userId`.",
  }),
  firstName: t.exposeString('firstName', {
    nullable: true,
    description: 'The first name; null where the service has none.',
  }),
  lastName: t.exposeString('lastName', {
    nullable: true,
    description: 'The last name; null where the service has none.',
  }),
});

export const TeamAccountType = builder.objectRef<TeamAccount>('TeamAccount').implement({
  description: 'A person who works on the knowledge base. Addresses of people are not shown.',
  interfaces: [NodeInterface],
  fields: (t) => ({ id: globalId(t), ...personFields(t) }),
});

const ArticleAuthorType = builder.objectRef<TeamAccount>('ArticleAuthor').implement({
  description: 'A person who wrote a version of an article. Addresses of people are not shown.',
  fields: personFields,
});

/** Loads the text of an article that comes from a list, where articles have none. All articles of a list are one batch. */
const loadWholeArticle = async (article: Article, { loaders }: Context): Promise<Article> =>
  article.content === undefined ? ((await loaders.articles.load(loaderKeyOf(article))) ?? article) : article;

async function loadTextField(
  article: Article,
  field: 'content' | 'htmlContent',
  context: Context,
): Promise<string | null> {
  return (await loadWholeArticle(article, context))[field] ?? null;
}

export const TEXT_FIELDS: ReadonlySet<string> = new Set(['content', 'htmlContent']);

type Detail = 'description' | 'createdAt' | 'createdBy' | 'authors';

const DETAIL_FIELDS: ReadonlySet<string> = new Set<Detail>(['description', 'createdAt', 'createdBy', 'authors']);

/** Returns a detail of an article, without a promise where the article has it. Articles that come from a list have none. */
function loadDetail<Name extends Detail>(article: Article, name: Name, { loaders }: Context) {
  const known = article[name];
  if (known !== undefined) return known;
  return loaders.articleDetails.load(loaderKeyOf(article)).then((found) => found?.[name] ?? null);
}

const loadDetailedArticle = async (article: Article, { loaders }: Context): Promise<Article> =>
  article.createdAt === undefined ? ((await loaders.articleDetails.load(loaderKeyOf(article))) ?? article) : article;

/**
 * Returns the revision of an article, without a promise where the article shows all that it is made of. It is that of the
 * read which the other fields of the article come from, so that it is never newer than these.
 */
function loadRevision(article: Article, context: Context): string | null | Promise<string | null> {
  if (article.modifiedAt !== null && isPlaced(article)) return revisionOf(article);
  return article.modifiedAt === null && article.createdAt === undefined
    ? loadDetailedArticle(article, context).then((detailed) => placeAndRevise(detailed, context))
    : placeAndRevise(article, context);
}

async function placeAndRevise(article: Article, { loaders }: Context): Promise<string | null> {
  if (isPlaced(article)) return revisionOf(article);
  const category = await loaders.categoriesOfArticles.load(article);
  return revisionOf({ ...article, categoryId: category?.categoryId ?? null });
}

/**
 * Loads the whole articles of a list when their text is selected, or their details. One read for all selected fields keeps a
 * response from showing the title of one write and the text of another. An article that cannot be loaded keeps the fields
 * of the list, and each of its other fields is an error.
 */
async function completeArticles(
  articles: readonly Article[],
  context: Context,
  info: GraphQLResolveInfo,
): Promise<readonly Article[]> {
  const selection = selectionOf(info);
  if (selection === 'summary') return articles;
  const load = selection === 'whole' ? loadWholeArticle : loadDetailedArticle;
  return Promise.all(articles.map((article) => load(article, context).catch(() => article)));
}

function selectionOf(info: GraphQLResolveInfo): ArticleSelection {
  if (selectsAnyField(info, TEXT_FIELDS)) return 'whole';
  return selectsAnyField(info, DETAIL_FIELDS) ? 'details' : 'summary';
}

const LOADERS = {
  whole: 'articles',
  details: 'articleDetails',
  summary: 'articleSummaries',
} as const satisfies Record<ArticleSelection, keyof Context['loaders']>;

export const loadArticle = (key: ArticleKey, { loaders }: Context, info: GraphQLResolveInfo): Promise<Article | null> =>
  loaders[LOADERS[selectionOf(info)]].load(key);

const loaderKeyOf = ({ articleId, languageCode, versionNumber, pinned }: Article) => ({
  articleId,
  languageCode,
  ...(pinned && { versionNumber }),
});

const ArticleVersionType = builder.objectRef<ArticleVersion>('ArticleVersion').implement({
  description:
    'One version of an article in one language, without its text. `Query.article` reads the text by the number of the version.',
  fields: (t) => ({
    versionNumber: t.exposeInt('versionNumber', { description: 'The number of the version, from 1.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the version was begun; null where that is not known.',
    }),
    modifiedAt: t.expose('modifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the version was last changed; null where that is not known.',
    }),
    status: t.exposeString('status', {
      nullable: true,
      description:
        '`draft` or `published`; another status as the number that the service uses, such as `1`; null where that is not known.',
    }),
  }),
});

const DETAIL_COST = 'Over the service, it costs one call for each article of a list, together with `content`.';

export const ArticleType: ObjectRef<SchemaTypes, Article> = builder.objectRef<Article>('Article').implement({
  description: 'An article in one language: the latest version, or the version that was asked for by its number.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    articleId: t.exposeID('articleId', {
      description: "The service's own ID of the article, the same in every language and version.",
    }),
    languageCode: t.exposeString('languageCode', {
      description: 'The code of the language that title and text are in, such as `en` or `pt-br`.',
    }),
    versionNumber: t.exposeInt('versionNumber', {
      description: 'The number of the version that title and text are of, from 1.',
    }),
    latestVersionNumber: t.exposeInt('latestVersionNumber', {
      nullable: true,
      description: 'The number of the latest version in this language; null where the service does not say.',
    }),
    title: t.exposeString('title', {
      nullable: true,
      description: 'The title in this language; null where the service has none.',
    }),
    slug: t.exposeString('slug', {
      nullable: true,
      description:
        'The last segment of the address of the article, in the embedded store the same in all languages; null where the service does not say.',
    }),
    hidden: t.exposeBoolean('hidden', {
      description: 'Whether the article is hidden from readers, the same in all languages.',
    }),
    order: t.exposeInt('order', {
      nullable: true,
      description:
        'The position of the article in its category, from 1, the same in all languages; null where none is set.',
    }),
    id: globalId(
      t,
      'The global ID of the article in this language, and of this version where the version was asked for by its number. Opaque, such as `WyJBcnRpY2xlIiwidW5wYWNrLXRoZS1odWIiLCJlbiJd`; `Query.node` finds the article by this ID.',
    ),
  }),
});

builder.objectFields(ArticleType, (t) => ({
  translationStatus: t.expose('translationStatus', {
    type: ArticleTranslationStatusType,
    nullable: true,
    description: 'The translation status in this language; null where none is set.',
  }),
  contentType: t.expose('contentType', {
    type: ContentType,
    nullable: true,
    description:
      'The editor that the article is written with, in the embedded store the same in all languages; null where the service does not say.',
  }),
  modifiedAt: t.expose('modifiedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When this version was last changed; null where that is not known.',
  }),
  status: t.expose('status', {
    type: ArticleStatusType,
    nullable: true,
    description: 'The status of this version; null where the service does not say.',
  }),
  publicVersionNumber: t.exposeInt('publicVersionNumber', {
    nullable: true,
    description: 'The number of the version that readers see in this language; null where nothing is published.',
  }),
  revision: t.string({
    nullable: true,
    description:
      'An opaque text that is another one as soon as the article changes in this language, except for its `order`. Writes take it as `ifRevision`. Null where the service does not say when the article changed. Over the service, it costs the category tree of a list, and one call for each article whose list shows no time.',
    resolve: (article, _args, context) => loadRevision(article, context),
  }),
  url: t.exposeString('url', {
    nullable: true,
    description:
      'The address of the article in the knowledge base, in the embedded store the same in all languages; null where the service does not say.',
  }),
}));

/** Null where a time is not known. */
async function isStale(article: Article, { loaders }: Context): Promise<boolean | null> {
  const { modifiedAt } = article;
  const inDefault = modifiedAt && (await loaders.defaultLanguageTimes.load(article));
  return inDefault && modifiedAt && modifiedAt < inDefault;
}

builder.objectFields(ArticleType, (t) => ({
  isStale: t.boolean({
    nullable: true,
    description:
      'Whether this text is older than the latest one in the default language of the project version, by the times of their last changes, of whatever these were; null where a time is not known. Over the service it takes the category tree of the default language, by one call, and the list for articles without a category.',
    resolve: (article, _args, context) => isStale(article, context),
  }),
  content: t.string({
    nullable: true,
    description:
      'The text as it was written, in Markdown or in the format of the block editor; null where there is none. Over the service, the text of listed articles costs one call for each article.',
    resolve: (article, _args, context) => loadTextField(article, 'content', context),
  }),
  htmlContent: t.string({
    nullable: true,
    description:
      'The text as HTML; null where there is none. Over the service, the texts of listed articles cost one call for each article, together with `content`.',
    resolve: (article, _args, context) => loadTextField(article, 'htmlContent', context),
  }),
  versions: t.field({
    type: [ArticleVersionType],
    nullable: true,
    description:
      'All versions of the article in this language, in the order of the service; the embedded store sorts them by number, the oldest first. Costs one call to the service for each article.',
    resolve: (article, _args, { loaders }) => loaders.articleVersions.load(article),
  }),
  translations: t.field({
    type: [ArticleType],
    nullable: true,
    description:
      'The latest version of the article in every language that it was translated to, this language included, sorted by language code.',
    resolve: async (...[article, _args, context, info]) =>
      completeArticles(await context.loaders.articleTranslations.load(article), context, info),
  }),
}));

builder.objectFields(ArticleType, (t) => ({
  description: t.string({
    nullable: true,
    description: `The description of this version for search engines; null where there is none. ${DETAIL_COST}`,
    resolve: (article, _args, context) => loadDetail(article, 'description', context),
  }),
  createdAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: `When this version was begun; null where that is not known. ${DETAIL_COST}`,
    resolve: (article, _args, context) => loadDetail(article, 'createdAt', context),
  }),
  createdBy: t.id({
    nullable: true,
    description: `The ID of the team account that began it; null where that is not known. ${DETAIL_COST}`,
    resolve: (article, _args, context) => loadDetail(article, 'createdBy', context),
  }),
  authors: t.field({
    type: [ArticleAuthorType],
    nullable: true,
    description: `Who wrote this version, in the order of the service. ${DETAIL_COST}`,
    resolve: (article, _args, context) => loadDetail(article, 'authors', context),
  }),
}));

builder.queryField('article', (t) =>
  t.field({
    type: ArticleType,
    nullable: true,
    description:
      'One article in one language. Null where the article, the translation or the version does not exist; the text of another language is never returned instead.',
    args: {
      articleId: t.arg.id({
        required: true,
        description: "The service's own ID of the article, as in `Article.articleId`.",
      }),
      languageCode: t.arg.string({
        description:
          "The code of the language, such as `en`. Left out: the default language of the article's project version.",
      }),
      versionNumber: t.arg.int({ description: 'The number of the version, from 1. Left out: the latest version.' }),
    },
    resolve: (...[_root, { articleId, languageCode, versionNumber }, context, info]) => {
      authorizeRead(context);
      if (idProblem(articleId) !== null || languageCode === '' || (versionNumber != null && versionNumber < 1))
        return null;
      const key = { articleId, languageCode: languageCode ?? undefined, versionNumber: versionNumber ?? undefined };
      return loadArticle(key, context, info);
    },
  }),
);

const versionAndLanguageArgs = builder.args((t) => ({
  projectVersionId: t.id({
    description: "The service's own ID of the project version; the default project version when it is left out.",
  }),
  languageCode: t.string({
    description:
      'The code of the language, such as `en`; the default language of the project version when it is left out.',
  }),
}));

builder.queryField('articleBySlug', (t) =>
  t.field({
    type: ArticleType,
    nullable: true,
    description:
      'The article with a slug, in the latest version of one language, hidden or not. Where several articles of the project version have the slug, the first of them by ID. Null where no article in that language has the slug, and where the project version or the language does not exist. Over the service, it reads the list of all articles in the language, by one call for 1,000 articles and one for each 100 more.',
    args: {
      slug: t.arg.string({
        required: true,
        description: 'The slug, exactly as in `Article.slug`.',
      }),
      ...versionAndLanguageArgs,
    },
    resolve: async (...[_root, { slug, projectVersionId, languageCode }, context, info]) => {
      const { backend, caller } = authorizeRead(context);
      if (slug === '' || textProblem(slug) !== null) return null;
      const versionAndLanguage = {
        projectVersionId: projectVersionId ?? undefined,
        languageCode: languageCode ?? undefined,
      };
      const article = await openRead(backend.articleBySlug(caller, { slug, ...versionAndLanguage }));
      return article && ((await completeArticles([article], context, info))[0] ?? article);
    },
  }),
);

const ArticleFilterInput = builder.inputType('ArticleFilter', {
  description:
    'Selects articles of a list. An article has to fulfil all members; a member that is left out or null selects all articles. Over the service, the first page with a filter reads the list of all articles in the language, by one call for 1,000 articles and one for each 100 more.',
  fields: (t) => ({
    text: t.string({
      description:
        'Words to search for, in at most 300 characters: the articles that have each of them in the title or the text (of more than ten words: all in the title, or all in the text), as a word or, from 3 letters on, as the beginning of a word. A word is a run of letters and digits, and each Chinese or Japanese character is one; everything else separates words and has no meaning. Case and accents make no difference. The first 200,000 characters of a text are searched, its markup included. Over the service it is the search of the service that finds them, in its order and with no total, alone or together with `hidden`; with anything else the error has the code NOT_OFFERED. It takes a call for each 100 hits, and the list of all articles in the language, since hits outlive their articles.',
    }),
    hidden: t.boolean({
      description: 'true: the articles that are hidden from readers. false: those that are not.',
    }),
    translationStatus: t.field({
      type: [ArticleTranslationStatusType],
      description:
        'The articles with one of these translation statuses, at least one. Articles that have no status are not found by any.',
    }),
    status: t.field({
      type: [ArticleStatusType],
      description: 'The articles whose latest version has one of these statuses, at least one.',
    }),
    modifiedSince: t.field({
      type: 'DateTime',
      description:
        'The articles whose latest version was changed at this time or later. Articles whose time is not known, as after an import, are not found.',
    }),
    modifiedBefore: t.field({
      type: 'DateTime',
      description:
        'The articles whose latest version was last changed before this time. Articles whose time is not known are not found.',
    }),
  }),
});

const ArticleOrderType = builder.enumType('ArticleOrder', {
  description: 'The order of a list of articles.',
  values: {
    ID: {
      description:
        'The order that the list has by itself: in the embedded store by ID, and for the articles of a category by `order` and then by ID; over the service, in the order of the service, which is not documented.',
    },
    TITLE: {
      description:
        'By the first 100 characters of the title in lower case, compared by their code points, and then by ID. Articles without a title come first.',
    },
    MODIFIED_AT: {
      description:
        'The article whose latest version has not been changed for longest comes first; those of the same time by ID. Articles whose time is not known, as after an import, come before all others.',
    },
    MODIFIED_AT_DESC: {
      description:
        'The article whose latest version was changed last comes first; those of the same time by ID, in descending order. Articles whose time is not known, as after an import, come last.',
    },
  },
});

/** Throws when a member is invalid. */
function toArticleFilter(filter: typeof ArticleFilterInput.$inferInput): ArticleFilter {
  const { hidden, translationStatus, status, modifiedSince, modifiedBefore } = filter;
  for (const [name, statuses] of Object.entries({ translationStatus, status })) {
    const message = `${name} must name at least one status; leave it out to find articles with any.`;
    if (statuses?.length === 0) throw invalidArgumentError(['filter', name], message);
  }
  const words = filter.text == null ? null : parseSearchText(filter.text);
  if (typeof words === 'string') throw invalidArgumentError(['filter', 'text'], `text ${words}.`);
  return {
    ...(words && filter.text != null && { words, text: filter.text }),
    ...(hidden != null && { hidden }),
    ...(translationStatus && { translationStatuses: [...new Set(translationStatus)] }),
    ...(status && { statuses: [...new Set(status)] }),
    ...(modifiedSince && { modifiedSince }),
    ...(modifiedBefore && { modifiedBefore }),
  };
}

/** A cursor is the order of the list, a `.`, and the cursor of the backend, which has no `.`. The order `ID` is left out. */
const ORDERED_CURSOR = /^(?<order>[A-Z_]{1,50})\.(?<cursor>.*)$/su;

/**
 * Returns the cursor of the backend. Throws for a cursor of a list in another order, whose position means nothing in this one.
 * @internal Exported for tests.
 */
export function fromOrderedCursor(after: string | null | undefined, orderBy: ArticleOrder): string | null {
  if (after == null) return null;
  const { order = 'ID', cursor = after } = ORDERED_CURSOR.exec(after)?.groups ?? {};
  if (order === orderBy) return cursor;
  const message = `after must be a cursor of the order ${orderBy}; this one is of the order ${order}. Leave after out to begin with the first page.`;
  throw invalidArgumentError(['after'], message);
}

/** Returns the page with cursors that name the order of their list. */
const withOrderedCursors = (page: Page<Article>, orderBy: ArticleOrder): Page<Article> =>
  orderBy === 'ID'
    ? page
    : { ...page, edges: page.edges.map((edge) => new LazyEdge(edge.node, () => `${orderBy}.${edge.cursor}`)) };

export const ArticleConnection = createConnectionType('Article', ArticleType, 'articles');

/** Loads the whole articles of a page when their text is selected, and their categories and project versions when these are. */
export async function completeArticlePage(
  page: Page<Article>,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Page<Article>> {
  const listed = page.edges.map(({ node }) => node);
  const articles = await completeArticles(listed, context, info);
  await loadLinks(articles, context, info);
  return articles === listed ? page : withNodes(page, articles);
}

const CATEGORY_FIELD: ReadonlySet<string> = new Set(['category']);
const PROJECT_VERSION_FIELD: ReadonlySet<string> = new Set(['projectVersion']);

/**
 * The fields of an article that cost a call for each article beside that for its text. Their cost in `UPSTREAM_COSTS` and
 * the calls of a preview are made of this list.
 */
export const FIELDS_WITH_CALLS = ['versions'] as const;

/** Fields with calls of their own, which would wait for the categories and project versions. */
const OTHER_LINKS: ReadonlySet<string> = new Set([...FIELDS_WITH_CALLS, 'translations']);

/**
 * Loads the categories and project versions of the articles of a page before their fields are executed, since a promise for
 * each of them costs more than the rest of an article. A field whose object could not be loaded loads it again, and reports
 * the error.
 */
async function loadLinks(articles: readonly Article[], { loaders }: Context, info: GraphQLResolveInfo): Promise<void> {
  if (articles.length === 0 || selectsAnyField(info, OTHER_LINKS)) return;
  await Promise.allSettled([
    selectsAnyField(info, CATEGORY_FIELD) && loaders.categoriesOfArticles.loadAll(articles),
    selectsAnyField(info, PROJECT_VERSION_FIELD) && loaders.listProjectVersions(),
  ]);
}

builder.queryField('articles', (t) =>
  t.field({
    type: ArticleConnection,
    nullable: true,
    description: `The articles of a project version in one language, or those of one of its categories, one page at a time. \`orderBy\` says in which order. Null where the project version, the language or the category does not exist.

\`\`\`graphql
query {
  list: articles(first: 3) { totalCount pageInfo { hasNextPage endCursor } nodes { articleId title } }
  search: articles(first: 3, filter: { text: "lamp" }) { nodes { articleId title } }
}
\`\`\``,
    args: {
      ...versionAndLanguageArgs,
      categoryId: t.arg.id({
        description:
          "The service's own ID of a category, for the articles directly in that category and not in the categories below. All articles when it is left out.",
      }),
      filter: t.arg({
        type: ArticleFilterInput,
        description: 'What the articles have to fulfil; all articles when it is left out.',
      }),
      orderBy: t.arg({
        type: ArticleOrderType,
        defaultValue: 'ID',
        description:
          'The order of the list. Its cursors are for pages in the same order, with the same filter; a cursor of another order is an error with the code VALIDATION_FAILED.',
      }),
      ...pageArgs,
    },
    resolve: async (...[_root, { first, after, ...args }, context, info]) => {
      const { backend, caller } = authorizeRead(context);
      const orderBy = args.orderBy ?? 'ID';
      const request = {
        projectVersionId: args.projectVersionId ?? undefined,
        languageCode: args.languageCode ?? undefined,
        categoryId: args.categoryId ?? undefined,
        filter: toArticleFilter(args.filter ?? {}),
        orderBy,
      };
      const pageRequest = { ...toPageRequest({ first, after }), itemsOnly: selectsItemsOnly(info) };
      const cursor = fromOrderedCursor(pageRequest.after, orderBy);
      const page = await openRead(backend.listArticles(caller, request, { ...pageRequest, after: cursor }));
      return page && connectionOf(await completeArticlePage(withOrderedCursors(page, orderBy), context, info));
    },
  }),
);
