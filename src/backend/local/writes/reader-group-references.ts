import { storedTextProblem } from '../../../base/text.ts';
import { slicesOf } from '../../../database/slices.ts';
import { type BackendError, rejected } from '../../../domain/errors.ts';
import { createServiceError } from '../../../domain/notices.ts';
import type { AccessScope } from '../../../domain/reader-groups/access-scopes.ts';
import { type ScopeColumns, toScopeColumns } from '../tables/access-scopes.ts';
import { idTable } from '../tables/id-tables.ts';
import { MAX_ROWS } from '../tables/insert-rows.ts';
import type { StoreDatabase } from '../tables/store-database.ts';

interface GroupReferences {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly readerIds: readonly string[];
  readonly invitedSsoUserIds: readonly string[];
  readonly accessScope?: AccessScope | undefined;
}

/** An error with one text per missing reference and text that is too long; null when there is none. */
export async function findMissingReferences(
  transaction: StoreDatabase,
  { title, description, readerIds, invitedSsoUserIds, accessScope }: GroupReferences,
): Promise<BackendError | null> {
  const texts = [
    ...lengthProblem('title', title),
    ...lengthProblem('description', description),
    ...(await missingReaders(transaction, readerIds)),
    ...(await missingInvitations(transaction, invitedSsoUserIds)),
    ...(accessScope === undefined ? [] : await missingScopeEntries(transaction, accessScope)),
  ];
  if (texts.length === 0) return null;
  const serviceErrors = [...new Set(texts)].map((text) => createServiceError(text));
  return rejected({ httpStatus: 400, mayHaveApplied: false, serviceErrors, warnings: [], information: [] });
}

function lengthProblem(kind: 'title' | 'description', text: string | null | undefined): readonly string[] {
  const problem = text == null ? null : storedTextProblem(kind, text);
  return problem === null ? [] : [`The ${kind} ${problem}.`];
}

async function missingReaders(transaction: StoreDatabase, ids: readonly string[]): Promise<readonly string[]> {
  const missing = await missingIds(transaction, 'readers', ids);
  return missing.map((id) => `Reader ${id} does not exist.`);
}

async function missingInvitations(transaction: StoreDatabase, ids: readonly string[]): Promise<readonly string[]> {
  const missing = await missingIds(transaction, 'invited_sso_users', ids);
  return missing.map((id) => `Invitation ${id} does not exist.`);
}

async function missingIds(
  transaction: StoreDatabase,
  table: 'readers' | 'invited_sso_users',
  ids: readonly string[],
): Promise<readonly string[]> {
  const foundIds = new Set<string>();
  for (const slice of slicesOf(ids, MAX_ROWS)) {
    const query = transaction.db.selectFrom(table).select('id').where('id', 'in', idTable(transaction, slice));
    for (const { id } of await query.execute()) foundIds.add(id);
  }
  return ids.filter((id) => !foundIds.has(id));
}

async function missingScopeEntries(transaction: StoreDatabase, scope: AccessScope): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const slice of slicesOf(toScopeColumns(scope), MAX_ROWS)) {
    missing.push(...(await missingEntries(transaction, slice)));
  }
  return missing;
}

/** A category and a language must belong to the project version of their entry. */
async function missingEntries(
  { db, dialect }: StoreDatabase,
  scopeEntries: readonly ScopeColumns[],
): Promise<readonly string[]> {
  const columns = { n: 'integer', project_version_id: 'text', category_id: 'text', language_code: 'text' } as const;
  const rows = scopeEntries.map((entry, n) => ({ n, ...entry }));
  const entries = await db
    .selectFrom(dialect.jsonTable({ alias: 'k', rows, columns }))
    .leftJoin('project_versions as p', 'p.id', 'k.project_version_id')
    .leftJoin('categories as c', (join) =>
      join.onRef('c.id', '=', 'k.category_id').onRef('c.project_version_id', '=', 'p.id'),
    )
    .leftJoin('languages as l', (join) =>
      join.onRef('l.code', '=', 'k.language_code').onRef('l.project_version_id', '=', 'p.id'),
    )
    .select(['k.project_version_id', 'k.category_id', 'k.language_code'])
    .select(['p.id as found_version', 'c.id as found_category', 'l.code as found_language'])
    .orderBy('k.n')
    .execute();
  return entries.flatMap(({ project_version_id, category_id, language_code, ...found }) => {
    if (found.found_version === null) return [`Project version ${project_version_id} does not exist.`];
    const problem = `does not exist in project version ${project_version_id}.`;
    return [
      ...(category_id !== null && found.found_category === null ? [`Category ${category_id} ${problem}`] : []),
      ...(language_code !== null && found.found_language === null ? [`Language ${language_code} ${problem}`] : []),
    ];
  });
}
