import { err, ok, type Result } from '../../core/base/result.ts';
import { storedTextProblem } from '../../core/base/text.ts';
import { type BackendError, readerGroupNotFound, rejected, UNKNOWN_READER_GROUP_TEXT } from '../../core/errors.ts';
import { createServiceError, NO_NOTICES } from '../../core/notices.ts';
import type { AccessScope } from '../../core/reader-groups/access-scopes.ts';
import {
  applyMembersUpdate,
  type CompletedMembersUpdate,
  type CompletedReaderGroupUpdate,
  changesNothing,
  type MembersUpdate,
  type ReaderGroupUpdate,
} from '../../core/reader-groups/reader-group-updates.ts';
import { groupProblem, type ReaderGroup } from '../../core/reader-groups/reader-groups.ts';
import { slicesOf } from '../database/statements.ts';
import { findReaderGroup } from '../reads/reader-groups.ts';
import { insertGroupLists, type ScopeColumns, toScopeColumns } from '../tables/reader-group-rows.ts';
import { defineIdStatement, MAX_ROWS } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import { lockRows, runInTransaction, type WritableStore } from '../transactions.ts';

/**
 * Replaces the members that the update contains and keeps the others. Nothing changes when the group or a reference of
 * the update does not exist. The `result` of every success is false, as in the service's own example: see
 * docs/service.md, "Reader group update".
 */
export const updateReaderGroup = (
  store: WritableStore,
  update: ReaderGroupUpdate,
): Promise<Result<CompletedReaderGroupUpdate, BackendError>> =>
  changeLockedGroup(store, update, async (transaction) => {
    const rejection = await findProblems(transaction, update);
    if (rejection) return err(rejection);
    await writeGroup(transaction, update);
    await writeLists(transaction, update);
    return ok({ serviceResult: false, ...NO_NOTICES });
  });

/** Reads and writes the members of a group in one transaction. Nothing changes when an added member does not exist. */
export const changeReaderGroupMembers = (
  store: WritableStore,
  update: MembersUpdate,
): Promise<Result<CompletedMembersUpdate, BackendError>> =>
  changeLockedGroup(store, update, async (transaction, group) => {
    const { groupId, addReaderIds: readerIds, addInvitedSsoUserIds: invitedSsoUserIds } = update;
    const rejection = await findProblems(transaction, { groupId, readerIds, invitedSsoUserIds });
    if (rejection) return err(rejection);
    const { members, changes } = applyMembersUpdate(group, update);
    if (!changesNothing(changes)) await writeLists(transaction, { groupId, ...members });
    return ok({ ...changes, ...NO_NOTICES });
  });

/**
 * Runs `work` in a transaction that has locked the group, unless it has another revision than the update expects. An
 * unknown group is an error with the service's own text.
 */
async function changeLockedGroup<T>(
  store: WritableStore,
  { groupId, ifRevision }: Pick<ReaderGroupUpdate, 'groupId' | 'ifRevision'>,
  work: (transaction: StoreDatabase, group: ReaderGroup) => Promise<Result<T, BackendError>>,
): Promise<Result<T, BackendError>> {
  const changeGroup = async (transaction: StoreDatabase): Promise<Result<T, BackendError>> => {
    await lockRows(transaction, 'reader_groups', [groupId]);
    const group = await findReaderGroup(transaction, groupId);
    if (group === null) return err(readerGroupNotFound([createServiceError(UNKNOWN_READER_GROUP_TEXT)]));
    const problem = groupProblem(ifRevision, group);
    return problem === null ? work(transaction, group) : err(problem);
  };
  const written = await runInTransaction(store, changeGroup, { row: groupId });
  return written.ok ? written.value : written;
}

async function writeGroup(
  { db }: StoreDatabase,
  { groupId, title, description, accessScope }: ReaderGroupUpdate,
): Promise<void> {
  const columns = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(accessScope !== undefined && { access_level: accessScope.level }),
  };
  if (Object.keys(columns).length === 0) return;
  await db.updateTable('reader_groups').set(columns).where('id', '=', groupId).execute();
}

/** Replaces the lists that are given and keeps the others. */
async function writeLists(transaction: StoreDatabase, update: ReaderGroupUpdate): Promise<void> {
  const { groupId, readerIds, invitedSsoUserIds, accessScope } = update;
  const remove = (table: 'reader_group_readers' | 'reader_group_invited_sso_users' | 'reader_group_scopes') =>
    transaction.db.deleteFrom(table).where('group_id', '=', groupId).execute();
  if (readerIds !== undefined) await remove('reader_group_readers');
  if (invitedSsoUserIds !== undefined) await remove('reader_group_invited_sso_users');
  if (accessScope !== undefined) await remove('reader_group_scopes');
  await insertGroupLists(transaction, [update]);
}

/** The error with one text for each missing reference and each text that is too long; null when there is none. */
async function findProblems(
  transaction: StoreDatabase,
  { title, description, readerIds = [], invitedSsoUserIds = [], accessScope }: ReaderGroupUpdate,
): Promise<BackendError | null> {
  const missingReaders = await missingIds(transaction, 'readers', readerIds);
  const missingInvitations = await missingIds(transaction, 'invited_sso_users', invitedSsoUserIds);
  const texts = [
    ...lengthProblem('title', title),
    ...lengthProblem('description', description),
    ...missingReaders.map((id) => `Reader ${id} does not exist.`),
    ...missingInvitations.map((id) => `Invitation ${id} does not exist.`),
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

const defineIdsIn = (table: 'readers' | 'invited_sso_users') =>
  defineIdStatement(({ db }, ids) => db.selectFrom(table).select('id').where('id', 'in', ids));

const SELECT_IDS = { readers: defineIdsIn('readers'), invited_sso_users: defineIdsIn('invited_sso_users') };

async function missingIds(
  transaction: StoreDatabase,
  table: keyof typeof SELECT_IDS,
  ids: readonly string[],
): Promise<readonly string[]> {
  const foundIds = new Set<string>();
  for (const slice of slicesOf(ids, MAX_ROWS)) {
    for (const { id } of await SELECT_IDS[table](transaction, slice)) foundIds.add(id);
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
  const columns = { n: 'integer', project_version_id: 'text', category_id: 'text?', language_code: 'text?' } as const;
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
