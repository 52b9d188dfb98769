import type { Article } from '../../../domain/articles/articles.ts';
import type { Category } from '../../../domain/articles/categories.ts';
import { textProblem } from '../../../domain/text.ts';
import type { StoreDatabase } from './store-database.ts';

/** Maps IDs and codes that no text column can hold to '', which matches nothing: PostgreSQL rejects such parameters. */
export const toStorableId = <T extends string | null | undefined>(id: T): T | '' =>
  id == null || textProblem(id) === null ? id : '';

/** IDs as a subquery with a single parameter. */
export const idTable = ({ db, dialect }: StoreDatabase, ids: readonly string[]) => {
  const rows = ids.map((id) => ({ id: toStorableId(id) }));
  return db.selectFrom(dialect.jsonTable({ alias: 'k', rows, columns: { id: 'text' } })).select('k.id');
};

/** Keys of translations as a table `k`, with their index in the list as `n`. */
export const articleKeyTable = ({ dialect }: StoreDatabase, articles: readonly Article[]) =>
  dialect.jsonTable({
    alias: 'k',
    rows: articles.map(({ articleId, languageCode }, n) => ({ n, article_id: articleId, language_code: languageCode })),
    columns: { n: 'integer', article_id: 'text', language_code: 'text' },
  });

/** Keys of categories in a language as a table `k`, with their index in the list as `n`. */
export const categoryKeyTable = ({ dialect }: StoreDatabase, categories: readonly Category[]) =>
  dialect.jsonTable({
    alias: 'k',
    rows: categories.map(({ categoryId, languageCode }, n) => ({
      n,
      category_id: categoryId,
      language_code: languageCode,
    })),
    columns: { n: 'integer', category_id: 'text', language_code: 'text' },
  });
