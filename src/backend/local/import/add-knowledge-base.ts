import { sql } from 'kysely';
import { slicesOf } from '../../../database/statements.ts';
import { type DefaultVersion, titleKeyOf } from '../../../domain/articles/articles.ts';
import type { WholeReaderGroupUpdate } from '../../../domain/reader-groups/reader-group-updates.ts';
import {
  CONTENT_TYPES,
  type ImportedArticle,
  type ImportedVersion,
  type KnowledgeBase,
  type KnowledgeBaseLists,
  TRANSLATION_STATUSES,
} from '../../../knowledge-base/format.ts';
import { newWordRows, writeWords } from '../tables/article-words.ts';
import { groupInvitedSsoUserRows, groupReaderRows, groupScopeRows } from '../tables/reader-group-rows.ts';
import { insertNewRows, insertRows, type KeyedTable } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { addProperty } from '../tables/store-properties.ts';
import { IS_SET, TABLE_COLUMNS, type Tables } from '../tables/tables.ts';

/** Numbers of entries. A language version is one version of one translation of an article. */
export type EntryCounts = Readonly<Record<keyof KnowledgeBaseLists | 'language_versions', number>>;

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
  const versions = await numberRows(transaction, 'project_versions', knowledgeBase.project_versions);
  const project_versions = await addRows(importContext, 'project_versions', versions.map(withoutDefault));
  const languages = await addRows(importContext, 'languages', knowledgeBase.languages.map(withoutDefault));
  await markDefaultVersion(transaction, knowledgeBase.project_versions);
  await markDefaultLanguages(transaction, knowledgeBase.languages);
  const categories = await addRows(importContext, 'categories', knowledgeBase.categories.map(toPositioned));
  // Only a category may precede an entry that it refers to. Millions of checks at the commit take too long.
  await dialect.checkReferences?.execute(db);
  if (knowledgeBase.source != null && total > 0) await addProperty(transaction, 'source', knowledgeBase.source);
  const articles = await addArticles(importContext, knowledgeBase.articles);
  const readers = await addRows(importContext, 'readers', knowledgeBase.readers.map(readerRow));
  const invitations = knowledgeBase.invited_sso_users.map(invitationRow);
  const invited_sso_users = await addRows(importContext, 'invited_sso_users', invitations);
  const reader_groups = await addReaderGroups(importContext, knowledgeBase.reader_groups);
  if (total >= MANY_ENTRIES) await dialect.analyze?.(Object.keys(TABLE_COLUMNS)).execute(db);
  return { project_versions, languages, categories, ...articles, readers, invited_sso_users, reader_groups };
}

/**
 * From this number of new entries on, an import updates the statistics of the query planner. PostgreSQL does so by
 * itself, but not at once.
 */
const MANY_ENTRIES = 1_000;

/** No entry is stored as the default: `markDefaultVersion` and `markDefaultLanguages` follow. */
const withoutDefault = <Entry extends { readonly is_default: boolean }>(entry: Entry) => ({ ...entry, is_default: 0 });

/** Without an order, the position is 0. */
const toPositioned = <Entry extends { readonly order: number | null }>({ order, ...entry }: Entry) => ({
  ...entry,
  position: order ?? 0,
});

const readerRow = ({ reader_id: id, ...reader }: KnowledgeBase['readers'][number]): Tables['readers'] => ({
  id,
  ...reader,
  email_folded: foldEmail(reader.email),
});

const invitationRow = ({ invitation_id: id, email }: KnowledgeBase['invited_sso_users'][number]) => ({
  id,
  email,
  email_folded: foldEmail(email),
});

const foldEmail = (email: string | null): string | null => email?.toLowerCase() ?? null;

/** The counts of all lists, each by `count`. */
export const countsOf = (count: (list: keyof EntryCounts) => number): EntryCounts => ({
  project_versions: count('project_versions'),
  languages: count('languages'),
  categories: count('categories'),
  articles: count('articles'),
  language_versions: count('language_versions'),
  readers: count('readers'),
  invited_sso_users: count('invited_sso_users'),
  reader_groups: count('reader_groups'),
});

export const entryCountsOf = (knowledgeBase: KnowledgeBase): EntryCounts =>
  countsOf((list) =>
    list === 'language_versions'
      ? knowledgeBase.articles.reduce((sum, { versions }) => sum + versions.length, 0)
      : knowledgeBase[list].length,
  );

/** The number of entries. Versions are parts of their articles. */
export const totalOf = ({ language_versions: _, ...entries }: EntryCounts): number =>
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

/** Gives entries the positions after that of the last row of a table, in their order. */
async function numberRows<Entry>(
  { db }: StoreDatabase,
  table: 'project_versions' | 'reader_groups',
  entries: readonly Entry[],
) {
  const { rows } = await sql<{ last: number | null }>`select max(position) as last from ${sql.table(table)}`.execute(
    db,
  );
  const first = (rows[0]?.last ?? 0) + 1;
  return entries.map((entry, index) => ({ ...entry, position: first + index }));
}

