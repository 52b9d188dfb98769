import type { ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import { idProblem, textProblem } from '../../base/text.ts';
import type { Article, ArticleKey, ArticleVersion } from '../../domain/articles/articles.ts';
import {
  builder,
  createEnumType,
  createObjectType,
  flag,
  id,
  integer,
  one,
  type SchemaTypes,
  text,
  time,
} from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { unwrapResult } from '../graphql-errors.ts';
import { globalIdOf, NodeInterface } from '../nodes.ts';
import { selectsAnyField } from '../selected-fields.ts';

/** The statuses that both reads and updates have. */
export const SETTABLE_STATUSES = {
  NONE: 'There is nothing to translate ("0").',
  NEEDS_TRANSLATION: 'The text in another language has changed, and the translation has to follow ("1").',
  TRANSLATED: 'The translation is up to date ("2").',
} as const;

export const ArticleTranslationStatusType = createEnumType(
  'ArticleTranslationStatus',
  "The translation status of an article, as reads return it. The service's own digit is in brackets.",
  {
    ...SETTABLE_STATUSES,
    IN_PROGRESS: 'The translation is being made ("3"). No update can set this status.',
    UNRECOGNIZED: 'A status that this version of the gateway does not know.',
  },
);

const ContentType = createEnumType('ArticleContentType', 'An editor that articles are written with.', {
  MARKDOWN: 'The Markdown editor. The text is in `content`.',
  WYSIWYG: 'The HTML editor. The text is in `htmlContent`.',
  BLOCK: 'The block editor. The text is in `content`.',
});

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

export const TEXT_FIELDS: ReadonlySet<string> = new Set(['content', 'htmlContent']);

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

/** Loads the whole article when its text is selected, else its summary. */
export const loadArticle = (key: ArticleKey, { loaders }: Context, info: GraphQLResolveInfo): Promise<Article | null> =>
  (selectsAnyField(info, TEXT_FIELDS) ? loaders.articles : loaders.articleSummaries).load(key);

const loaderKeyOf = ({ articleId, languageCode, versionNumber, pinned }: Article) => ({
  articleId,
  languageCode,
  ...(pinned && { versionNumber }),
});

const ArticleVersionType = createObjectType<ArticleVersion>('ArticleVersion', {
  description:
    'One version of an article in one language, without its text. `Query.article` reads the text by the number of the version.',
  members: {
    versionNumber: integer('The number of the version, from 1.'),
    createdAt: time.orNull('When the version was begun; null where that is not known.'),
    modifiedAt: time.orNull('When the version was last changed; null where that is not known.'),
    status: text.orNull(
      '`draft` or `published`; another status as the number that the service uses, such as `1`; null where that is not known.',
    ),
  },
});

export const ArticleType: ObjectRef<SchemaTypes, Article> = createObjectType<Article>('Article', {
  description: 'An article in one language: the latest version, or the version that was asked for by its number.',
  interfaces: [NodeInterface],
  members: {
    articleId: id("The service's own ID of the article, the same in every language and version."),
    languageCode: text('The code of the language that title and text are in, such as `en` or `pt-br`.'),
    versionNumber: integer('The number of the version that title and text are of, from 1.'),
    latestVersionNumber: integer.orNull(
      'The number of the latest version in this language; null where the service does not say.',
    ),
    title: text.orNull('The title in this language; null where the service has none.'),
    slug: text.orNull(
      'The last segment of the address of the article, in the embedded store the same in all languages; null where the service does not say.',
    ),
    hidden: flag('Whether the article is hidden from readers, the same in all languages.'),
    order: integer.orNull(
      'The position of the article in its category, from 1, the same in all languages; null where none is set.',
    ),
    translationStatus: one(ArticleTranslationStatusType).orNull(
      'The translation status in this language; null where none is set.',
    ),
    contentType: one(ContentType).orNull(
      'The editor that the article is written with, in the embedded store the same in all languages; null where the service does not say.',
    ),
    modifiedAt: time.orNull('When this version was last changed; null where that is not known.'),
  },
  fields: (t) => ({
    id: t.id({
      description:
        'The global ID of the article in this language, and of this version where the version was asked for by its number. Opaque, such as `WyJBcnRpY2xlIiwidW5wYWNrLXRoZS1odWIiLCJlbiJd`; `Query.node` finds the article by this ID.',
      resolve: globalIdOf,
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
  }),
});

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

/** The arguments of reads of one project version in one language. */
export const editionArgs = builder.args((t) => ({
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
      ...editionArgs,
    },
    resolve: async (...[_root, { slug, projectVersionId, languageCode }, context, info]) => {
      const { backend, caller } = authorizeRead(context);
      if (slug === '' || textProblem(slug) !== null) return null;
      const edition = { projectVersionId: projectVersionId ?? undefined, languageCode: languageCode ?? undefined };
      const article = unwrapResult(await backend.articleBySlug(caller, { slug, ...edition }));
      return article && ((await completeArticles([article], context, info))[0] ?? article);
    },
  }),
);
