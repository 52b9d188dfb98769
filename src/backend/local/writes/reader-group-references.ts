import type { AccessScope } from '../../../domain/reader-groups/access-scopes.ts';
import { wantedIds } from '../tables/id-tables.ts';
import { scopeRows } from '../tables/reader-group-rows.ts';
import type { Database } from '../tables/store-database.ts';

export interface References {
  readonly readerIds: readonly string[];
  readonly invitedSsoUserIds: readonly string[];
  readonly accessScope: AccessScope | null;
}

/** Everything that is named and not there, in the order of the update; each thing once, however often it is named. */
export async function missingReferences(within: Database, references: References): Promise<readonly string[]> {
  const { readerIds, invitedSsoUserIds, accessScope } = references;
  const findings = [
    ...(await missingReaders(within, readerIds)),
    ...(await missingInvitations(within, invitedSsoUserIds)),
    ...(accessScope === null ? [] : await missingScopes(within, accessScope)),
  ];
  return [...new Set(findings)];
}

async function missingReaders(within: Database, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await within.db.selectFrom('readers').select('id').where('id', 'in', wantedIds(within, ids)).execute();
  return missing(ids, rows).map((id) => `Reader ${id} does not exist.`);
}

async function missingInvitations(within: Database, ids: readonly string[]): Promise<readonly string[]> {
  const found = within.db.selectFrom('invited_sso_users').select('id').where('id', 'in', wantedIds(within, ids));
  return missing(ids, await found.execute()).map((id) => `Invitation ${id} does not exist.`);
}

function missing(ids: readonly string[], found: readonly { readonly id: string }[]): readonly string[] {
  const there = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !there.has(id));
}

/** A category and a language must be of the project version that is named beside them. */
async function missingScopes({ db, engine }: Database, scope: AccessScope): Promise<readonly string[]> {
  const columns = { n: 'integer', project_version_id: 'text', category_id: 'text', language_code: 'text' } as const;
  const rows = scopeRows(scope).map((row, n) => ({ n, ...row }));
  const found = await db
    .selectFrom(engine.rows({ alias: 'w', rows, columns }))
    .leftJoin('project_versions as p', 'p.id', 'w.project_version_id')
    .leftJoin('categories as c', (join) =>
      join.onRef('c.id', '=', 'w.category_id').onRef('c.project_version_id', '=', 'p.id'),
    )
    .leftJoin('languages as l', (join) =>
      join.onRef('l.code', '=', 'w.language_code').onRef('l.project_version_id', '=', 'p.id'),
    )
    .select(['w.project_version_id', 'w.category_id', 'w.language_code'])
    .select(['p.id as found_version', 'c.id as found_category', 'l.code as found_language'])
    .orderBy('w.n')
    .execute();
  return found.flatMap(({ project_version_id, category_id, language_code, ...there }) => {
    if (there.found_version === null) return [`Project version ${project_version_id} does not exist.`];
    const lacks = `does not exist in project version ${project_version_id}.`;
    return [
      ...(category_id !== null && there.found_category === null ? [`Category ${category_id} ${lacks}`] : []),
      ...(language_code !== null && there.found_language === null ? [`Language ${language_code} ${lacks}`] : []),
    ];
  });
}
