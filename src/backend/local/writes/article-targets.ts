import type { ArticleUpdate } from '../../../domain/articles/bulk-updates.ts';
import { slicesOf } from '../tables/insert-rows.ts';
import type { Database } from '../tables/store-database.ts';

const KEY_COLUMNS = {
  n: 'integer',
  article_id: 'text',
  language_code: 'text',
  version_number: 'integer',
  category_id: 'text',
} as const;

/**
 * What the store has for each item of a bulk update, by the place of the item: one statement for as many as the engine
 * takes. An update makes and removes nothing that another item is checked against, so all can be looked up before the
 * first is applied.
 */
export async function articleTargets(
  within: Database,
  updates: readonly ArticleUpdate[],
): Promise<readonly ArticleTarget[]> {
  const targets: ArticleTarget[] = [];
  for (const some of slicesOf(updates, within.engine.maxUpdatedRows)) {
    for (const target of await targetsOf(within, some)) targets.push(target);
  }
  return targets;
}

function targetsOf({ db, engine }: Database, updates: readonly ArticleUpdate[]) {
  const wanted = updates.map((update, n) => ({
    n,
    article_id: update.articleId,
    language_code: update.languageCode ?? null,
    version_number: update.versionNumber ?? null,
    category_id: update.categoryId ?? null,
  }));
  return db
    .selectFrom(engine.rows({ alias: 'w', rows: wanted, columns: KEY_COLUMNS }))
    .leftJoin('articles as a', 'a.id', 'w.article_id')
    .leftJoin('languages as d', (join) =>
      join.onRef('d.project_version_id', '=', 'a.project_version_id').on('d.is_default', '=', 1),
    )
    .leftJoin('languages as l', (join) =>
      join
        .onRef('l.project_version_id', '=', 'a.project_version_id')
        .on((eb) => eb('l.code', '=', eb.fn.coalesce('w.language_code', 'd.code'))),
    )
    .leftJoin('article_translations as t', (join) =>
      join.onRef('t.article_id', '=', 'a.id').onRef('t.language_code', '=', 'l.code'),
    )
    .leftJoin('article_versions as v', (join) =>
      join
        .onRef('v.article_id', '=', 't.article_id')
        .onRef('v.language_code', '=', 't.language_code')
        .on((eb) => eb('v.version_number', '=', eb.fn.coalesce('w.version_number', 't.latest_version_number'))),
    )
    .leftJoin('categories as c', (join) =>
      join.onRef('c.id', '=', 'w.category_id').onRef('c.project_version_id', '=', 'a.project_version_id'),
    )
    .select([
      'w.n',
      'a.id as article_id',
      'a.content_type',
      'l.code as language_code',
      't.latest_version_number',
      'v.version_number',
      'c.id as category_id',
    ])
    .orderBy('w.n')
    .execute();
}

export type ArticleTarget = Awaited<ReturnType<typeof targetsOf>>[number];
