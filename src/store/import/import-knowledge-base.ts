import { sql } from 'kysely';
import type { DefaultVersion } from '../../core/articles/articles.ts';
import { toPrintable } from '../../core/base/printable.ts';
import type { BackendError } from '../../core/errors.ts';
import { type KnowledgeBase, STORE_ACCOUNT } from '../knowledge-base/format.ts';
import { readProperty } from '../tables/store-properties.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import { lockNewEntries, runInTransaction, type WritableStore } from '../transactions.ts';
import {
  addKnowledgeBase,
  countsOf,
  type EntryCounts,
  entryCountsOf,
  type OnProgress,
  readDefaultVersion,
} from './add-knowledge-base.ts';

export interface ImportSummary {
  readonly added: EntryCounts;
  /** The entries that were skipped because their IDs exist: articles with all their versions, groups with their members. */
  readonly alreadyThere: EntryCounts;
  /** The default project version after the import; null when the store has none. */
  readonly defaultVersion: DefaultVersion | null;
}

/**
 * Stores a knowledge base in one transaction, all or nothing. Existing entries stay as they are, so a second import of the
 * same file changes nothing.
 * Throws with a message for people when the store can't be written, or when an entry refers to an ID that belongs to
 * another project version in the store.
 */
export async function importKnowledgeBase(store: WritableStore, options: ImportOptions): Promise<ImportSummary> {
  const work = (transaction: StoreDatabase) => addAll(transaction, options);
  return writeAll(store, work, async () => foreignIdMessage(await foundElsewhere(store.database, options)));
}

interface ImportOptions {
  readonly knowledgeBase: KnowledgeBase;
  readonly onProgress: OnProgress;
}

/** Stores the demo unless something was ever imported. */
export async function importDemo(store: WritableStore, demo: KnowledgeBase): Promise<void> {
  await writeAll(store, async (transaction) => {
    await lockNewEntries(transaction);
    if (!(await isStoreEmpty(transaction)) || (await readProperty(transaction, 'demo_dropped')) !== null) return;
    await addKnowledgeBase(transaction, demo, () => {});
  });
}

async function writeAll<T>(
  store: WritableStore,
  work: (transaction: StoreDatabase) => Promise<T>,
  messageOfForeignId = async () => FOREIGN_ID,
): Promise<T> {
  const written = await runInTransaction(store, work).catch(async (error: unknown) => {
    throw store.database.dialect.isForeignKeyViolation(error) ? new Error(await messageOfForeignId()) : error;
  });
  if (written.ok) return written.value;
  throw new Error(importErrorMessage(written.error));
}

const FOREIGN_ID = 'Nothing was imported: an ID that it refers to belongs to another project version in the store.';

const foreignIdMessage = (elsewhere: readonly string[]): string =>
  elsewhere.length === 0 ? FOREIGN_ID : toPrintable(`${FOREIGN_ID} It has there: ${elsewhere.join(', ')}.`);

/** The most entries that the message names. */
const MAX_ELSEWHERE = 100;

/** The first entries that belong to another project version in the store, as `categories c1`. */
async function foundElsewhere(
  { db, dialect }: StoreDatabase,
  { knowledgeBase }: ImportOptions,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const table of ['categories', 'articles'] as const) {
    const rows = knowledgeBase[table].map(({ id, project_version_id }) => ({ id, project_version_id }));
    const given = dialect.jsonTable({ alias: 'given', rows, columns: { id: 'text', project_version_id: 'text' } });
    const { rows: stored } = await sql<{ id: string }>`
      select stored.id from ${sql.table(table)} as stored, ${given}
      where stored.id = given.id and stored.project_version_id <> given.project_version_id
      order by stored.id limit ${sql.lit(MAX_ELSEWHERE)}
    `.execute(db);
    found.push(...stored.map(({ id }) => `${table} ${id}`));
  }
  return found.slice(0, MAX_ELSEWHERE);
}

const importErrorMessage = ({ kind, message }: BackendError): string =>
  kind === 'outcome-unknown'
    ? 'Either all was imported or nothing: the store failed while it was written. Importing it again is safe.'
    : `Nothing was imported: ${message}`;

async function addAll(
  transaction: StoreDatabase,
  { knowledgeBase, onProgress }: ImportOptions,
): Promise<ImportSummary> {
  await lockNewEntries(transaction);
  const counts = entryCountsOf(knowledgeBase);
  const added = await addKnowledgeBase(transaction, knowledgeBase, onProgress);
  return {
    added,
    alreadyThere: countsOf((list) => counts[list] - added[list]),
    defaultVersion: await readDefaultVersion(transaction),
  };
}

/** True when nothing was ever imported. */
export async function isStoreEmpty({ db }: StoreDatabase): Promise<boolean> {
  const tables = ['project_versions', 'readers', 'invited_sso_users', 'reader_groups'] as const;
  const counts = tables.map(
    (table) => sql`select 1 from (select 1 from ${sql.table(table)} limit 1) as ${sql.ref(table)}`,
  );
  // Every store has its own account, which does not count.
  counts.push(sql`select 1 from team_accounts where id <> ${STORE_ACCOUNT.user_id}`);
  const { rows } = await sql`${sql.join(counts, sql` union all `)}`.execute(db);
  return rows.length === 0;
}
