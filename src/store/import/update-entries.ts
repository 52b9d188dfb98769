import { sql } from 'kysely';
import { toPrintable } from '../../core/base/printable.ts';
import type { ImportedArticle, KnowledgeBase, KnowledgeBaseLists } from '../knowledge-base/format.ts';
import { newWordRows, writeWords } from '../tables/article-words.ts';
import { insertGroupLists, toScopeColumns } from '../tables/reader-group-rows.ts';
import { nextNumber, writeRows } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import {
  articleRow,
  articleVersionRows,
  countsOf,
  type EntryCounts,
  latestVersions,
  replaceDefaultVersion,
  toPositioned,
  translationRow,
  withFoldedEmail,
} from './add-knowledge-base.ts';
import { storedEntriesLike } from './export-knowledge-base.ts';

type Entry = KnowledgeBaseLists[keyof KnowledgeBaseLists][number];

/** A member of an entry that has another value in the store. */
interface EntryDifference {
  readonly list: keyof KnowledgeBaseLists;
  readonly id: string;
  /** The name of the member. The member of a version is prefixed with the language and number, as `en.1.title`. */
  readonly member: string;
  /** The value in the store; undefined where it has no such version. */
  readonly stored: unknown;
  readonly given: unknown;
}

export interface Differences {
  /** The numbers of entries that differ. A version that the store lacks counts as well. */
  readonly counts: EntryCounts;
  /** The first differences. */
  readonly shown: readonly EntryDifference[];
  /** The number of all differences. */
  readonly total: number;
  /** The first entries that belong to another project version in the store, as `categories c1`. */
  readonly elsewhere: readonly string[];
  /** The entries of the file that differ. */
  readonly entries: ReadonlySet<Entry>;
  readonly articles: readonly ArticleChange[];
}

interface ArticleChange {
  /** The article of the file, with those of its versions that differ or are missing in the store. */
  readonly changed: ImportedArticle;
  /** The same article with all versions of the store and of the file. Versions of the store alone lack their contents. */
  readonly merged: ImportedArticle;
  /** True where the article belongs to another project version in the store. */
  readonly isMoved: boolean;
}

/** The most differences that are kept to be shown, which bounds their memory. */
const MAX_SHOWN = 100;

/** Compares the entries of a knowledge base with the stored ones. Entries that only the store has are no difference. */
export async function findDifferences(database: StoreDatabase, base: KnowledgeBase): Promise<Differences> {
  const { source: _, ...lists } = base;
  const given = new Map(
    Object.entries(lists).flatMap(([list, entries]) =>
      entries.map((entry: Entry): [string, Entry] => [`${list} ${idOf(entry)}`, entry]),
    ),
  );
  const counts = { ...countsOf(() => 0) };
  const shown: EntryDifference[] = [];
  const elsewhere: string[] = [];
  const entries = new Set<Entry>();
  const articles: ArticleChange[] = [];
  let total = 0;
  for await (const { list, entry: stored } of storedEntriesLike(database, base)) {
    const entry = given.get(`${list} ${idOf(stored)}`);
    const differences = entry === undefined ? [] : differencesOf(stored, entry);
    if (entry === undefined || differences.length === 0) continue;
    total += differences.length;
    counts[list] += 1;
    shown.push(...differences.slice(0, MAX_SHOWN - shown.length).map((one) => ({ ...one, list, id: idOf(stored) })));
    if (elsewhere.length < MAX_SHOWN && differences.some(({ member }) => member === 'project_version_id'))
      elsewhere.push(`${list} ${idOf(stored)}`);
    entries.add(entry);
    if ('versions' in entry && 'versions' in stored) articles.push(changeOf(stored, entry));
  }
  for (const { changed } of articles) counts.language_versions += changed.versions.length;
  return { counts, shown, total, elsewhere, entries, articles };
}

function idOf(entry: Entry): string {
  if ('groupId' in entry) return entry.groupId;
  if ('reader_id' in entry) return entry.reader_id;
  if ('invitation_id' in entry) return entry.invitation_id;
  if ('user_id' in entry) return entry.user_id;
  return 'code' in entry ? `${entry.code} of ${entry.project_version_id}` : entry.id;
}

