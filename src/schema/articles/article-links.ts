import type { ArticleVersion } from '../../domain/articles/articles.ts';
import { builder } from '../builder.ts';
import { ArticleType, completeArticles } from './articles.ts';
import { CategoryType } from './categories.ts';
import { findProjectVersion, ProjectVersionType } from './project-versions.ts';

const ArticleVersionType = builder.objectRef<ArticleVersion>('ArticleVersion').implement({
  description: 'One version of an article in one language.',
  fields: (t) => ({
    versionNumber: t.exposeInt('versionNumber', { description: 'Its number, from 1.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: true, description: 'When it was begun.' }),
    modifiedAt: t.expose('modifiedAt', { type: 'DateTime', nullable: true, description: 'When it was last changed.' }),
    status: t.exposeString('status', {
      nullable: true,
      description: '`draft`, `published`, or the number of another.',
    }),
  }),
});

builder.objectFields(ArticleType, (t) => ({
  category: t.field({
    type: CategoryType,
    nullable: true,
    description: 'The category it is in; null where it is in none.',
    resolve: (article, _args, { loaders }) => loaders.categoriesOfArticles.load(article),
  }),
  projectVersion: t.field({
    type: ProjectVersionType,
    nullable: true,
    description: 'The project version it belongs to.',
    resolve: ({ projectVersionId }, _args, context) => findProjectVersion(context, projectVersionId),
  }),
  versions: t.field({
    type: [ArticleVersionType],
    nullable: true,
    description: 'Its versions in this language, the oldest first.',
    resolve: (article, _args, { loaders }) => loaders.articleVersions.load(article),
  }),
  translations: t.field({
    type: [ArticleType],
    nullable: true,
    description: 'The article in every language it has been translated to, this one among them, by language code.',
    resolve: async (...[article, _args, context, info]) =>
      completeArticles(await context.loaders.articleTranslations.load(article), context, info),
  }),
}));
