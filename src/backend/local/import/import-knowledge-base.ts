import { sql } from 'kysely';
import type { BackendError } from '../../../domain/errors.ts';
import { err, type Result } from '../../../domain/result.ts';
import type { KnowledgeBase } from '../../../knowledge-base/knowledge-base.ts';
import type { Database } from '../tables/store-database.ts';
import { type Writable, write } from '../writes/transactions.ts';
import { addArticles } from './articles.ts';
import { addAll } from './insert-in-chunks.ts';
import { addProjectVersions } from './project-versions.ts';
import { addReaderGroups } from './reader-groups.ts';

/** How many of each kind. A language version is one version of one translation of an article. */
export interface ImportCounts {
  readonly projectVersions: number;
  readonly languages: number;
  readonly categories: number;
  readonly articles: number;
  readonly languageVersions: number;
  readonly readers: number;
  readonly invitedSsoUsers: number;
  readonly readerGroups: number;
}

export interface ImportSummary {
  readonly added: ImportCounts;
  /** Left as they were, because their IDs were there. With an article all its versions are, with a group its members. */
  readonly alreadyThere: ImportCounts;
}

/** Told after each step how many of all entries are dealt with. */
export type OnProgress = (done: number, total: number) => void;

/**
 * Stores a knowledge base in one transaction, all or nothing. What is there already stays as it is, so that importing the
 * same again changes nothing. Throws with a message for people where the store can't be written, or where an ID means
 * something else in it than in the knowledge base, such as a category of another project version.
 */
export async function importKnowledgeBase(
  store: Writable,
  knowledgeBase: KnowledgeBase,
  onProgress: OnProgress,
): Promise<ImportSummary> {
  const added = await writeAll(store, knowledgeBase, onProgress);
  if (!added.ok) throw new Error(added.error);
  return { added: added.value, alreadyThere: difference(countsOf(knowledgeBase), added.value) };
}

async function writeAll(
  store: Writable,
  knowledgeBase: KnowledgeBase,
  onProgress: OnProgress,
): Promise<Result<ImportCounts, string>> {
  try {
    const written = await write(store, (within) => addEverything(within, knowledgeBase, onProgress));
    return written.ok ? written : err(complaintOf(written.error));
  } catch (error) {
    if (!store.database.engine.isBrokenReference(error)) throw error;
    return err('Nothing was imported: an ID that it refers to belongs to another project version in the store.');
  }
}

const complaintOf = ({ kind, message }: BackendError): string =>
  kind === 'outcome-unknown'
    ? 'Either all was imported or nothing: the store failed while it was written. Importing it again is safe.'
    : `Nothing was imported: ${message}`;

async function addEverything(
  within: Database,
  knowledgeBase: KnowledgeBase,
  onProgress: OnProgress,
): Promise<ImportCounts> {
  const { db, engine } = within;
  await engine.importLock?.execute(db);
  const { languageVersions: _, ...entries } = countsOf(knowledgeBase);
  const total = Object.values(entries).reduce((sum, count) => sum + count);
  let done = 0;
  const step = {
    within,
    advance: (count: number) => {
      done += count;
      onProgress(done, total);
    },
  };
  const tree = {
    ...(await addProjectVersions(step, knowledgeBase)),
    categories: await addAll(step, 'categories', knowledgeBase.categories.map(categoryRow)),
  };
  // Only a category may come before what it refers to, its parent. Millions of checks at the commit would take too long.
  await engine.checkReferences?.execute(db);
  const added = {
    ...tree,
    ...(await addArticles(step, knowledgeBase.articles)),
    readers: await addAll(step, 'readers', knowledgeBase.readers.map(readerRow)),
    invitedSsoUsers: await addAll(step, 'invited_sso_users', knowledgeBase.invitedSsoUsers.map(invitedRow)),
    readerGroups: await addReaderGroups(step, knowledgeBase.readerGroups),
  };
  if (total >= MANY_ENTRIES) await engine.analyze?.execute(db);
  return added;
}

/** So many more may make another plan the better one. The engine finds out by itself, but not at once. */
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
  email_folded: folded(email),
});

const invitedRow = ({ invitationId, email }: KnowledgeBase['invitedSsoUsers'][number]) => ({
  id: invitationId,
  email,
  email_folded: folded(email),
});

const folded = (email: string | null): string | null => email?.toLowerCase() ?? null;

const countsOf = (knowledgeBase: KnowledgeBase): ImportCounts => ({
  projectVersions: knowledgeBase.projectVersions.length,
  languages: knowledgeBase.languages.length,
  categories: knowledgeBase.categories.length,
  articles: knowledgeBase.articles.length,
  languageVersions: knowledgeBase.articles.reduce((sum, { versions }) => sum + versions.length, 0),
  readers: knowledgeBase.readers.length,
  invitedSsoUsers: knowledgeBase.invitedSsoUsers.length,
  readerGroups: knowledgeBase.readerGroups.length,
});

const difference = (all: ImportCounts, some: ImportCounts): ImportCounts => ({
  projectVersions: all.projectVersions - some.projectVersions,
  languages: all.languages - some.languages,
  categories: all.categories - some.categories,
  articles: all.articles - some.articles,
  languageVersions: all.languageVersions - some.languageVersions,
  readers: all.readers - some.readers,
  invitedSsoUsers: all.invitedSsoUsers - some.invitedSsoUsers,
  readerGroups: all.readerGroups - some.readerGroups,
});

/** Whether nothing was ever imported. */
export async function isEmpty({ db }: Database): Promise<boolean> {
  const tables = ['project_versions', 'readers', 'invited_sso_users', 'reader_groups'] as const;
  const counts = tables.map(
    (table) => sql`select 1 from (select 1 from ${sql.table(table)} limit 1) as ${sql.ref(table)}`,
  );
  const { rows } = await sql`${sql.join(counts, sql` union all `)}`.execute(db);
  return rows.length === 0;
}
