import type { DefaultVersion } from '../../../domain/articles/project-versions.ts';
import type { KnowledgeBase } from '../../../knowledge-base/knowledge-base.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { IS_SET } from '../tables/tables.ts';

/** Sets the default of the file, or else its first version, unless the store has a default already. */
export async function markDefaultVersion(
  { db }: StoreDatabase,
  versions: KnowledgeBase['projectVersions'],
): Promise<void> {
  const version = versions.find(({ isDefault }) => isDefault) ?? versions[0];
  if (!version) return;
  await db
    .updateTable('project_versions')
    .set({ is_default: 1 })
    .where('id', '=', version.projectVersionId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('project_versions as d').select('d.id').where('d.is_default', '=', IS_SET))),
    )
    .execute();
}

/** Makes the default of the file that of the store, in place of another one. */
export async function replaceDefaultVersion(
  transaction: StoreDatabase,
  versions: KnowledgeBase['projectVersions'],
): Promise<void> {
  await transaction.db
    .updateTable('project_versions')
    .set({ is_default: 0 })
    .where('is_default', '=', IS_SET)
    .execute();
  await markDefaultVersion(transaction, versions);
}

/** The default project version of the store; null when it has none. */
export async function readDefaultVersion({ db }: StoreDatabase): Promise<DefaultVersion | null> {
  const row = await db
    .selectFrom('project_versions')
    .select(['id', 'name'])
    .where('is_default', '=', IS_SET)
    .executeTakeFirst();
  return row ? { projectVersionId: row.id, name: row.name } : null;
}

/** Sets the default language of each project version by the same rule. */
export async function markDefaultLanguages(
  { db, dialect }: StoreDatabase,
  languages: KnowledgeBase['languages'],
): Promise<void> {
  const defaults = new Map<string, string>();
  for (const { projectVersionId, code, isDefault } of languages) {
    if (isDefault || !defaults.has(projectVersionId)) defaults.set(projectVersionId, code);
  }
  const rows = [...defaults].map(([project_version_id, code]) => ({ project_version_id, code }));
  const columns = { project_version_id: 'text', code: 'text' } as const;
  await db
    .updateTable('languages')
    .from(dialect.jsonTable({ alias: 'k', rows, columns }))
    .set({ is_default: 1 })
    .whereRef('languages.project_version_id', '=', 'k.project_version_id')
    .whereRef('languages.code', '=', 'k.code')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('languages as d')
            .select('d.code')
            .whereRef('d.project_version_id', '=', 'k.project_version_id')
            .where('d.is_default', '=', IS_SET),
        ),
      ),
    )
    .execute();
}
