import type { GraphQLResolveInfo } from 'graphql';
import { LazyEdge, type Page, withNodes } from '../../base/pages.ts';
import type { Article, ArticleFilter, ArticleOrder, ArticleTranslationStatus } from '../../domain/articles/articles.ts';
import { parseSearchText } from '../../domain/articles/search-words.ts';
import { builder, createEnumType } from '../builder.ts';
import { createConnectionType, pageArgs, selectsItemsOnly, toPageRequest } from '../connections.ts';
import { authorizeRead, type Context } from '../context.ts';
import { invalidArgumentError, unwrapResult } from '../graphql-errors.ts';
import { selectsAnyField } from '../selected-fields.ts';
import { ArticleTranslationStatusType, ArticleType, completeArticles, editionArgs } from './articles.ts';

const ArticleFilterInput = builder.inputType('ArticleFilter', {
  description:
    'Selects articles of a list. An article has to fulfil all members; a member that is left out or null selects all articles. Over the service, the first page with a filter reads the list of all articles in the language, by one call for 1,000 articles and one for each 100 more.',
  fields: (t) => ({
    text: t.string({
      description:
        'Words to search for, from 1 to 10 in at most 200 characters: the articles that have each of them in the title or the text, as a word or, from 3 letters on, as the beginning of a word. A word is a run of letters and digits, and each Chinese or Japanese character is one; everything else separates words and has no meaning. Case and accents make no difference. The first 200,000 characters of a text are searched, its markup included. The service offers no such search: over it the error has the code NOT_OFFERED.',
    }),
    hidden: t.boolean({
      description: 'true: the articles that are hidden from readers. false: those that are not.',
    }),
    translationStatus: t.field({
      type: [ArticleTranslationStatusType],
      description:
        'The articles with one of these translation statuses, at least one. Articles that have no status are not found by any.',
    }),
    modifiedSince: t.field({
      type: 'DateTime',
      description:
        'The articles whose latest version was changed at this time or later. Articles whose time is not known, as after an import, are not found.',
    }),
  }),
});

const ArticleOrderType = createEnumType('ArticleOrder', 'The order of a list of articles.', {
  ID: 'The order that the list has by itself: in the embedded store by ID, and for the articles of a category by `order` and then by ID; over the service, in the order of the service, which is not documented.',
  TITLE:
    'By the first 100 characters of the title in lower case, compared by their code points, and then by ID. Articles without a title come first.',
  MODIFIED_AT_DESC:
    'The article whose latest version was changed last comes first; those of the same time by ID, in descending order. Articles whose time is not known, as after an import, come last.',
});

interface FilterArgument {
  readonly text?: string | null | undefined;
  readonly hidden?: boolean | null | undefined;
  readonly translationStatus?: readonly ArticleTranslationStatus[] | null | undefined;
  readonly modifiedSince?: Date | null | undefined;
}

/** Throws when a member is invalid. */
function toArticleFilter({ text, hidden, translationStatus, modifiedSince }: FilterArgument): ArticleFilter {
  if (translationStatus?.length === 0) {
    const message = 'translationStatus must name at least one status; leave it out to find articles with any.';
    throw invalidArgumentError(['filter', 'translationStatus'], message);
  }
  const words = text == null ? null : parseSearchText(text);
  if (typeof words === 'string') throw invalidArgumentError(['filter', 'text'], `text ${words}.`);
  return {
    ...(words && { words }),
    ...(hidden != null && { hidden }),
    ...(translationStatus && { translationStatuses: [...new Set(translationStatus)] }),
    ...(modifiedSince && { modifiedSince }),
  };
}

/** The order before the cursor of a backend, which has no `.`. The order `ID` stands in no cursor. */
const ORDERED_CURSOR = /^(?<order>[A-Z_]{1,50})\.(?<cursor>.*)$/su;

/**
 * The cursor of the backend. Throws for one of another order, whose position means nothing in this one.
 * @internal Exported for tests.
 */
export function fromOrderedCursor(after: string | null | undefined, orderBy: ArticleOrder): string | null {
  if (after == null) return null;
  const { order = 'ID', cursor = after } = ORDERED_CURSOR.exec(after)?.groups ?? {};
  if (order === orderBy) return cursor;
  const message = `after must be a cursor of the order ${orderBy}; this one is of the order ${order}. Leave after out to begin with the first page.`;
  throw invalidArgumentError(['after'], message);
}

/** A page whose cursors name the order of their list. */
const withOrderedCursors = (page: Page<Article>, orderBy: ArticleOrder): Page<Article> =>
  orderBy === 'ID'
    ? page
    : { ...page, edges: page.edges.map((edge) => new LazyEdge(edge.node, () => `${orderBy}.${edge.cursor}`)) };

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
    selectsAnyField(info, PROJECT_VERSION_FIELD) && loaders.listProjectVersions(),
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
