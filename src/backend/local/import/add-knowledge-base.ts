import { sql } from 'kysely';
import { slicesOf } from '../../../database/statements.ts';
import { type DefaultVersion, titleKeyOf } from '../../../domain/articles/articles.ts';
import type { WholeReaderGroupUpdate } from '../../../domain/reader-groups/reader-group-updates.ts';
import type {
  ImportedArticle,
  ImportedVersion,
  KnowledgeBase,
  KnowledgeBaseLists,
} from '../../../knowledge-base/knowledge-base.ts';
import { newWordRows, writeWords } from '../tables/article-words.ts';
import { groupInvitedSsoUserRows, groupReaderRows, groupScopeRows } from '../tables/reader-group-rows.ts';
import { insertNewRows, insertRows, type KeyedTable } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { addProperty } from '../tables/store-properties.ts';
import { IS_SET, TABLE_COLUMNS, type Tables } from '../tables/tables.ts';

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

/** The counts of all lists, each by `count`. */
export const countsOf = (count: (list: keyof EntryCounts) => number): EntryCounts => ({
  projectVersions: count('projectVersions'),
  languages: count('languages'),
  categories: count('categories'),
  articles: count('articles'),
  languageVersions: count('languageVersions'),
  readers: count('readers'),
  invitedSsoUsers: count('invitedSsoUsers'),
  readerGroups: count('readerGroups'),
});

export const entryCountsOf = (knowledgeBase: KnowledgeBase): EntryCounts =>
  countsOf((list) =>
    list === 'languageVersions'
      ? knowledgeBase.articles.reduce((sum, { versions }) => sum + versions.length, 0)
      : knowledgeBase[list].length,
  );

/** The number of entries. Versions are parts of their articles. */
export const totalOf = ({ languageVersions: _, ...entries }: EntryCounts): number =>
  Object.values(entries).reduce((sum, count) => sum + count);

/** The transaction of an import and its progress report, which every step gets. */
interface ImportContext {
  readonly transaction: StoreDatabase;
  /** Gets the number of entries that were processed since the last call. */
  readonly reportProgress: (count: number) => void;
}

/** The most entries of one statement, and the most characters of text in them: they bound its memory. */
export const MAX_ENTRIES = 1000;
export const MAX_CHARACTERS = 4_000_000;

/** Stores the entries that are new, and returns their number. */
async function addRows<T extends KeyedTable>(
  { transaction, reportProgress }: ImportContext,
  table: T,
  rows: readonly Tables[T][],
): Promise<number> {
  let added = 0;
  for (const chunk of slicesOf(rows, MAX_ENTRIES)) {
    added += (await insertNewRows(transaction, table, chunk)).length;
    reportProgress(chunk.length);
  }
  return added;
}

