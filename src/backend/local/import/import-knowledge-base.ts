import { sql } from 'kysely';
import type { BackendError } from '../../../domain/errors.ts';
import { err, type Result } from '../../../domain/result.ts';
import type { KnowledgeBase, KnowledgeBaseLists } from '../../../knowledge-base/knowledge-base.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { TABLE_COLUMNS } from '../tables/tables.ts';
import { runInTransaction, type WritableStore } from '../writes/transactions.ts';
import { addArticles } from './articles.ts';
import { addRows } from './insert-in-chunks.ts';
import { addProjectVersions } from './project-versions.ts';
import { addReaderGroups } from './reader-groups.ts';

/** Numbers of entries. A language version is one version of one translation of an article. */
type ImportCounts = Readonly<Record<keyof KnowledgeBaseLists | 'languageVersions', number>>;

export interface ImportSummary {
  readonly added: ImportCounts;
  /** Skipped, because their IDs exist: articles with all their versions, groups with their members. */
  readonly alreadyThere: ImportCounts;
}

/** Gets the number of processed entries and of all entries after each step. */
export type OnProgress = (done: number, total: number) => void;

/**
 * Stores a knowledge base in one transaction, all or nothing. Existing entries stay as they are, so a second import
 * of the same changes nothing. Throws with a message for people when the store can't be written, or when an entry
 * refers to an ID that belongs to another project version in the store.
 */
export async function importKnowledgeBase(
  store: WritableStore,
  knowledgeBase: KnowledgeBase,
  onProgress: OnProgress,
): Promise<ImportSummary> {
  const added = await writeAll(store, knowledgeBase, onProgress);
  if (!added.ok) throw new Error(added.error);
  return { added: added.value, alreadyThere: subtractCounts(entryCountsOf(knowledgeBase), added.value) };
}

async function writeAll(
  store: WritableStore,
  knowledgeBase: KnowledgeBase,
  onProgress: OnProgress,
): Promise<Result<ImportCounts, string>> {
  try {
    const written = await runInTransaction(store, (transaction) =>
      addKnowledgeBase(transaction, knowledgeBase, onProgress),
    );
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

async function addKnowledgeBase(
  transaction: StoreDatabase,
  knowledgeBase: KnowledgeBase,
  onProgress: OnProgress,
): Promise<ImportCounts> {
  const { db, dialect } = transaction;
  // One import at a time: both would choose the same positions.
  await dialect.lockTable?.('project_versions').execute(db);
  const { languageVersions: _, ...entries } = entryCountsOf(knowledgeBase);
  const total = Object.values(entries).reduce((sum, count) => sum + count);
  let done = 0;
  const importContext = {
    transaction,
    reportProgress: (count: number) => {
      done += count;
      onProgress(done, total);
    },
  };
  const tree = {
    ...(await addProjectVersions(importContext, knowledgeBase)),
    categories: await addRows(importContext, 'categories', knowledgeBase.categories.map(categoryRow)),
  };
  // Only a category may precede an entry that it refers to. Millions of checks at the commit take too long.
  await dialect.checkReferences?.execute(db);
  const added = {
    ...tree,
    ...(await addArticles(importContext, knowledgeBase.articles)),
    readers: await addRows(importContext, 'readers', knowledgeBase.readers.map(readerRow)),
    invitedSsoUsers: await addRows(
      importContext,
      'invited_sso_users',
      knowledgeBase.invitedSsoUsers.map(invitedSsoUserRow),
    ),
    readerGroups: await addReaderGroups(importContext, knowledgeBase.readerGroups),
  };
  if (total >= MANY_ENTRIES) await dialect.analyze?.(Object.keys(TABLE_COLUMNS)).execute(db);
  return added;
}

/**
 * From this number of new entries on, an import updates the statistics of the query planner. PostgreSQL does so by
 * itself, but not at once.
 */
const MANY_ENTRIES = 1_000;

const categoryRow = (category: KnowledgeBase['categories'][number]) => ({
  id: category.categoryId,
  project_version_id: category.projectVersionId,
  parent_category_id: category.parentCategoryId,
  name: category.name,
  position: category.order ?? 0,
});

const readerRow = ({ readerId, firstName, lastName, email }: KnowledgeBase['readers'][number]) => ({
  id: readerId,
  first_name: firstName,
  last_name: lastName,
  email,
  email_folded: foldEmail(email),
});

const invitedSsoUserRow = ({ invitationId, email }: KnowledgeBase['invitedSsoUsers'][number]) => ({
  id: invitationId,
  email,
  email_folded: foldEmail(email),
});

const foldEmail = (email: string | null): string | null => email?.toLowerCase() ?? null;

const entryCountsOf = (knowledgeBase: KnowledgeBase): ImportCounts => ({
  projectVersions: knowledgeBase.projectVersions.length,
  languages: knowledgeBase.languages.length,
  categories: knowledgeBase.categories.length,
  articles: knowledgeBase.articles.length,
  languageVersions: knowledgeBase.articles.reduce((sum, { versions }) => sum + versions.length, 0),
  readers: knowledgeBase.readers.length,
  invitedSsoUsers: knowledgeBase.invitedSsoUsers.length,
  readerGroups: knowledgeBase.readerGroups.length,
});

const subtractCounts = (all: ImportCounts, some: ImportCounts): ImportCounts => ({
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
