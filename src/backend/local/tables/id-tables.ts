import { textProblem } from '../../../base/text.ts';
import type { RowsParameter } from '../../../database/rows-parameter.ts';
import type { Article } from '../../../domain/articles/articles.ts';
import type { Category } from '../../../domain/articles/categories.ts';
import type { StoreDatabase } from './store-database.ts';

/** Maps IDs and codes that no text column can hold to '', which matches nothing: PostgreSQL rejects such parameters. */
export const toStorableId = <T extends string | null | undefined>(id: T): T | '' =>
  id == null || textProblem(id) === null ? id : '';

export interface IdRow {
  readonly id: string;
}

/** Rows of IDs, which a text column can hold. */
export const toIdRows = (ids: readonly string[]): readonly IdRow[] => ids.map((id) => ({ id: toStorableId(id) }));

/** Rows of IDs as a subquery with a single parameter. */
export const idRowTable = ({ db, dialect }: StoreDatabase, rows: readonly IdRow[] | RowsParameter<IdRow>) =>
  db.selectFrom(dialect.jsonTable({ alias: 'k', rows, columns: { id: 'text' } })).select('k.id');

/** IDs as a subquery with a single parameter. */
export const idTable = (database: StoreDatabase, ids: readonly string[]) => idRowTable(database, toIdRows(ids));

/** The key of a translation, with its index in a list. */
export interface TranslationKeyRow {
  readonly n: number;
  readonly article_id: string;
  readonly language_code: string;
}

export const toTranslationKeys = (articles: readonly Article[]): readonly TranslationKeyRow[] =>
  articles.map(({ articleId, languageCode }, n) => ({ n, article_id: articleId, language_code: languageCode }));

/** Keys of translations as a table `k`. */
export const translationKeyTable = (
  { dialect }: StoreDatabase,
  rows: readonly TranslationKeyRow[] | RowsParameter<TranslationKeyRow>,
) => dialect.jsonTable({ alias: 'k', rows, columns: { n: 'integer', article_id: 'text', language_code: 'text' } });

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
