import type { GraphQLResolveInfo } from 'graphql';
import type { Article } from '../../domain/articles/articles.ts';
import { type Page, withNodes } from '../../domain/pages.ts';
import { idProblem } from '../../domain/text.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { unwrapResult } from '../errors/graphql-errors.ts';
import { createConnectionType, pageArgs, toPageRequest } from '../relay/connections.ts';
import { encodeGlobalId } from '../relay/global-ids.ts';
import { NodeInterface } from '../relay/nodes.ts';
import { selectsAnyField } from '../selected-fields.ts';

const ArticleTranslationStatusType = builder.enumType('ArticleTranslationStatus', {
  description: 'How far the translation of an article is, as it is read.',
  values: {
    NONE: { description: 'Nothing to translate ("0").' },
    NEEDS_TRANSLATION: { description: 'The text changed, and the translation did not yet ("1").' },
    TRANSLATED: { description: 'The translation is up to date ("2").' },
    IN_PROGRESS: { description: 'Somebody is at it ("3"); only the service itself sets this.' },
    UNRECOGNIZED: { description: 'A status that is not known here.' },
  } as const,
});

const ContentType = builder.enumType('ArticleContentType', {
  description: 'The editor an article is written with.',
  values: {
    MARKDOWN: { description: 'Markdown; the text is in `content`.' },
    WYSIWYG: { description: 'The HTML editor; the text is in `htmlContent`.' },
    BLOCK: { description: 'The block editor; the text is in `content`.' },
  } as const,
});

export const ArticleType = builder.objectRef<Article>('Article');

/** Articles of a list have no text. The loader reads it, for all articles of a list in one batch. */
const loadWholeArticle = async (article: Article, { loaders }: Context): Promise<Article> =>
  article.content === undefined ? ((await loaders.articles.load(loaderKeyOf(article))) ?? article) : article;

async function loadTextField(
  article: Article,
  field: 'content' | 'htmlContent',
  context: Context,
): Promise<string | null> {
  return (await loadWholeArticle(article, context))[field] ?? null;
}

const TEXT_FIELDS: ReadonlySet<string> = new Set(['content', 'htmlContent']);

/**
 * Loads the whole articles of a list when their text is selected. One read for all selected fields keeps a response
 * from showing the title of one write and the text of another. An article that cannot be loaded stays as it was
 * listed, and its text is an error.
 */
export async function completeArticles(
  articles: readonly Article[],
  context: Context,
  info: GraphQLResolveInfo,
): Promise<readonly Article[]> {
  if (!selectsAnyField(info, TEXT_FIELDS)) return articles;
  return Promise.all(articles.map((article) => loadWholeArticle(article, context).catch(() => article)));
}

/** Does the same for a page of a list. */
export async function completeArticlePage(
  page: Page<Article>,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Page<Article>> {
  const listed = page.edges.map(({ node }) => node);
  const articles = await completeArticles(listed, context, info);
  return articles === listed ? page : withNodes(page, articles);
}

const loaderKeyOf = ({ articleId, languageCode, versionNumber, pinned }: Article) => ({
  articleId,
  languageCode,
  ...(pinned && { versionNumber }),
});

const globalIdOf = ({ articleId, languageCode, versionNumber, pinned }: Article): string =>
  encodeGlobalId('Article', [articleId, languageCode, ...(pinned ? [versionNumber] : [])]);

ArticleType.implement({
  description: 'One article in one language: its latest version, or the one that was asked for by number.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      description:
        'The global ID: of the article in this language, and of this version where it was asked for by number.',
      resolve: globalIdOf,
    }),
    articleId: t.exposeID('articleId', { description: "The service's own ID, the same in every language." }),
    languageCode: t.exposeString('languageCode', { description: 'The language of this text.' }),
    versionNumber: t.exposeInt('versionNumber', { description: 'The version of this text, from 1.' }),
    latestVersionNumber: t.exposeInt('latestVersionNumber', {
      nullable: true,
      description: 'The latest version in this language.',
    }),
    title: t.exposeString('title', { nullable: true, description: 'The title in this language.' }),
    content: t.string({
      nullable: true,
      description:
        'The text as it was written. In a list it costs one call to the service for each article, since the service has no batch read.',
      resolve: (article, _args, context) => loadTextField(article, 'content', context),
    }),
    htmlContent: t.string({
      nullable: true,
      description: 'The text as HTML, where the service has it. In a list it costs what `content` costs.',
      resolve: (article, _args, context) => loadTextField(article, 'htmlContent', context),
    }),
    slug: t.exposeString('slug', { nullable: true, description: 'The last part of its address.' }),
    hidden: t.exposeBoolean('hidden', { description: 'Whether readers are not shown it.' }),
    order: t.exposeInt('order', {
      nullable: true,
      description: 'Its position in its category, from 1; null: not set.',
    }),
    translationStatus: t.expose('translationStatus', {
      type: ArticleTranslationStatusType,
      nullable: true,
      description: 'How far this translation is.',
    }),
    contentType: t.expose('contentType', {
      type: ContentType,
      nullable: true,
      description: 'The editor it is written with.',
    }),
    modifiedAt: t.expose('modifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When this text was last changed.',
    }),
  }),
});

export const ArticleConnection = createConnectionType('Article', ArticleType, 'articles');

builder.queryFields((t) => ({
  article: t.field({
    type: ArticleType,
    nullable: true,
    description:
      'One article. Null where it, its translation or its version does not exist: never the text of another language.',
    args: {
      articleId: t.arg.id({ required: true, description: "The service's own ID of the article." }),
      languageCode: t.arg.string({ description: "Left out: the default language of the article's project version." }),
      versionNumber: t.arg.int({ description: 'Left out: the latest version.' }),
    },
    resolve: (_root, { articleId, languageCode, versionNumber }, context) => {
      const { loaders } = authorizeRead(context);
      if (idProblem(articleId) !== null || languageCode === '' || (versionNumber != null && versionNumber < 1))
        return null;
      return loaders.articles.load({
        articleId,
        languageCode: languageCode ?? undefined,
        versionNumber: versionNumber ?? undefined,
      });
    },
  }),
  articles: t.field({
    type: ArticleConnection,
    nullable: true,
    description:
      'The articles of a project version in one language, or of one category of it. Null where the project version, the language or the category does not exist.',
    args: {
      projectVersionId: t.arg.id({ description: 'Left out: the default project version.' }),
      languageCode: t.arg.string({ description: 'Left out: the default language of the project version.' }),
      categoryId: t.arg.id({ description: 'Only the articles that stand directly in this category.' }),
      ...pageArgs,
    },
    resolve: async (...[_root, { first, after, ...args }, context, info]) => {
      const { backend, caller } = authorizeRead(context);
      const filter = {
        projectVersionId: args.projectVersionId ?? undefined,
        languageCode: args.languageCode ?? undefined,
        categoryId: args.categoryId ?? undefined,
      };
      const page = unwrapResult(await backend.listArticles(caller, filter, toPageRequest({ first, after })));
      return page && completeArticlePage(page, context, info);
    },
  }),
}));
