import type { Category } from '../../domain/articles/categories.ts';
import { builder } from '../builder.ts';
import { authorizeRead } from '../context.ts';
import { unwrapResult } from '../errors/graphql-errors.ts';
import { pageArgs, toPageRequest } from '../relay/connections.ts';
import { encodeGlobalId } from '../relay/global-ids.ts';
import { NodeInterface } from '../relay/nodes.ts';
import { ArticleConnection, completeArticlePage } from './articles.ts';

export const CategoryType = builder.objectRef<Category>('Category');

CategoryType.implement({
  description: 'A folder of articles in the tree of a project version, named in one language.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      description: 'The global ID: of the category in this language.',
      resolve: ({ categoryId, projectVersionId, languageCode }) =>
        encodeGlobalId('Category', [categoryId, languageCode, projectVersionId]),
    }),
    categoryId: t.exposeID('categoryId', { description: "The service's own ID, the same in every language." }),
    languageCode: t.exposeString('languageCode', {
      description: 'The language of the name, and of the articles below.',
    }),
    name: t.exposeString('name', { description: 'Its name in this language.' }),
    order: t.exposeInt('order', { nullable: true, description: 'Its position among its siblings.' }),
    parent: t.field({
      type: CategoryType,
      nullable: true,
      description: 'The category it stands in; null at the top.',
      resolve: ({ parentCategoryId, projectVersionId, languageCode }, _args, { loaders }) =>
        parentCategoryId === null
          ? null
          : loaders.categories.load({ categoryId: parentCategoryId, projectVersionId, languageCode }),
    }),
    children: t.field({
      type: [CategoryType],
      nullable: true,
      description: 'The categories that stand in it, in their order.',
      resolve: (category, _args, { loaders }) => loaders.childCategories.load(category),
    }),
    articles: t.field({
      type: ArticleConnection,
      nullable: true,
      description: 'The articles that stand directly in it, in their order.',
      args: pageArgs,
      resolve: async (...[parent, args, context, info]) => {
        const page = await context.loaders.articlesOfCategories.load({ parent, page: toPageRequest(args) });
        return completeArticlePage(page, context, info);
      },
    }),
  }),
});

builder.queryField('categories', (t) =>
  t.field({
    type: [CategoryType],
    nullable: true,
    description:
      'The top of the category tree of a project version; the rest hangs below as `children`. Null where the project version or the language does not exist.',
    args: {
      projectVersionId: t.arg.id({ required: true, description: 'Which project version.' }),
      languageCode: t.arg.string({ description: 'Left out: the default language of the project version.' }),
    },
    resolve: async (_root, { projectVersionId, languageCode }, context) => {
      const { backend, caller } = authorizeRead(context);
      const tree = { projectVersionId, languageCode: languageCode ?? undefined };
      return unwrapResult(await backend.rootCategories(caller, tree));
    },
  }),
);
