import { sql } from 'kysely';
import { defineStatement } from '../../../database/row-statements.ts';
import type { RowsParameter } from '../../../database/rows-parameter.ts';
import { slicesOf } from '../../../database/slices.ts';
import type { ArticleUpdate } from '../../../domain/articles/bulk-updates.ts';
import { IS_SET } from '../tables/flags.ts';
import type { StoreDatabase } from '../tables/store-database.ts';

const TARGET_KEY_COLUMNS = {
  n: 'integer',
  article_id: 'text',
  language_code: 'text',
  version_number: 'integer',
  category_id: 'text',
} as const;

/**
 * The rows that each item of a bulk update refers to, in the order of the items. An update creates and removes
 * nothing that another item refers to, so all targets are read before the first item is applied.
 */
export async function findArticleTargets(
  transaction: StoreDatabase,
  updates: readonly ArticleUpdate[],
): Promise<readonly ArticleTarget[]> {
  const targets: ArticleTarget[] = [];
  for (const slice of slicesOf(updates, transaction.dialect.maxUpdatedRows)) {
    for (const target of await queryTargets(transaction, slice)) targets.push(target);
  }
  return targets;
}

interface TargetKeyRow {
  readonly n: number;
  readonly article_id: string;
  readonly language_code: string | null;
  readonly version_number: number | null;
  readonly category_id: string | null;
}

const selectTargets = defineStatement(({ db, dialect }: StoreDatabase, rows: RowsParameter<TargetKeyRow>) =>
  db
    .selectFrom(dialect.jsonTable({ alias: 'k', rows, columns: TARGET_KEY_COLUMNS }))
    .leftJoin('articles as a', 'a.id', 'k.article_id')
    .leftJoin('languages as d', (join) =>
      join.onRef('d.project_version_id', '=', 'a.project_version_id').on('d.is_default', '=', IS_SET),
    )
    .leftJoin('languages as l', (join) =>
      join
        .onRef('l.project_version_id', '=', 'a.project_version_id')
        .on((eb) => eb('l.code', '=', eb.fn.coalesce('k.language_code', 'd.code'))),
    )
    .leftJoin('article_translations as t', (join) =>
      join.onRef('t.article_id', '=', 'a.id').onRef('t.language_code', '=', 'l.code'),
    )
    .leftJoin('article_versions as v', (join) =>
      join
        .onRef('v.article_id', '=', 't.article_id')
        .onRef('v.language_code', '=', 't.language_code')
        .on((eb) => eb('v.version_number', '=', eb.fn.coalesce('k.version_number', 't.latest_version_number'))),
    )
    .leftJoin('categories as c', (join) =>
      join.onRef('c.id', '=', 'k.category_id').onRef('c.project_version_id', '=', 'a.project_version_id'),
    )
    .select([
      'k.n',
      'a.id as article_id',
      'a.content_type',
      'l.code as language_code',
      't.latest_version_number',
      'v.version_number',
      'c.id as category_id',
      sql<number>`coalesce(octet_length(v.content), 0)`.as('content_bytes'),
    ])
    .orderBy('k.n')
    .compile(),
);

const queryTargets = (transaction: StoreDatabase, updates: readonly ArticleUpdate[]) =>
  selectTargets(
    transaction,
    updates.map((update, n) => ({
      n,
      article_id: update.articleId,
      language_code: update.languageCode ?? null,
      version_number: update.versionNumber ?? null,
      category_id: update.categoryId ?? null,
    })),
  );

export type ArticleTarget = Awaited<ReturnType<typeof queryTargets>>[number];
