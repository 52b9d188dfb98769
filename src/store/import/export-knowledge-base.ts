import { type QueryResult, sql } from 'kysely';
import { isPlaced, revisionOf } from '../../core/articles/revisions.ts';
import type { StoredPage } from '../../core/base/pages.ts';
import type { Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import type { WholeReaderGroupUpdate } from '../../core/reader-groups/reader-group-updates.ts';
import type { ReaderGroup } from '../../core/reader-groups/reader-groups.ts';
import { runSnapshot } from '../database/transactions.ts';
import type { KnowledgeBaseEntries } from '../knowledge-base/document.ts';
import {
  EDITORS,
  type ImportedArticle,
  type ImportedVersion,
  isStoreAccount,
  OPTIONS_OF_STATUSES,
  STATUS_NUMBERS,
} from '../knowledge-base/format.ts';
import { selectListedArticles, toListedArticle } from '../reads/articles.ts';
import { projectVersions } from '../reads/project-versions.ts';
import { listReaderGroups } from '../reads/reader-groups.ts';
import { defineIdStatement } from '../tables/rows.ts';
import { readProperty } from '../tables/store-properties.ts';
import { authorsOf, type StoreDatabase, type Tables } from '../tables/tables.ts';
import { MAX_ENTRIES } from './add-knowledge-base.ts';

/**
 * Reads the whole store in one state, unaffected by concurrent writes. `use` gets the entries page by page, and reads
 * them to the end. Throws with a message for people when the store can't be read.
 */
export async function exportKnowledgeBase<T>(
  database: StoreDatabase,
  use: (entries: KnowledgeBaseEntries) => Promise<T>,
  withRevisions = false,
): Promise<T> {
  const read = await runSnapshot(database, async (snapshot) => use(await storedEntries(snapshot, withRevisions)));
  if (read.ok) return read.value;
  throw new Error(`The store cannot be read (${read.error.failure.code}).`, { cause: read.error.cause });
}

/** All entries of the store in a fixed order, so that stores with the same entries have the same export. */
async function storedEntries(database: StoreDatabase, withRevisions: boolean): Promise<KnowledgeBaseEntries> {
  const versions = present(await projectVersions(database));
  return {
    source: await readProperty(database, 'source'),
    project_versions: versions.map(({ projectVersionId: id, name, isDefault }) => ({
      id,
      name,
      is_default: isDefault,
    })),
    languages: versions.flatMap(({ projectVersionId, languages }) =>
      languages.map(({ code, name, isDefault }) => ({
        project_version_id: projectVersionId,
        code,
        name,
        is_default: isDefault,
      })),
    ),
    categories: storedEntriesOf(database, 'categories', toCategory),
    team_accounts: (await teamAccounts(database)).filter((account) => !isStoreAccount(account)),
    // Only the texts of one article are in memory at a time.
    articles: storedEntriesOf(database, 'articles', async (row) => ({
      ...withoutUnset(await toArticle(database, row)),
      ...(withRevisions && { revisions: await revisionsOf(database, row.id) }),
    })),
    readers: storedEntriesOf(database, 'readers', toReader),
    invited_sso_users: storedEntriesOf(database, 'invited_sso_users', toInvitation),
    reader_groups: storedReaderGroups(database),
  };
}

type TableOfEntries = 'categories' | 'articles' | 'readers' | 'invited_sso_users';

/** The rows of a table as entries, by their IDs, which are not empty. They are read in pages. */
async function* storedEntriesOf<T extends TableOfEntries, Entry>(
  { db }: StoreDatabase,
  table: T,
  toEntry: (row: Tables[T]) => Entry,
): AsyncGenerator<Awaited<Entry>> {
  const limit = sql.lit(MAX_ENTRIES);
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { rows }: QueryResult<Tables[T]> = await sql<Tables[T]>`
      select * from ${sql.table(table)} where id > ${after} order by id limit ${limit}
    `.execute(db);
    for (const row of rows) yield await toEntry(row);
    after = rows.at(-1)?.id;
  }
}

const toCategory = (row: Tables['categories']) => ({
  id: row.id,
  project_version_id: row.project_version_id,
  parent_category_id: row.parent_category_id,
  name: row.name,
  order: row.position || null,
});

/** The accounts in their order. They are read at once, as an import has them in memory, too. */
const teamAccounts = ({ db }: StoreDatabase) =>
  db.selectFrom('team_accounts').select(['id as user_id', 'first_name', 'last_name']).orderBy('position').execute();

const toReader = ({ id, first_name, last_name, email }: Tables['readers']) => ({
  reader_id: id,
  first_name,
  last_name,
  email,
});

const toInvitation = ({ id, email }: Tables['invited_sso_users']) => ({ invitation_id: id, email });

