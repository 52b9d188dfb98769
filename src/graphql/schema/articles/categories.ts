import type { ObjectRef } from '@pothos/core';
import type { Category } from '../../../core/articles/articles.ts';
import { builder, globalId, NodeInterface, type SchemaTypes } from '../builder.ts';
import { connectionOf, pageArgs, toPageRequest } from '../connections.ts';
import { authorizeRead } from '../context.ts';
import { openRead } from '../graphql-errors.ts';
import { ArticleConnection, ArticleType, completeArticlePage } from './articles.ts';

export const CategoryType: ObjectRef<SchemaTypes, Category> = builder.objectRef<Category>('Category').implement({
  description:
    'A category of a project version in one language: a folder in a tree, with articles and further categories.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: globalId(t),
    categoryId: t.exposeID('categoryId', {
      description: "The service's own ID of the category, the same in every language.",
    }),
    languageCode: t.exposeString('languageCode', {
      description: 'The code of the language that the name and the articles are in, such as `en` or `pt-br`.',
    }),
    name: t.exposeString('name', { description: 'The name in this language.' }),
    order: t.exposeInt('order', {
      nullable: true,
      description: 'The position of the category among those with the same parent; null where none is set.',
    }),
    parent: t.field({
      type: CategoryType,
      nullable: true,
      description: 'The category that this category is in; null at the top of the tree.',
      resolve: ({ parentCategoryId, projectVersionId, languageCode }, _args, { loaders }) =>
        parentCategoryId === null
          ? null
          : loaders.categories.load({ categoryId: parentCategoryId, projectVersionId, languageCode }),
    }),
    children: t.field({
      type: [CategoryType],
      nullable: true,
      description:
        'The categories directly in this category, in the order of the service; the embedded store sorts them by `order` and then by ID.',
      resolve: (category, _args, { loaders }) => loaders.childCategories.load(category),
    }),
    articles: t.field({
      type: ArticleConnection,
      nullable: true,
      description:
        'The articles directly in this category, one page at a time, in the order of the service; the embedded store sorts them by `order` and then by ID.',
      args: pageArgs,
      resolve: async (...[parent, args, context, info]) => {
        const page = await context.loaders.articlesOfCategories.load({ parent, page: toPageRequest(args) });
        return connectionOf(await completeArticlePage(page, context, info));
      },
    }),
  }),
});

builder.objectField(ArticleType, 'category', (t) =>
  t.field({
    type: CategoryType,
    nullable: true,
    description:
      'The category that the article is in, named in the language of the article and the same in all languages; null where the article is in none.',
    resolve: (article, _args, { loaders }) => loaders.categoriesOfArticles.load(article),
  }),
);

builder.queryField('categories', (t) =>
  t.field({
    type: [CategoryType],
    nullable: true,
    description:
      'The categories at the top of the tree of a project version, in the order of the service; the embedded store sorts them by `order` and then by ID. Those below are their `children`. Null where the project version or the language does not exist.',
    args: {
      projectVersionId: t.arg.id({
        required: true,
        description: "The service's own ID of the project version, as in `ProjectVersion.projectVersionId`.",
      }),
      languageCode: t.arg.string({
        description: 'The code of the language, such as `en`. Left out: the default language of the project version.',
      }),
    },
    resolve: async (_root, { projectVersionId, languageCode }, context) => {
      const { backend, caller } = authorizeRead(context);
      const tree = { projectVersionId, languageCode: languageCode ?? undefined };
      return await openRead(backend.rootCategories(caller, tree));
    },
  }),
);
