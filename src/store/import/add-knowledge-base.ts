import { type DefaultVersion, titleKeyOf } from '../../core/articles/articles.ts';
import type { WholeReaderGroupUpdate } from '../../core/reader-groups/reader-group-updates.ts';
import { slicesOf } from '../database/statements.ts';
import {
  CONTENT_TYPES,
  type ImportedArticle,
  type ImportedVersion,
  type KnowledgeBase,
  type KnowledgeBaseLists,
  STATUSES,
  TRANSLATION_STATUSES,
} from '../knowledge-base/format.ts';
import { insertWords, newWordRows, type WordsOf } from '../tables/article-words.ts';
import { insertGroupLists } from '../tables/reader-group-rows.ts';
import { insertNewRows, insertRows, type KeyedTable, nextNumber } from '../tables/rows.ts';
import { addProperty } from '../tables/store-properties.ts';
import { IS_SET, type StoreDatabase, TABLE_COLUMNS, type Tables, toAuthorsColumn } from '../tables/tables.ts';

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
  const importContext: ImportContext = {
    transaction,
    reportProgress: (count) => {
      done += count;
      onProgress(done, total);
    },
  };
  const add = <T extends KeyedTable>(table: T, entries: readonly Tables[T][]) =>
    addEntries(importContext, table, { entries, rowOf: (row) => row, sizeOf: () => 0, addParts: async () => {} });
  const project_versions = await add('project_versions', await versionRows(transaction, knowledgeBase));
  const languages = await add('languages', await languageRows(transaction, knowledgeBase));
  const categories = await add('categories', knowledgeBase.categories.map(toPositioned));
  const firstAccount = await nextNumber(transaction, 'team_accounts', 'position');
  const team_accounts = await add(
    'team_accounts',
    knowledgeBase.team_accounts.map(({ user_id: id, ...names }, index) => ({
      id,
      position: firstAccount + index,
      ...names,
    })),
  );
  // Only categories may be stored before an entry that they refer to. Later entries are checked at once, since checking
  // millions at the commit takes too long.
  await dialect.checkReferences?.execute(db);
  if (knowledgeBase.source != null && total > 0) await addProperty(transaction, 'source', knowledgeBase.source);
  const articles = await addArticles(importContext, knowledgeBase.articles, new Date().toISOString());
  const readerRows = knowledgeBase.readers.map(({ reader_id: id, ...reader }) => ({ id, ...reader }));
  const readers = await add('readers', readerRows.map(withFoldedEmail));
  const invitations = knowledgeBase.invited_sso_users.map(({ invitation_id: id, email }) => ({ id, email }));
  const invited_sso_users = await add('invited_sso_users', invitations.map(withFoldedEmail));
  const reader_groups = await addReaderGroups(importContext, knowledgeBase.reader_groups);
  if (total >= MANY_ENTRIES) await dialect.analyze?.(Object.keys(TABLE_COLUMNS)).execute(db);
  const people = { readers, invited_sso_users, reader_groups };
  return { project_versions, languages, categories, team_accounts, ...articles, ...people };
}

/** From this number of new entries on, an import updates the planner's statistics. PostgreSQL does so itself, but later. */
const MANY_ENTRIES = 1_000;

/** New project versions get the numbers after those of the store, whose default remains. */
async function versionRows(transaction: StoreDatabase, { project_versions }: KnowledgeBase) {
  const hasDefault = (await readDefaultVersion(transaction)) !== null;
  const first = await nextNumber(transaction, 'project_versions', 'position');
  const positioned = project_versions.map((version, index) => ({ ...version, position: first + index }));
  return markDefault(positioned, hasDefault);
}

/** Each project version has a default language, and keeps it. */
async function languageRows({ db }: StoreDatabase, { languages }: KnowledgeBase) {
  const defaults = await db
    .selectFrom('languages')
    .select('project_version_id')
    .where('is_default', '=', IS_SET)
    .execute();
  const hasDefault = new Set(defaults.map(({ project_version_id }) => project_version_id));
  const byVersion = Map.groupBy(languages, ({ project_version_id }) => project_version_id);
  return [...byVersion].flatMap(([id, ofVersion]) => markDefault(ofVersion, hasDefault.has(id)));
}

