import { textProblem } from '../../../base/text.ts';
import type { RowOf, RowsParameter } from '../../../database/dialect.ts';
import type { Article } from '../../../domain/articles/articles.ts';
import type { Category } from '../../../domain/articles/categories.ts';
import type { StoreDatabase } from './store-database.ts';

/** Maps IDs and codes that no text column can hold to '', which matches nothing: PostgreSQL rejects such parameters. */
export const toStorableId = <T extends string | null | undefined>(id: T): T | '' =>
  id == null || textProblem(id) === null ? id : '';

const ID_COLUMNS = { id: 'text' } as const;

export type IdRow = RowOf<typeof ID_COLUMNS>;

/** Rows of IDs, which a text column can hold. */
export const toIdRows = (ids: readonly string[]): readonly IdRow[] => ids.map((id) => ({ id: toStorableId(id) }));

/** Rows of IDs as a subquery with a single parameter. */
export const idRowTable = ({ db, dialect }: StoreDatabase, rows: readonly IdRow[] | RowsParameter<IdRow>) =>
  db.selectFrom(dialect.jsonTable({ alias: 'k', rows, columns: ID_COLUMNS })).select('k.id');

/** IDs as a subquery with a single parameter. */
export const idTable = (database: StoreDatabase, ids: readonly string[]) => idRowTable(database, toIdRows(ids));

const TRANSLATION_KEY = { n: 'integer', article_id: 'text', language_code: 'text' } as const;

/** Keys of translations as a table `k`, with their index in the list as `n`. */
export const translationKeyTable = ({ dialect }: StoreDatabase, articles: readonly Article[]) =>
  dialect.jsonTable({
    alias: 'k',
    rows: articles.map(({ articleId, languageCode }, n) => ({ n, article_id: articleId, language_code: languageCode })),
    columns: TRANSLATION_KEY,
  });

const EDITION_OF_CATEGORY = { n: 'integer', category_id: 'text', language_code: 'text' } as const;

export type CategoryRow = RowOf<typeof EDITION_OF_CATEGORY>;

/** Rows of categories in a language, with their index in the list. */
export const toCategoryRows = (categories: readonly Category[]): readonly CategoryRow[] =>
  categories.map(({ categoryId, languageCode }, n) => ({ n, category_id: categoryId, language_code: languageCode }));

/** Categories in a language as a table `k`. */
export const categoryTable = ({ dialect }: StoreDatabase, rows: readonly CategoryRow[] | RowsParameter<CategoryRow>) =>
  dialect.jsonTable({ alias: 'k', rows, columns: EDITION_OF_CATEGORY });