/** The position after the last row of a table. */
async function nextPosition({ db }: StoreDatabase, table: 'project_versions' | 'reader_groups'): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select max(position) as last from ${sql.table(table)}`.execute(
    db,
  );
  return (rows[0]?.last ?? 0) + 1;
}

/** Adds project versions and their languages, in the order of the file. */
async function addProjectVersions(
  importContext: ImportContext,
  { projectVersions, languages }: Pick<KnowledgeBase, 'projectVersions' | 'languages'>,
): Promise<{ readonly projectVersions: number; readonly languages: number }> {
  const { transaction } = importContext;
  const firstVersion = await nextPosition(transaction, 'project_versions');
  const versionRows = projectVersions.map(({ projectVersionId, name }, index) => ({
    id: projectVersionId,
    name,
    is_default: 0,
    position: firstVersion + index,
  }));
  const languageRows = languages.map(({ projectVersionId, code, name }) => ({
    project_version_id: projectVersionId,
    code,
    name,
    is_default: 0,
  }));
  const added = {
    projectVersions: await addRows(importContext, 'project_versions', versionRows),
    languages: await addRows(importContext, 'languages', languageRows),
  };
  await markDefaultVersion(transaction, projectVersions);
  await markDefaultLanguages(transaction, languages);
  return added;
}

/** Adds articles with all their versions. Articles that exist already are skipped with their versions. */
async function addArticles(
  { transaction, reportProgress }: ImportContext,
  articles: readonly ImportedArticle[],
): Promise<{ readonly articles: number; readonly languageVersions: number }> {
  let addedArticles = 0;
  let addedVersions = 0;
  for (const chunk of slicesOf(articles, MAX_ENTRIES, { max: MAX_CHARACTERS, sizeOf: charactersOf })) {
    const ids = new Set(await insertNewRows(transaction, 'articles', chunk.map(articleRow)));
    const added = chunk.filter(({ articleId }) => ids.has(articleId));
    const versions = added.flatMap(versionRows);
    await insertRows(transaction, 'article_translations', added.flatMap(translationRows));
    await insertRows(transaction, 'article_versions', versions);
    await addWords(transaction, added);
    addedArticles += added.length;
    addedVersions += versions.length;
    reportProgress(chunk.length);
  }
  return { articles: addedArticles, languageVersions: addedVersions };
}

const charactersOf = ({ versions }: ImportedArticle): number =>
  versions.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);

const articleRow = (article: ImportedArticle): Tables['articles'] => ({
  id: article.articleId,
  project_version_id: article.projectVersionId,
  category_id: article.categoryId,
  slug: article.slug,
  position: article.order ?? 0,
  hidden: Number(article.hidden),
  content_type: article.contentType,
});

/** The latest version in each language. */
const latestVersions = ({ versions }: ImportedArticle): readonly ImportedVersion[] =>
  [...Map.groupBy(versions, ({ languageCode }) => languageCode).values()].map((translation) =>
    translation.reduce((one, other) => (other.versionNumber > one.versionNumber ? other : one)),
  );

const translationRows = (article: ImportedArticle): readonly Tables['article_translations'][] =>
  latestVersions(article).map((latest) => ({
    project_version_id: article.projectVersionId,
    language_code: latest.languageCode,
    article_id: article.articleId,
    latest_version_number: latest.versionNumber,
    title_key: titleKeyOf(latest.title),
    modified_at: '',
    translation_status: latest.translationStatus,
    hidden: Number(article.hidden),
  }));

/** Indexes the words of the latest version in each language. */
async function addWords(transaction: StoreDatabase, articles: readonly ImportedArticle[]): Promise<void> {
  const texts = articles.flatMap((article) =>
    latestVersions(article).map(({ languageCode, title, content }) => ({
      article_id: article.articleId,
      language_code: languageCode,
      title,
      content,
    })),
  );
  const { last } = await transaction.db
    .selectFrom('article_words')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  await writeWords(transaction, await newWordRows(texts, Number(last ?? 0) + 1));
}

/** The import format has no modification times, so `modified_at` is null until the first update. */
const versionRows = ({ articleId, versions }: ImportedArticle): readonly Tables['article_versions'][] =>
  versions.map((version) => ({
    article_id: articleId,
    language_code: version.languageCode,
    version_number: version.versionNumber,
    title: version.title,
    translation_status: version.translationStatus,
    source: null,
    modified_at: null,
    content: version.content,
  }));

/** Adds groups with their members and scopes. Groups that exist already are skipped with theirs. */
async function addReaderGroups(
  { transaction, reportProgress }: ImportContext,
  groups: readonly WholeReaderGroupUpdate[],
): Promise<number> {
  const firstPosition = await nextPosition(transaction, 'reader_groups');
  const rows = groups.map((group, index) => ({ group, row: groupRow(group, firstPosition + index) }));
  let count = 0;
  const sizeOf = ({ group }: (typeof rows)[number]) => CHARACTERS_PER_MEMBER * memberCountOf(group);
  for (const chunk of slicesOf(rows, MAX_ENTRIES, { max: MAX_CHARACTERS, sizeOf })) {
    const ids = new Set(
      await insertNewRows(
        transaction,
        'reader_groups',
        chunk.map(({ row }) => row),
      ),
    );
    const added = chunk.flatMap(({ group }) => (ids.has(group.groupId) ? [group] : []));
    const readers = added.flatMap(({ groupId, readerIds }) => groupReaderRows(groupId, readerIds));
    const invited = added.flatMap((group) => groupInvitedSsoUserRows(group.groupId, group.invitedSsoUserIds));
    const scopes = added.flatMap(({ groupId, accessScope }) => groupScopeRows(groupId, accessScope));
    await insertRows(transaction, 'reader_group_readers', readers);
    await insertRows(transaction, 'reader_group_invited_sso_users', invited);
    await insertRows(transaction, 'reader_group_scopes', scopes);
    count += added.length;
    reportProgress(chunk.length);
  }
  return count;
}

/** About the length of a member's row in a statement. Members make a chunk of groups large. */
const CHARACTERS_PER_MEMBER = 100;

const memberCountOf = ({ readerIds, invitedSsoUserIds }: WholeReaderGroupUpdate): number =>
  readerIds.length + invitedSsoUserIds.length;

const groupRow = ({ groupId, title, description, accessScope }: WholeReaderGroupUpdate, position: number) => ({
  id: groupId,
  position,
  title,
  description,
  access_level: accessScope.level,
});

/** Sets the default of the file, or else its first version, unless the store has a default already. */
async function markDefaultVersion({ db }: StoreDatabase, versions: KnowledgeBase['projectVersions']): Promise<void> {
  const version = versions.find(({ isDefault }) => isDefault) ?? versions[0];
  if (!version) return;
  await db
    .updateTable('project_versions')
    .set({ is_default: 1 })
    .where('id', '=', version.projectVersionId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('project_versions as d').select('d.id').where('d.is_default', '=', IS_SET))),
    )
    .execute();
}

/** Makes the default of the file that of the store, in place of another one. */
export async function replaceDefaultVersion(
  transaction: StoreDatabase,
  versions: KnowledgeBase['projectVersions'],
): Promise<void> {
  await transaction.db
    .updateTable('project_versions')
    .set({ is_default: 0 })
    .where('is_default', '=', IS_SET)
    .execute();
  await markDefaultVersion(transaction, versions);
}

/** The default project version of the store; null when it has none. */
export async function readDefaultVersion({ db }: StoreDatabase): Promise<DefaultVersion | null> {
  const row = await db
    .selectFrom('project_versions')
    .select(['id', 'name'])
    .where('is_default', '=', IS_SET)
    .executeTakeFirst();
  return row ? { projectVersionId: row.id, name: row.name } : null;
}

/** Sets the default language of each project version by the same rule. */
async function markDefaultLanguages(
  { db, dialect }: StoreDatabase,
  languages: KnowledgeBase['languages'],
): Promise<void> {
  const defaults = new Map<string, string>();
  for (const { projectVersionId, code, isDefault } of languages) {
    if (isDefault || !defaults.has(projectVersionId)) defaults.set(projectVersionId, code);
  }
  const rows = [...defaults].map(([project_version_id, code]) => ({ project_version_id, code }));
  const columns = { project_version_id: 'text', code: 'text' } as const;
  await db
    .updateTable('languages')
    .from(dialect.jsonTable({ alias: 'k', rows, columns }))
    .set({ is_default: 1 })
    .whereRef('languages.project_version_id', '=', 'k.project_version_id')
    .whereRef('languages.code', '=', 'k.code')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('languages as d')
            .select('d.code')
            .whereRef('d.project_version_id', '=', 'k.project_version_id')
            .where('d.is_default', '=', IS_SET),
        ),
      ),
    )
    .execute();
}