function differencesOf(stored: Entry, given: Entry) {
  const before = membersOf(stored);
  return [...membersOf(given)].flatMap(([member, value]) => {
    const old = before.get(member);
    // Another entry can become the default, and no update leaves the store without one.
    const isSame = member === 'is_default' ? old === true || value === false : isSameJson(old, value);
    return isSame ? [] : [{ member, stored: old, given: value }];
  });
}

const isSameJson = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one !== 'string' && JSON.stringify(one) === JSON.stringify(other));

/** The members of an entry by their names. The lists of members of a group have no order. */
function membersOf(entry: Entry): ReadonlyMap<string, unknown> {
  if ('groupId' in entry) {
    const { title, description, readerIds, invitedSsoUserIds, accessScope } = entry;
    return new Map<string, unknown>([
      ['title', title],
      ['description', description],
      ['associated_readers', withoutOrder(readerIds)],
      ['associated_invited_sso_users', withoutOrder(invitedSsoUserIds)],
      ['access_scope', { level: accessScope.level, entries: toScopeColumns(accessScope) }],
    ]);
  }
  if (!('versions' in entry)) return new Map(Object.entries(entry));
  const { versions, public_version, ...members } = entry;
  const ofVersions = versions.flatMap((version) =>
    versionMembers(version).map(([name, value]): [string, unknown] => [`${versionKey(version)}.${name}`, value]),
  );
  const publicVersions = new Map(Object.entries(public_version ?? {}));
  const codes = public_version === undefined ? [] : new Set(versions.map(({ lang_code }) => lang_code));
  const ofLanguages = [...codes].map((code): [string, unknown] => [
    `${code}.public_version`,
    publicVersions.get(code) ?? null,
  ]);
  return new Map([...Object.entries(members), ...ofVersions, ...ofLanguages]);
}

const withoutOrder = (ids: readonly string[]) => [...new Set(ids)].toSorted();

type Version = ImportedArticle['versions'][number];

const versionKey = ({ lang_code, version_number }: Version): string => `${lang_code}.${version_number}`;

const versionMembers = ({ lang_code: _, version_number: __, ...members }: Version) => Object.entries(members);

/** Members that are missing in the file keep the values of the store. */
function changeOf(stored: ImportedArticle, given: ImportedArticle): ArticleChange {
  const before = new Map(stored.versions.map((version) => [versionKey(version), version]));
  const versions = given.versions.map((version) => ({ ...before.get(versionKey(version)), ...version }));
  const changed = versions.filter((version) => !isSameVersion(version, before.get(versionKey(version))));
  const ofFile = new Set(given.versions.map(versionKey));
  const languages = new Set(given.versions.map(({ lang_code }) => lang_code));
  const others = stored.versions.filter((version) => !ofFile.has(versionKey(version)));
  const article = {
    ...stored,
    ...given,
    public_version: {
      ...Object.fromEntries(
        Object.entries(stored.public_version ?? {}).filter(
          ([code]) => given.public_version === undefined || !languages.has(code),
        ),
      ),
      ...given.public_version,
    },
  };
  return {
    changed: { ...article, versions: changed },
    merged: { ...article, versions: [...others.map((version) => ({ ...version, content: null })), ...versions] },
    isMoved: stored.project_version_id !== given.project_version_id,
  };
}

function isSameVersion(version: Version, old: Version | undefined): boolean {
  const before = new Map(old === undefined ? [] : versionMembers(old));
  return versionMembers(version).every(([name, value]) => isSameJson(before.get(name), value));
}

/**
 * Gives the entries that differ the values of the file, in the transaction of the caller, which has added all new ones.
 * Throws with a message for people where an article would have to move to another project version.
 */