/** The versions of an article in the order of language and number. */
const selectVersions = defineIdStatement(({ db }, articleIds) =>
  db
    .selectFrom('article_versions as v')
    .innerJoin('article_translations as t', (join) =>
      join.onRef('t.article_id', '=', 'v.article_id').onRef('t.language_code', '=', 'v.language_code'),
    )
    .select(['v.language_code', 'v.version_number', 'v.title', 'v.translation_status', 'v.content', 'v.status'])
    .select(['v.description', 'v.created_at', 'v.created_by', 'v.authors', 't.public_version_number'])
    .where('v.article_id', 'in', articleIds)
    .orderBy('v.language_code')
    .orderBy('v.version_number'),
);

type VersionRow = Awaited<ReturnType<typeof selectVersions>>[number];

/** Every version has a title, since the import format needs one and no update takes it away. */
const toVersion = (row: VersionRow): Whole<ImportedVersion> => ({
  lang_code: row.language_code,
  version_number: row.version_number,
  title: row.title ?? '',
  content: row.content,
  translation_option: row.translation_status && OPTIONS_OF_STATUSES[row.translation_status],
  status: STATUS_NUMBERS[row.status],
  description: row.description,
  created_at: row.created_at,
  created_by: row.created_by,
  authors: authorsOf(row.authors),
});

/** An article with all members of the format. */
async function toArticle(database: StoreDatabase, row: Tables['articles']): Promise<StoredArticle> {
  const versions = await selectVersions(database, [row.id]);
  return {
    id: row.id,
    project_version_id: row.project_version_id,
    category_id: row.category_id,
    slug: row.slug,
    order: row.position || null,
    hidden: row.hidden === 1,
    content_type: EDITORS[row.content_type],
    url: row.url,
    public_version: Object.fromEntries(
      versions.flatMap(({ language_code, public_version_number: number }) =>
        number === null ? [] : [[language_code, number]],
      ),
    ),
    versions: versions.map(toVersion),
  };
}

/** The revision of each language; null where it is unknown when the article was changed. */
async function revisionsOf(database: StoreDatabase, articleId: string): Promise<ReadonlyMap<string, string | null>> {
  const rows = await selectListedArticles(database).where('a.id', '=', articleId).execute();
  const articles = rows.map(toListedArticle);
  return new Map(articles.map((one) => [one.languageCode, isPlaced(one) ? revisionOf(one) : null]));
}

type StoredArticle = Whole<Omit<ImportedArticle, 'versions'>> & {
  readonly versions: readonly Whole<ImportedVersion>[];
};

type Whole<Entry> = { readonly [Member in keyof Entry]-?: Exclude<Entry[Member], undefined> };

/**
 * Leaves out members that are not set, so that a store without them exports as before; only those of the first format are
 * always written. Where nothing is published, all versions are drafts.
 */
function withoutUnset(stored: StoredArticle): ImportedArticle {
  const { id, project_version_id, category_id, slug, order, hidden, content_type, ...others } = stored;
  const { public_version, versions, ...added } = others;
  const isPublished = versions.some(({ status }) => status === STATUS_NUMBERS.PUBLISHED);
  return {
    id,
    project_version_id,
    category_id,
    slug,
    order,
    hidden,
    content_type,
    ...setMembersOf(added),
    ...(isPublished && { public_version }),
    versions: versions.map(
      ({ lang_code, version_number, title, content, translation_option, status, ...addedToVersion }) => ({
        lang_code,
        version_number,
        title,
        content,
        translation_option,
        ...(isPublished && { status }),
        ...setMembersOf(addedToVersion),
      }),
    ),
  };
}

/** The members that are set: neither null nor an empty list. */
function setMembersOf<Members extends object>(members: Members): Partial<Members> {
  const set: Partial<Members> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== null && !(Array.isArray(value) && value.length === 0)) set[name] = value;
  }
  return set;
}

/** The most whole groups of one statement: each may have 50,000 members and as long a scope. */
const MAX_GROUP_PAGE = 10;

async function* storedReaderGroups(database: StoreDatabase): AsyncGenerator<WholeReaderGroupUpdate> {
  for (let after: string | null | undefined = null; after !== undefined; ) {
    const page: StoredPage<ReaderGroup> = present(await listReaderGroups(database, { limit: MAX_GROUP_PAGE, after }));
    for (const { node } of page.edges) yield toReplacement(node);
    after = page.hasNextPage ? page.edges.at(-1)?.cursor : undefined;
  }
}

function toReplacement({ accessScope, ...group }: ReaderGroup): WholeReaderGroupUpdate {
  if (accessScope.level === 'UNRECOGNIZED') throw new Error(`The scope of the group ${group.groupId} is unknown.`);
  return { ...group, accessScope };
}

/** Returns the value of a list. Its only error is a wrong cursor, which can't occur since the cursors are the store's own. */
function present<T>(result: Result<T, BackendError>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