/** Gives the rows their default: that of the file, or else the first one, unless the store has one already. */
function markDefault<Entry extends { readonly is_default: boolean }>(entries: readonly Entry[], hasDefault: boolean) {
  const chosen = hasDefault ? undefined : defaultOf(entries);
  return entries.map((entry) => ({ ...entry, is_default: Number(entry === chosen) }));
}

const defaultOf = <Entry extends { readonly is_default: boolean }>(entries: readonly Entry[]) =>
  entries.find(({ is_default }) => is_default) ?? entries[0];

/** Without an order, the position is 0. */
const toPositioned = <Entry extends { readonly order: number | null }>({ order, ...entry }: Entry) => ({
  ...entry,
  position: order ?? 0,
});

/** Adds the lower-case address, by which addresses are searched. */
const withFoldedEmail = <Row extends { readonly email: string | null }>(row: Row) => ({
  ...row,
  email_folded: row.email?.toLowerCase() ?? null,
});

/** The counts of all lists, each computed by `count`. */
export const countsOf = (count: (list: keyof EntryCounts) => number): EntryCounts => ({
  project_versions: count('project_versions'),
  languages: count('languages'),
  categories: count('categories'),
  team_accounts: count('team_accounts'),
  articles: count('articles'),
  language_versions: count('language_versions'),
  readers: count('readers'),
  invited_sso_users: count('invited_sso_users'),
  reader_groups: count('reader_groups'),
});

/** The numbers of entries of a knowledge base. */
export const entryCountsOf = (knowledgeBase: KnowledgeBase): EntryCounts =>
  countsOf((list) =>
    list === 'language_versions'
      ? knowledgeBase.articles.reduce((sum, { versions }) => sum + versions.length, 0)
      : knowledgeBase[list].length,
  );

/** The number of entries. Versions count as parts of their articles. */
const totalOf = ({ language_versions: _, ...entries }: EntryCounts): number =>
  Object.values(entries).reduce((sum, count) => sum + count);

/** The most entries of one statement, and the most characters of text in them: they bound its memory. */
export const MAX_ENTRIES = 1000;
const MAX_CHARACTERS = 4_000_000;

interface ImportContext {
  readonly transaction: StoreDatabase;
  /** Gets the number of entries that were processed since the last call. */
  readonly reportProgress: (count: number) => void;
  /** Returns the words of texts, which were found before the transaction. */
  readonly wordsOf?: WordsOf;
}

interface NewEntries<Entry, Row> {
  readonly entries: readonly Entry[];
  readonly rowOf: (entry: Entry) => Row;
  readonly sizeOf: (entry: Entry) => number;
  /** Stores the parts of new entries. Entries whose IDs exist are skipped with all their parts. */
  readonly addParts: (slice: readonly Entry[], newIds: ReadonlySet<string>) => Promise<void>;
}

async function addEntries<T extends KeyedTable, Entry>(
  { transaction, reportProgress }: ImportContext,
  table: T,
  { entries, rowOf, sizeOf, addParts }: NewEntries<Entry, Tables[T]>,
): Promise<number> {
  let added = 0;
  for (const slice of slicesOf(entries, MAX_ENTRIES, { max: MAX_CHARACTERS, sizeOf })) {
    const newIds = await insertNewRows(transaction, table, slice.map(rowOf));
    await addParts(slice, new Set(newIds));
    added += newIds.length;
    reportProgress(slice.length);
  }
  return added;
}

/** Adds articles with all their versions, of which `modifiedAt` is the time: without one they would have no revision. */
export async function addArticles(
  context: ImportContext,
  entries: readonly ImportedArticle[],
  modifiedAt: string,
): Promise<Pick<EntryCounts, 'articles' | 'language_versions'>> {
  let language_versions = 0;
  const articles = await addEntries(context, 'articles', {
    entries,
    rowOf: articleRow,
    sizeOf: ({ versions }) => versions.reduce((sum, { content }) => sum + (content?.length ?? 0), 0),
    addParts: async (slice, newIds) => {
      const added = slice.filter(({ id }) => newIds.has(id));
      language_versions += await addVersions(context, added, modifiedAt);
    },
  });
  return { articles, language_versions };
}

