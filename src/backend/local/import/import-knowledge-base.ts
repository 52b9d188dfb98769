import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { DefaultVersion } from '../../../domain/articles/articles.ts';
import type { BackendError } from '../../../domain/errors.ts';
import { documentText } from '../../../knowledge-base/document.ts';
import type { KnowledgeBase } from '../../../knowledge-base/format.ts';
import { addProperty, readProperty, removeProperty } from '../tables/store-properties.ts';
import { type StoreDatabase, TABLE_COLUMNS } from '../tables/tables.ts';
import { runInTransaction, type WritableStore } from '../writes/transactions.ts';
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
import { storedEntries } from './export-knowledge-base.ts';

/**
 * The fate of the demo. `changed`: it is still there, because somebody wrote to it. `absent`: there is none, or
 * nothing to import in its place.
 */
type DemoRemoval = 'removed' | 'changed' | 'absent';

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
  const written = await runInTransaction(store, work).catch((error: unknown) => {
    throw store.database.dialect.isForeignKeyViolation(error) ? new Error(FOREIGN_ID) : error;
  });
  if (written.ok) return written.value;
  throw new Error(importErrorMessage(written.error));
}

const FOREIGN_ID = 'Nothing was imported: an ID that it refers to belongs to another project version in the store.';

const importErrorMessage = ({ kind, message }: BackendError): string =>
  kind === 'outcome-unknown'
    ? 'Either all was imported or nothing: the store failed while it was written. Importing it again is safe.'
    : `Nothing was imported: ${message}`;

/** One import at a time: two would choose the same positions. */
const lockOutImports = async ({ db, dialect }: StoreDatabase): Promise<void> => {
  await dialect.lockName?.('import').execute(db);
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
  if (demo === 'changed' && knowledgeBase.project_versions.length > 0) {
    await replaceDefaultVersion(transaction, knowledgeBase.project_versions);
    // From now on the store is its owner's: later imports keep the default.
    await removeProperty(transaction, 'demo');
  }
  return {
    added,
    alreadyThere: countsOf((list) => counts[list] - added[list]),
    demo,
    defaultVersion: await readDefaultVersion(transaction),
  };
}

/** True when nothing was ever imported. */
export async function isStoreEmpty({ db }: StoreDatabase): Promise<boolean> {
  const tables = ['project_versions', 'readers', 'invited_sso_users', 'reader_groups'] as const;
  const counts = tables.map(
    (table) => sql`select 1 from (select 1 from ${sql.table(table)} limit 1) as ${sql.ref(table)}`,
  );
  const { rows } = await sql`${sql.join(counts, sql` union all `)}`.execute(db);
  return rows.length === 0;
}

/** Marks what the store holds as the demo, so that an import can tell whether it was written to since. */
async function markDemo(transaction: StoreDatabase): Promise<void> {
  await addProperty(transaction, 'demo', await fingerprintOf(transaction));
}

/** Empties the store when it holds nothing but a demo that was never written to, be it of an older version. */
async function removeUntouchedDemo(transaction: StoreDatabase): Promise<DemoRemoval> {
  const { db, dialect } = transaction;
  const fingerprint = await readProperty(transaction, 'demo');
  if (fingerprint === null) return 'absent';
  // Every write begins with locks on rows of these tables: none may change the demo between the check and the removal.
  await dialect.lockRowsOf?.(['articles', 'reader_groups']).execute(db);
  if ((await wasArticleWritten(transaction)) || (await fingerprintOf(transaction)) !== fingerprint) return 'changed';
  // Foreign keys are checked later, so the order does not matter.
  for (const table of Object.keys(TABLE_COLUMNS)) await sql`delete from ${sql.table(table)}`.execute(db);
  return 'removed';
}

async function wasArticleWritten({ db }: StoreDatabase): Promise<boolean> {
  const written = db.selectFrom('article_versions').select('article_id').where('modified_at', 'is not', null);
  return (await written.limit(1).executeTakeFirst()) !== undefined;
}

/** The characters of a document from which on it is no demo. A store to which much was imported is not read whole. */
const MAX_DEMO_LENGTH = 1_000_000;

/**
 * A hash of all entries, or '' when they are more than any demo has. It does not depend on the tables, so that later
 * migrations do not change it.
 */
async function fingerprintOf(database: StoreDatabase): Promise<string> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const piece of documentText(await storedEntries(database))) {
    hash.update(piece);
    length += piece.length;
    if (length > MAX_DEMO_LENGTH) return '';
  }
  return hash.digest('hex');
}
