import { sql } from 'kysely';
import type { DefaultVersion } from '../../core/articles/articles.ts';
import { toPrintable } from '../../core/base/printable.ts';
import type { BackendError } from '../../core/errors.ts';
import { type ImportedArticle, type KnowledgeBase, STORE_ACCOUNT } from '../knowledge-base/format.ts';
import { readProperty, removeProperty } from '../tables/store-properties.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import { lockNewEntries, runInTransaction, type WritableStore } from '../transactions.ts';
import {
  addKnowledgeBase,
  countsOf,
  type EntryCounts,
  entryCountsOf,
  type OnProgress,
  readDefaultVersion,
  replaceDefaultVersion,
  totalOf,
} from './add-knowledge-base.ts';
import { findTooLargeArticle, mayBeTooLarge, TOO_LARGE } from './article-sizes.ts';
import { type DemoRemoval, rememberDemo, removeDemo, removeUntouchedDemo } from './stored-demo.ts';
import { type Differences, findDifferences, updateEntries } from './update-entries.ts';

export interface ImportSummary {
  readonly added: EntryCounts;
  /** The entries that were skipped because their IDs exist: articles with all their versions, groups with their members. */
  readonly alreadyThere: EntryCounts;
  readonly demo: DemoRemoval;
  /** The entries that had other values in the store than in the file. With `update`, they have been updated. */
  readonly differences: Differences;
  /** The default project version after the import; null when the store has none. */
  readonly defaultVersion: DefaultVersion | null;
}

/**
 * Stores a knowledge base in one transaction, all or nothing. A demo that was never written to is removed; a changed
 * demo is no longer the default. Existing entries stay as they are unless `update` is true, so a second import of the
 * same file changes nothing. Throws with a message for people when the store can't be written, or when an entry refers
 * to an ID that belongs to another project version in the store.
 */
export async function importKnowledgeBase(store: WritableStore, options: ImportOptions): Promise<ImportSummary> {
  let elsewhere: readonly string[] = [];
  const onDifferences = (differences: Differences) => {
    elsewhere = differences.elsewhere;
  };
  const work = (transaction: StoreDatabase) => replaceDemo(transaction, { ...options, onDifferences });
  return writeAll(store, work, () => foreignIdMessage(elsewhere));
}

interface ImportOptions {
  readonly knowledgeBase: KnowledgeBase;
  readonly onProgress: OnProgress;
  /** True where existing entries that differ get the values of the knowledge base. */
  readonly update: boolean;
}

/** Stores the demo unless something was ever imported or the demo was dropped. */
export async function importDemo(store: WritableStore, demo: KnowledgeBase): Promise<void> {
  await writeAll(store, async (transaction) => {
    await lockNewEntries(transaction);
    if (!(await isStoreEmpty(transaction)) || (await readProperty(transaction, 'demo_dropped')) !== null) return;
    await addKnowledgeBase(transaction, demo, () => {});
    await rememberDemo(transaction);
  });
}

/**
 * Removes the demo, also a changed one, and keeps it from coming back. All or nothing: throws with a message for people
 * where other entries refer to it.
 */
export async function dropDemo(store: WritableStore, demo: KnowledgeBase): Promise<DemoRemoval> {
  const removed = await runInTransaction(store, async (transaction) => {
    await lockNewEntries(transaction);
    return removeDemo(transaction, demo);
  });
  if (removed.ok) return removed.value;
  throw new Error(`The demo may still be there: ${removed.error.message} Dropping it again is safe.`);
}

async function writeAll<T>(
  store: WritableStore,
  work: (transaction: StoreDatabase) => Promise<T>,
  messageOfForeignId = () => FOREIGN_ID,
): Promise<T> {
  const written = await runInTransaction(store, work).catch((error: unknown) => {
    throw store.database.dialect.isForeignKeyViolation(error) ? new Error(messageOfForeignId()) : error;
  });
  if (written.ok) return written.value;
  throw new Error(importErrorMessage(written.error));
}

const FOREIGN_ID = 'Nothing was imported: an ID that it refers to belongs to another project version in the store.';

const foreignIdMessage = (elsewhere: readonly string[]): string =>
  elsewhere.length === 0 ? FOREIGN_ID : toPrintable(`${FOREIGN_ID} It has there: ${elsewhere.join(', ')}.`);

const importErrorMessage = ({ kind, message }: BackendError): string =>
  kind === 'outcome-unknown'
    ? 'Either all was imported or nothing: the store failed while it was written. Importing it again is safe.'
    : `Nothing was imported: ${message}`;

async function replaceDemo(
  transaction: StoreDatabase,
  {
    knowledgeBase,
    onProgress,
    update,
    onDifferences,
  }: ImportOptions & { readonly onDifferences: (differences: Differences) => void },
): Promise<ImportSummary> {
  await lockNewEntries(transaction);
  const counts = entryCountsOf(knowledgeBase);
  // A file without entries replaces nothing.
  const demo = totalOf(counts) === 0 ? 'absent' : await removeUntouchedDemo(transaction);
  // Locks the entries, so that no write changes them between the comparison and the update.
  if (update) await transaction.dialect.lockRowsOf?.(['articles', 'reader_groups']).execute(transaction.db);
  const differences = await findDifferences(transaction, knowledgeBase);
  onDifferences(differences);
  const added = await addKnowledgeBase(transaction, knowledgeBase, onProgress);
  if (update) await updateEntries(transaction, knowledgeBase, differences);
  // Where the store has texts of an article, its size is only known there.
  const checked = knowledgeBase.articles.filter((article) => update || mayBeTooLarge(charactersOf(article) * 3));
  const ids = checked.map(({ id }) => id);
  const tooLarge = await findTooLargeArticle(transaction, ids);
  if (tooLarge !== null)
    throw new Error(`Nothing was imported: the article ${toPrintable(tooLarge)} is too large, since ${TOO_LARGE}.`);
  if (demo === 'changed' && knowledgeBase.project_versions.length > 0) {
    await replaceDefaultVersion(transaction, knowledgeBase.project_versions);
    // From now on the store is no demo any more: later imports keep the default.
    await removeProperty(transaction, 'demo');
  }
  return {
    added,
    alreadyThere: countsOf((list) => counts[list] - added[list]),
    differences,
    demo,
    defaultVersion: await readDefaultVersion(transaction),
  };
}

/** The characters of an article of a file, of which each has at most three bytes. */
const charactersOf = (article: ImportedArticle): number => JSON.stringify(article).length;

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