const articleRow = ({
  versions: _,
  public_version: __,
  hidden,
  content_type,
  url = null,
  ...article
}: ImportedArticle): Tables['articles'] => ({
  ...toPositioned(article),
  hidden: Number(hidden),
  content_type: CONTENT_TYPES[content_type],
  url,
});

/** Stores the versions and translations of articles, indexes the words of the latest ones, and returns the number of versions. */
async function addVersions(
  { transaction, wordsOf }: ImportContext,
  articles: readonly ImportedArticle[],
  modified_at: string,
): Promise<number> {
  const latest = articles.flatMap(latestVersions);
  const translations = latest.map((one) => ({ ...translationRow(one), modified_at }));
  const versions = articles.flatMap(articleVersionRows).map((row) => ({ ...row, modified_at }));
  await insertRows(transaction, 'article_translations', translations);
  await insertRows(transaction, 'article_versions', versions);
  const texts = latest.map(({ article, version: { lang_code, title, content } }) => ({
    article_id: article.id,
    language_code: lang_code,
    title,
    content,
  }));
  await insertWords(transaction, newWordRows(texts, await nextNumber(transaction, 'article_words', 'id')), wordsOf);
  return versions.length;
}

function latestVersions(article: ImportedArticle) {
  const publicVersions = new Map(Object.entries(article.public_version ?? {}));
  return [...Map.groupBy(article.versions, ({ lang_code }) => lang_code)].map(([code, versions]) => {
    const published = versions.find(
      ({ status, version_number }) => status === 3 && version_number === publicVersions.get(code),
    );
    const version = versions.reduce((one, other) => (other.version_number > one.version_number ? other : one));
    return { article, version, publicVersionNumber: published?.version_number ?? null };
  });
}

const translationRow = ({
  article,
  version,
  publicVersionNumber,
}: ReturnType<typeof latestVersions>[number]): Omit<Tables['article_translations'], 'modified_at'> => ({
  project_version_id: article.project_version_id,
  language_code: version.lang_code,
  article_id: article.id,
  latest_version_number: version.version_number,
  title_key: titleKeyOf(version.title),
  translation_status: translationStatusOf(version),
  hidden: Number(article.hidden),
  status: STATUSES[version.status ?? 0],
  public_version_number: publicVersionNumber,
});

const translationStatusOf = ({ translation_option }: ImportedVersion) =>
  translation_option && TRANSLATION_STATUSES[translation_option];

/** The import format has no modification times. */
const articleVersionRows = ({
  id,
  versions,
}: ImportedArticle): readonly Omit<Tables['article_versions'], 'modified_at'>[] =>
  versions.map((version) => ({
    article_id: id,
    language_code: version.lang_code,
    version_number: version.version_number,
    title: version.title,
    translation_status: translationStatusOf(version),
    source: null,
    content: version.content,
    status: STATUSES[version.status ?? 0],
    description: version.description ?? null,
    created_at: version.created_at ?? null,
    created_by: version.created_by ?? null,
    authors: toAuthorsColumn(version.authors ?? []),
    base_version: null,
  }));

async function addReaderGroups(context: ImportContext, groups: readonly WholeReaderGroupUpdate[]): Promise<number> {
  const first = await nextNumber(context.transaction, 'reader_groups', 'position');
  return addEntries(context, 'reader_groups', {
    entries: groups.map((group, index) => ({ ...group, position: first + index })),
    rowOf: ({ groupId: id, position, title, description, accessScope }) => ({
      id,
      position,
      title,
      description,
      access_level: accessScope.level,
    }),
    sizeOf: ({ readerIds, invitedSsoUserIds }) => CHARACTERS_PER_MEMBER * (readerIds.length + invitedSsoUserIds.length),
    addParts: (slice, newIds) => {
      const added = slice.filter(({ groupId }) => newIds.has(groupId));
      return insertGroupLists(context.transaction, added);
    },
  });
}

/** The approximate length of a member's row in a statement. Members make a chunk of groups large. */
const CHARACTERS_PER_MEMBER = 100;

/** The default project version of the store; null when it has none. */
export async function readDefaultVersion({ db }: StoreDatabase): Promise<DefaultVersion | null> {
  const row = await db
    .selectFrom('project_versions')
    .select(['id as projectVersionId', 'name'])
    .where('is_default', '=', IS_SET)
    .executeTakeFirst();
  return row ?? null;
}