/** Adds articles with all their versions. Articles that exist already are skipped with their versions. */
async function addArticles(
  { transaction, reportProgress }: ImportContext,
  articles: readonly ImportedArticle[],
): Promise<Pick<EntryCounts, 'articles' | 'language_versions'>> {
  let addedArticles = 0;
  let addedVersions = 0;
  for (const chunk of slicesOf(articles, MAX_ENTRIES, { max: MAX_CHARACTERS, sizeOf: charactersOf })) {
    const ids = new Set(await insertNewRows(transaction, 'articles', chunk.map(articleRow)));
    const added = chunk.filter(({ id: articleId }) => ids.has(articleId));
    const versions = added.flatMap(versionRows);
    await insertRows(transaction, 'article_translations', added.flatMap(translationRows));
    await insertRows(transaction, 'article_versions', versions);
    await addWords(transaction, added);
    addedArticles += added.length;
    addedVersions += versions.length;
    reportProgress(chunk.length);
  }
  return { articles: addedArticles, language_versions: addedVersions };
}

const charactersOf = ({ versions }: ImportedArticle): number =>
  versions.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);

const articleRow = ({ versions: _, hidden, content_type, ...article }: ImportedArticle): Tables['articles'] => ({
  ...toPositioned(article),
  hidden: Number(hidden),
  content_type: CONTENT_TYPES[content_type],
});

/** The latest version in each language. */
const latestVersions = ({ versions }: ImportedArticle): readonly ImportedVersion[] =>
  [...Map.groupBy(versions, ({ lang_code }) => lang_code).values()].map((translation) =>
    translation.reduce((one, other) => (other.version_number > one.version_number ? other : one)),
  );

const translationRows = (article: ImportedArticle): readonly Tables['article_translations'][] =>
  latestVersions(article).map((latest) => ({
    project_version_id: article.project_version_id,
    language_code: latest.lang_code,
    article_id: article.id,
    latest_version_number: latest.version_number,
    title_key: titleKeyOf(latest.title),
    modified_at: '',
    translation_status: latest.translation_option && TRANSLATION_STATUSES[latest.translation_option],
    hidden: Number(article.hidden),
  }));

/** Indexes the words of the latest version in each language. */
async function addWords(transaction: StoreDatabase, articles: readonly ImportedArticle[]): Promise<void> {
  const texts = articles.flatMap((article) =>
    latestVersions(article).map(({ lang_code, title, content }) => ({
      article_id: article.id,
      language_code: lang_code,
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
const versionRows = ({ id, versions }: ImportedArticle): readonly Tables['article_versions'][] =>
  versions.map((version) => ({
    article_id: id,
    language_code: version.lang_code,
    version_number: version.version_number,
    title: version.title,
    translation_status: version.translation_option && TRANSLATION_STATUSES[version.translation_option],
    source: null,
    modified_at: null,
    content: version.content,
  }));

/** Adds groups with their members and scopes. Groups that exist already are skipped with theirs. */
async function addReaderGroups(
  { transaction, reportProgress }: ImportContext,
  groups: readonly WholeReaderGroupUpdate[],
): Promise<number> {
  const numbered = await numberRows(transaction, 'reader_groups', groups);
  let count = 0;
  const sizeOf = ({ readerIds, invitedSsoUserIds }: WholeReaderGroupUpdate) =>
    CHARACTERS_PER_MEMBER * (readerIds.length + invitedSsoUserIds.length);
  for (const chunk of slicesOf(numbered, MAX_ENTRIES, { max: MAX_CHARACTERS, sizeOf })) {
    const rows = chunk.map(({ groupId, title, description, accessScope, position }) => ({
      id: groupId,
      position,
      title,
      description,
      access_level: accessScope.level,
    }));
    const ids = new Set(await insertNewRows(transaction, 'reader_groups', rows));
    const added = chunk.filter(({ groupId }) => ids.has(groupId));
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

/** Sets the default of the file, or else its first version, unless the store has a default already. */
async function markDefaultVersion({ db }: StoreDatabase, versions: KnowledgeBase['project_versions']): Promise<void> {
  const version = versions.find(({ is_default }) => is_default) ?? versions[0];
  if (!version) return;
  await db
    .updateTable('project_versions')
    .set({ is_default: 1 })
    .where('id', '=', version.id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('project_versions as d').select('d.id').where('d.is_default', '=', IS_SET))),
    )
    .execute();
}

/** Makes the default of the file that of the store, in place of another one. */
export async function replaceDefaultVersion(
  transaction: StoreDatabase,
  versions: KnowledgeBase['project_versions'],
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
  for (const { project_version_id, code, is_default } of languages) {
    if (is_default || !defaults.has(project_version_id)) defaults.set(project_version_id, code);
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
