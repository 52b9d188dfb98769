import type { Article } from '../../domain/articles.ts';
import type { Database } from './database.ts';

/** The IDs that are asked for, as a subquery: one parameter however many there are. */
export const wantedIds = ({ db, engine }: Database, ids: readonly string[]) =>
  db.selectFrom(engine.rows({ alias: 'w', rows: ids.map((id) => ({ id })), columns: { id: 'text' } })).select('w.id');

/** The translations that are asked about, by their place in the list, as a table named `w`. */
export const wantedArticles = ({ engine }: Database, articles: readonly Article[]) =>
  engine.rows({
    alias: 'w',
    rows: articles.map(({ articleId, languageCode }, n) => ({ n, article_id: articleId, language_code: languageCode })),
    columns: { n: 'integer', article_id: 'text', language_code: 'text' },
  });
