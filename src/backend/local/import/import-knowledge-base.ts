import { sql } from 'kysely';
import { err, type Result } from '../../../base/result.ts';
import type { DefaultVersion } from '../../../domain/articles/project-versions.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { KnowledgeBase } from '../../../knowledge-base/knowledge-base.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { removeProperty } from '../tables/store-properties.ts';
import { runInTransaction, type WritableStore } from '../writes/transactions.ts';
import { addKnowledgeBase, type EntryCounts, entryCountsOf, type OnProgress, totalOf } from './add-knowledge-base.ts';
import { type DemoRemoval, markDemo, removeUntouchedDemo } from './demo/stored-demo.ts';
import { readDefaultVersion, replaceDefaultVersion } from './project-versions.ts';

export interface ImportSummary {
  readonly added: EntryCounts;
  /** Skipped, because their IDs exist: articles with all their versions, groups with their members. */
  readonly alreadyThere: EntryCounts;
  readonly demo: DemoRemoval;
  /** The default project version after the import; null when the store has none. */
  readonly defaultVersion: DefaultVersion | null;
}

/**
 * Stores a knowledge base in one transaction, all or nothing. A demo that was never written to is removed; another one
 * loses its place as the default. Existing entries stay as they are, so a second import of the same changes nothing.
 * Throws with a message for people when the store can't be written, or when an entry refers to an ID that belongs to
 * another project version in the store.
 */
export async function importKnowledgeBase(
  store: WritableStore,
  knowledgeBase: KnowledgeBase,
  onProgress: OnProgress,
): Promise<ImportSummary> {
  return writeAll(store, (transaction) => replaceDemo(transaction, knowledgeBase, onProgress));
}

/** Stores the demo in a store to which nothing was ever imported, and nothing in any other. */
export async function importDemo(store: WritableStore, demo: KnowledgeBase): Promise<void> {
  await writeAll(store, async (transaction) => {
    await lockOutImports(transaction);
    if (!(await isStoreEmpty(transaction))) return;
    await addKnowledgeBase(transaction, demo, () => {});
    await markDemo(transaction);
  });
}

async function writeAll<T>(store: WritableStore, work: (transaction: StoreDatabase) => Promise<T>): Promise<T> {
  const written = await attemptWrite(store, work);
  if (!written.ok) throw new Error(written.error);
  return written.value;
}

async function attemptWrite<T>(
  store: WritableStore,
  work: (transaction: StoreDatabase) => Promise<T>,
): Promise<Result<T, string>> {
  try {
    const written = await runInTransaction(store, work);
    return written.ok ? written : err(importErrorMessage(written.error));
  } catch (error) {
    if (!store.database.dialect.isForeignKeyViolation(error)) throw error;
    return err('Nothing was imported: an ID that it refers to belongs to another project version in the store.');
  }
}

const importErrorMessage = ({ kind, message }: BackendError): string =>
  kind === 'outcome-unknown'
    ? 'Either all was imported or nothing: the store failed while it was written. Importing it again is safe.'
    : `Nothing was imported: ${message}`;

/** One import at a time: two would choose the same positions. */
const lockOutImports = async ({ db, dialect }: StoreDatabase): Promise<void> => {
  await dialect.lockTable?.('project_versions').execute(db);
};

async function replaceDemo(
  transaction: StoreDatabase,
  knowledgeBase: KnowledgeBase,
  onProgress: OnProgress,
): Promise<ImportSummary> {
  await lockOutImports(transaction);
  const counts = entryCountsOf(knowledgeBase);
  // A file without entries replaces nothing.
  const demo = totalOf(counts) === 0 ? 'absent' : await removeUntouchedDemo(transaction);
  const added = await addKnowledgeBase(transaction, knowledgeBase, onProgress);
  if (demo === 'changed' && knowledgeBase.projectVersions.length > 0) {
    await replaceDefaultVersion(transaction, knowledgeBase.projectVersions);
    // From now on the store is its owner's: later imports keep the default.
    await removeProperty(transaction, 'demo');
  }
  return {
    added,
    alreadyThere: subtractCounts(counts, added),
    demo,
    defaultVersion: await readDefaultVersion(transaction),
  };
}

const subtractCounts = (all: EntryCounts, some: EntryCounts): EntryCounts => ({
  projectVersions: all.projectVersions - some.projectVersions,
  languages: all.languages - some.languages,
  categories: all.categories - some.categories,
  articles: all.articles - some.articles,
  languageVersions: all.languageVersions - some.languageVersions,
  readers: all.readers - some.readers,
  invitedSsoUsers: all.invitedSsoUsers - some.invitedSsoUsers,
  readerGroups: all.readerGroups - some.readerGroups,
});

/** True when nothing was ever imported. */
export async function isStoreEmpty({ db }: StoreDatabase): Promise<boolean> {
  const tables = ['project_versions', 'readers', 'invited_sso_users', 'reader_groups'] as const;
  const counts = tables.map(
    (table) => sql`select 1 from (select 1 from ${sql.table(table)} limit 1) as ${sql.ref(table)}`,
  );
  const { rows } = await sql`${sql.join(counts, sql` union all `)}`.execute(db);
  return rows.length === 0;
}
