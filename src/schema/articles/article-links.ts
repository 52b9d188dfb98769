import type { ArticleVersion } from '../../domain/articles/articles.ts';
import { builder } from '../builder.ts';
import { ArticleType, completeArticles } from './articles.ts';
import { CategoryType } from './categories.ts';
import { findProjectVersion, ProjectVersionType } from './project-versions.ts';

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

builder.objectFields(ArticleType, (t) => ({
  category: t.field({
    type: CategoryType,
    nullable: true,
    description:
      'The category that the article is in, named in the language of the article and the same in all languages; null where the article is in none.',
    resolve: (article, _args, { loaders }) => loaders.categoriesOfArticles.load(article),
  }),
  projectVersion: t.field({
    type: ProjectVersionType,
    nullable: true,
    description:
      'The project version that the article belongs to; null where the service does not list that project version.',
    resolve: ({ projectVersionId }, _args, context) => findProjectVersion(context, projectVersionId),
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
