import type { ImportedCategory } from '../../../knowledge-base/knowledge-base.ts';
import type { StoreDatabase } from '../tables/store-database.ts';

const MAX_PAGE = 1_000;

/** All categories by ID. */
export async function* storedCategories({ db }: StoreDatabase): AsyncGenerator<ImportedCategory> {
  const pages = db.selectFrom('categories as c').selectAll('c').orderBy('c.id').limit(MAX_PAGE);
  // IDs are not empty.
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows = await pages.where('c.id', '>', after).execute();
    for (const row of rows) {
      yield {
        categoryId: row.id,
        projectVersionId: row.project_version_id,
        parentCategoryId: row.parent_category_id,
        name: row.name,
        order: row.position || null,
      };
    }
    after = rows.at(-1)?.id;
  }
}
