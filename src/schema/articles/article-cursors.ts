import { LazyEdge, type Page } from '../../base/pages.ts';
import type { ArticleOrder } from '../../domain/articles/article-filters.ts';
import type { Article } from '../../domain/articles/articles.ts';
import { invalidArgumentError } from '../errors/graphql-errors.ts';

/** The order before the cursor of a backend, which has no `.`. The order `ID` stands in no cursor. */
const ORDERED_CURSOR = /^(?<order>[A-Z_]{1,50})\.(?<cursor>.*)$/su;

/** The cursor of the backend. Throws for one of another order, whose position means nothing in this one. */
export function fromOrderedCursor(after: string | null | undefined, orderBy: ArticleOrder): string | null {
  if (after == null) return null;
  const { order = 'ID', cursor = after } = ORDERED_CURSOR.exec(after)?.groups ?? {};
  if (order === orderBy) return cursor;
  const message = `after must be a cursor of the order ${orderBy}; this one is of the order ${order}. Leave after out to begin with the first page.`;
  throw invalidArgumentError(['after'], message);
}

/** A page whose cursors name the order of their list. */
export const withOrderedCursors = (page: Page<Article>, orderBy: ArticleOrder): Page<Article> =>
  orderBy === 'ID'
    ? page
    : { ...page, edges: page.edges.map((edge) => new LazyEdge(edge.node, () => `${orderBy}.${edge.cursor}`)) };
