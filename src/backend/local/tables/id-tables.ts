import type { Article } from '../../../domain/articles/bulk-updates.ts';
import { textProblem } from '../../../domain/text.ts';
import type { Database } from './store-database.ts';

/**
 * How an ID, or a code that is one, is looked for. One that no store can hold is like the empty one, which nothing has:
 * PostgreSQL would refuse to look.
 */
export const lookedFor = <T extends string | null | undefined>(id: T): T | '' =>
  id == null || textProblem(id) === null ? id : '';

/** The IDs that are asked for, as a subquery: one parameter however many there are. */
export const wantedIds = ({ db, engine }: Database, ids: readonly string[]) => {
  const rows = ids.map((id) => ({ id: lookedFor(id) }));
  return db.selectFrom(engine.rows({ alias: 'w', rows, columns: { id: 'text' } })).select('w.id');
};

/** The translations that are asked about, by their place in the list, as a table named `w`. */
export const wantedArticles = ({ engine }: Database, articles: readonly Article[]) =>
  engine.rows({
    alias: 'w',
    rows: articles.map(({ articleId, languageCode }, n) => ({ n, article_id: articleId, language_code: languageCode })),
    columns: { n: 'integer', article_id: 'text', language_code: 'text' },
  });
