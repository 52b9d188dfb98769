import type { GraphQLResolveInfo } from 'graphql';
import { type Page, withNodes } from '../../base/pages.ts';
import type { Article } from '../../domain/articles/articles.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { unwrapResult } from '../errors/graphql-errors.ts';
import { createConnectionType, pageArgs, selectsItemsOnly, toPageRequest } from '../relay/connections.ts';
import { selectsAnyField } from '../selected-fields.ts';
import { fromOrderedCursor, withOrderedCursors } from './article-cursors.ts';
import { ArticleFilterInput, ArticleOrderType, toArticleFilter } from './article-filters.ts';
import { ArticleType, completeArticles } from './articles.ts';
import { editionArgs } from './edition-args.ts';

export const ArticleConnection = createConnectionType('Article', ArticleType, 'articles');

/** Loads the whole articles of a page when their text is selected, and the categories and versions that are. */
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

/** The fields whose own calls would have to wait. */
const OTHER_LINKS: ReadonlySet<string> = new Set(['versions', 'translations']);

/**
 * Loads the categories and project versions of the articles of a page before their fields are executed: a promise for each of
 * them costs more than the rest of an article. What cannot be loaded is an error of its field, which loads it again.
 */
async function loadLinks(articles: readonly Article[], { loaders }: Context, info: GraphQLResolveInfo): Promise<void> {
  if (articles.length === 0 || selectsAnyField(info, OTHER_LINKS)) return;
  await Promise.allSettled([
    selectsAnyField(info, CATEGORY_FIELD) && loaders.categoriesOfArticles.loadAll(articles),
    selectsAnyField(info, PROJECT_VERSION_FIELD) && loaders.projectVersions.load('all'),
  ]);
}

builder.queryField('articles', (t) =>
  t.field({
    type: ArticleConnection,
    nullable: true,
    description:
      'The articles of a project version in one language, or those of one of its categories, one page at a time. `orderBy` says in which order. Null where the project version, the language or the category does not exist.',
    args: {
      ...editionArgs,
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
      const page = unwrapResult(await backend.listArticles(caller, request, { ...pageRequest, after: cursor }));
      return page && completeArticlePage(withOrderedCursors(page, orderBy), context, info);
    },
  }),
);
