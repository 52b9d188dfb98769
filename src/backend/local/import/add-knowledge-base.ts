import type { KnowledgeBase, KnowledgeBaseLists } from '../../../knowledge-base/knowledge-base.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { addProperty } from '../tables/store-properties.ts';
import { TABLE_COLUMNS } from '../tables/tables.ts';
import { addArticles } from './articles.ts';
import { addRows } from './insert-in-chunks.ts';
import { addProjectVersions } from './project-versions.ts';
import { addReaderGroups } from './reader-groups.ts';

/** Numbers of entries. A language version is one version of one translation of an article. */
export type EntryCounts = Readonly<Record<keyof KnowledgeBaseLists | 'languageVersions', number>>;

/** Gets the number of processed entries and of all entries after each step. */
export type OnProgress = (done: number, total: number) => void;

/** Adds the entries whose IDs are new, in the transaction of the caller, and returns their numbers. */
export async function addKnowledgeBase(
  transaction: StoreDatabase,
  knowledgeBase: KnowledgeBase,
  onProgress: OnProgress,
): Promise<EntryCounts> {
  const { db, dialect } = transaction;
  const total = totalOf(entryCountsOf(knowledgeBase));
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
  if (knowledgeBase.source != null && total > 0) await addProperty(transaction, 'source', knowledgeBase.source);
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

export const entryCountsOf = (knowledgeBase: KnowledgeBase): EntryCounts => ({
  projectVersions: knowledgeBase.projectVersions.length,
  languages: knowledgeBase.languages.length,
  categories: knowledgeBase.categories.length,
  articles: knowledgeBase.articles.length,
  languageVersions: knowledgeBase.articles.reduce((sum, { versions }) => sum + versions.length, 0),
  readers: knowledgeBase.readers.length,
  invitedSsoUsers: knowledgeBase.invitedSsoUsers.length,
  readerGroups: knowledgeBase.readerGroups.length,
});

/** The number of entries. Versions are parts of their articles. */
export const totalOf = ({ languageVersions: _, ...entries }: EntryCounts): number =>
  Object.values(entries).reduce((sum, count) => sum + count);
