import { sql } from 'kysely';
import type { ArticleOutcome } from '../../core/articles/article-outcomes.ts';
import { ARTICLE_MEMBERS, type ArticleUpdate, type UpdateTarget } from '../../core/articles/bulk-updates.ts';
import { ok, type Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { slicesOf } from '../database/statements.ts';
import { defineKeyedStatement } from '../tables/rows.ts';
import { IS_SET, type StoreDatabase } from '../tables/tables.ts';
import type { TargetVersion } from './article-changes.ts';

/** The outcomes of the items of a transaction. An error means that nothing was applied. */
export function outcomesOfTransaction(
  written: Result<unknown, BackendError>,
  outcomes: readonly ArticleOutcome[],
): Result<readonly ArticleOutcome[], BackendError> {
  if (written.ok) return ok(outcomes);
  if (written.error.kind !== 'outcome-unknown') return written;
  const { message: details } = written.error;
  // Items that were to be written may have been written; failed items certainly were not.
  return ok(
    outcomes.map(
      ({ articleId, ...outcome }): ArticleOutcome =>
        outcome.kind === 'updated' ? { kind: 'unknown', articleId, details } : { ...outcome, articleId },
    ),
  );
}

export const isComplete = (target: ArticleTarget): target is ArticleTarget & TargetVersion =>
  target.article_id !== null && target.language_code !== null && target.version_number !== null;

const TARGET_KEY_COLUMNS = {
  n: 'integer',
  article_id: 'text',
  language_code: 'text?',
  version_number: 'integer?',
  category_id: 'text?',
} as const;

/**
 * The rows that each item of a bulk update refers to, in the order of the items. An update creates and removes nothing
 * that another item refers to, so all targets are read before the first item is applied.
 */
export async function findArticleTargets(
  transaction: StoreDatabase,
  updates: readonly (UpdateTarget & Pick<ArticleUpdate, 'categoryId'>)[],
  defaultVersion: DefaultVersion = 'latest_version_number',
): Promise<readonly ArticleTarget[]> {
  const targets: ArticleTarget[] = [];
  for (const slice of slicesOf(updates, transaction.dialect.maxUpdatedRows)) {
    const rows = slice.map((update, n) => ({
      n,
      article_id: update.articleId,
      language_code: update.languageCode ?? null,
      version_number: update.versionNumber ?? null,
      category_id: update.categoryId ?? null,
    }));
    for (const target of await selectTargets(transaction, { rows }, defaultVersion)) targets.push(target);
  }
  return targets;
}

const TARGET_COLUMNS = [
  'a.id as article_id',
  'a.project_version_id',
  'a.hidden',
  'a.content_type',
  'l.code as language_code',
  't.latest_version_number',
  't.public_version_number',
  'v.version_number',
  'v.status',
  'v.modified_at',
  'c.id as category_id',
  'w.id as word_id',
  'w.title_digest',
  'w.content_digest',
] as const;

/** The column with the version that an item without a number means. */
type DefaultVersion = 'latest_version_number' | 'public_version_number';

const selectTargets = defineKeyedStatement(TARGET_KEY_COLUMNS, ({ db }, keys, defaultVersion: DefaultVersion) =>
  db
    .selectFrom(keys)
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
        .on((eb) => eb('v.version_number', '=', eb.fn.coalesce('k.version_number', `t.${defaultVersion}`))),
    )
    .leftJoin('article_words as w', (join) =>
      join.onRef('w.article_id', '=', 't.article_id').onRef('w.language_code', '=', 't.language_code'),
    )
    .leftJoin('categories as c', (join) =>
      join.onRef('c.id', '=', 'k.category_id').onRef('c.project_version_id', '=', 'a.project_version_id'),
    )
    .select(TARGET_COLUMNS)
    .select(sql<number>`coalesce(octet_length(v.content), 0)`.as('content_bytes'))
    .orderBy('k.n'),
);

export type ArticleTarget = Awaited<ReturnType<typeof selectTargets>>[number];

/**
 * The reasons of a missing article, language, translation or version. It checks them in this order, and stops at the
 * first that is missing.
 */
export function missingTargetReasons(
  { languageCode, versionNumber }: UpdateTarget,
  target: ArticleTarget,
): readonly string[] {
  const { article_id, language_code, latest_version_number, version_number } = target;
  if (article_id === null) return ['there is no such article'];
  if (language_code === null) return [`its project version has no language ${languageCode ?? 'at all'}`];
  if (latest_version_number === null) return [`it has no translation in the language ${language_code}`];
  const problem = ARTICLE_MEMBERS.versionNumber.problemOf({ versionNumber });
  if (problem !== null) return [`the version number ${problem}`];
  if (version_number === null) return [`it has no version ${versionNumber} in the language ${language_code}`];
  return [];
}
