import type { ImportedArticle, KnowledgeBase, KnowledgeBaseLists } from '../knowledge-base/format.ts';
import { toScopeColumns } from '../tables/reader-group-rows.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import { countsOf, type EntryCounts } from './add-knowledge-base.ts';
import { storedEntriesLike } from './export-knowledge-base.ts';

type Entry = KnowledgeBaseLists[keyof KnowledgeBaseLists][number];

export interface Differences {
  /** The numbers of entries that differ. A version that the store lacks counts as well. */
  readonly counts: EntryCounts;
  /** The number of all differences. */
  readonly total: number;
  /** The first entries that belong to another project version in the store, as `categories c1`. */
  readonly elsewhere: readonly string[];
}

/** The most entries that are named. */
const MAX_NAMED = 100;

/** Compares the entries of a knowledge base with the stored ones. Entries that only the store has are no difference. */
export async function findDifferences(database: StoreDatabase, base: KnowledgeBase): Promise<Differences> {
  const { source: _, ...lists } = base;
  const given = new Map(
    Object.entries(lists).flatMap(([list, entries]) =>
      entries.map((entry: Entry): [string, Entry] => [`${list} ${idOf(entry)}`, entry]),
    ),
  );
  const counts = { ...countsOf(() => 0) };
  const elsewhere: string[] = [];
  let total = 0;
  for await (const { list, entry: stored } of storedEntriesLike(database, base)) {
    const entry = given.get(`${list} ${idOf(stored)}`);
    const differences = entry === undefined ? [] : differencesOf(stored, entry);
    if (entry === undefined || differences.length === 0) continue;
    total += differences.length;
    counts[list] += 1;
    if (elsewhere.length < MAX_NAMED && differences.some(({ member }) => member === 'project_version_id'))
      elsewhere.push(`${list} ${idOf(stored)}`);
    if ('versions' in entry && 'versions' in stored) counts.language_versions += changedVersions(stored, entry);
  }
  return { counts, total, elsewhere };
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

/** The number of versions of the file that differ or are missing in the store. */
function changedVersions(stored: ImportedArticle, given: ImportedArticle): number {
  const before = new Map(stored.versions.map((version) => [versionKey(version), version]));
  return given.versions.filter((version) => !isSameVersion(version, before.get(versionKey(version)))).length;
}

function isSameVersion(version: Version, old: Version | undefined): boolean {
  const before = new Map(old === undefined ? [] : versionMembers(old));
  return versionMembers(version).every(([name, value]) => isSameJson(before.get(name), value));
}