export async function updateEntries(
  transaction: StoreDatabase,
  base: KnowledgeBase,
  { entries, articles }: Differences,
): Promise<void> {
  const only = <T extends Entry>(list: readonly T[]): readonly T[] => list.filter((entry) => entries.has(entry));
  const { db } = transaction;
  const moved = articles.find(({ isMoved }) => isMoved)?.changed.id;
  if (moved !== undefined)
    throw new Error(
      `Nothing was imported: the article ${toPrintable(moved)} is in another project version in the store, and stays in it.`,
    );
  const versions = only(base.project_versions);
  for (const { id, name } of versions)
    await db.updateTable('project_versions').set({ name }).where('id', '=', id).execute();
  if (versions.some(({ is_default }) => is_default)) await replaceDefaultVersion(transaction, versions);
  await updateLanguages(transaction, only(base.languages));
  for (const { user_id, ...names } of only(base.team_accounts))
    await db.updateTable('team_accounts').set(names).where('id', '=', user_id).execute();
  await writeRows(transaction, 'categories', {
    key: ['id'],
    columns: ['project_version_id', 'parent_category_id', 'name', 'position'],
    rows: only(base.categories).map(toPositioned),
  });
  await updateArticles(transaction, articles);
  await writeRows(transaction, 'readers', {
    key: ['id'],
    columns: ['first_name', 'last_name', 'email', 'email_folded'],
    rows: only(base.readers).map(({ reader_id: id, ...reader }) => withFoldedEmail({ id, ...reader })),
  });
  await writeRows(transaction, 'invited_sso_users', {
    key: ['id'],
    columns: ['email', 'email_folded'],
    rows: only(base.invited_sso_users).map(({ invitation_id: id, email }) => withFoldedEmail({ id, email })),
  });
  await updateGroups(transaction, only(base.reader_groups));
}

async function updateLanguages({ db }: StoreDatabase, languages: KnowledgeBase['languages']): Promise<void> {
  for (const { project_version_id, code, name, is_default } of languages) {
    const ofVersion = db.updateTable('languages').where('project_version_id', '=', project_version_id);
    if (is_default) await ofVersion.set({ is_default: 0 }).execute();
    await ofVersion
      .set({ name, ...(is_default && { is_default: 1 }) })
      .where('code', '=', code)
      .execute();
  }
}

const TRANSLATION_COLUMNS = [
  'latest_version_number',
  'title_key',
  'translation_status',
  'hidden',
  'status',
  'public_version_number',
] as const;

const VERSION_COLUMNS = [
  'title',
  'translation_status',
  'content',
  'modified_at',
  'status',
  'description',
  'created_at',
  'created_by',
  'authors',
] as const;

/** Updates the articles and their versions. Updated versions have the time of the update, as after any other write. */
async function updateArticles(transaction: StoreDatabase, changes: readonly ArticleChange[]): Promise<void> {
  const { db } = transaction;
  const modified_at = new Date().toISOString();
  await writeRows(transaction, 'articles', {
    key: ['id'],
    columns: ['category_id', 'slug', 'position', 'hidden', 'content_type', 'url'],
    rows: changes.map(({ changed }) => articleRow(changed)),
  });
  const translationKey = ['project_version_id', 'language_code', 'article_id'] as const;
  for (const { changed, merged } of changes) {
    const latest = latestVersions(merged);
    const newTexts = latest.filter(({ version }) => changed.versions.includes(version));
    await writeRows(transaction, 'article_translations', {
      key: translationKey,
      columns: TRANSLATION_COLUMNS,
      rows: latest.map(translationRow),
    });
    await writeRows(transaction, 'article_translations', {
      key: translationKey,
      columns: ['modified_at'],
      rows: newTexts.map((one) => ({ ...translationRow(one), modified_at })),
    });
    await writeRows(transaction, 'article_versions', {
      key: ['article_id', 'language_code', 'version_number'],
      columns: VERSION_COLUMNS,
      rows: articleVersionRows(changed).map((row) => ({ ...row, modified_at })),
    });
    const texts = newTexts.map(({ version: { lang_code: language_code, title, content } }) => ({
      article_id: changed.id,
      language_code,
      title,
      content,
    }));
    for (const { article_id, language_code } of texts)
      await sql`delete from article_words where article_id = ${article_id} and language_code = ${language_code}`.execute(
        db,
      );
    if (texts.length > 0)
      await writeWords(transaction, newWordRows(texts, await nextNumber(transaction, 'article_words', 'id')));
  }
}

/** Updates the groups. Each keeps its position among the others. */
async function updateGroups(transaction: StoreDatabase, groups: KnowledgeBase['reader_groups']): Promise<void> {
  for (const { groupId, title, description, accessScope, ...lists } of groups) {
    const update = { title, description, access_level: accessScope.level };
    await transaction.db.updateTable('reader_groups').set(update).where('id', '=', groupId).execute();
    for (const table of ['reader_group_readers', 'reader_group_invited_sso_users', 'reader_group_scopes'] as const)
      await transaction.db.deleteFrom(table).where('group_id', '=', groupId).execute();
    await insertGroupLists(transaction, [{ groupId, accessScope, ...lists }]);
  }
}
