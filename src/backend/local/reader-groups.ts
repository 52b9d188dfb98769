import type { AccessScope, KnownAccessLevel } from '../../domain/access-scopes.ts';
import type { BackendError } from '../../domain/errors.ts';
import type { Page, PageRequest } from '../../domain/pages.ts';
import type { ReaderGroup } from '../../domain/reader-groups.ts';
import type { Reader } from '../../domain/readers.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { Found } from './answers.ts';
import type { Database } from './database.ts';
import { type JsonText, parseRows } from './engine.ts';
import { countOf, isNumberKey, pageColumns, readPlace, toPage } from './pages.ts';
import { wantedIds } from './wanted.ts';

interface ScopeRow {
  readonly project_version_id: string;
  readonly category_id: string | null;
  readonly language_code: string | null;
}

interface GroupRow {
  readonly group_id: string;
  readonly position: number;
  readonly title: string;
  readonly description: string | null;
  readonly access_level: KnownAccessLevel;
  readonly readers: JsonText<{ readonly reader_id: string }>;
  readonly invited: JsonText<{ readonly invited_sso_user_id: string }>;
  readonly scopes: JsonText<ScopeRow>;
}

/** Groups whole, with all that hangs on them: one statement, however many groups and members. */
const groupRows = ({ db, engine }: Database) =>
  db
    .selectFrom('reader_groups as g')
    .select(['g.id as group_id', 'g.position', 'g.title', 'g.description', 'g.access_level'])
    .select((eb) => [
      engine
        .jsonRows(
          eb
            .selectFrom('reader_group_readers as m')
            .whereRef('m.group_id', '=', 'g.id')
            .select('m.reader_id')
            .orderBy('m.position'),
        )
        .as('readers'),
      engine
        .jsonRows(
          eb
            .selectFrom('reader_group_invited_sso_users as i')
            .whereRef('i.group_id', '=', 'g.id')
            .select('i.invited_sso_user_id')
            .orderBy('i.position'),
        )
        .as('invited'),
      engine
        .jsonRows(
          eb
            .selectFrom('reader_group_scopes as s')
            .whereRef('s.group_id', '=', 'g.id')
            .select(['s.project_version_id', 's.category_id', 's.language_code'])
            .orderBy('s.position'),
        )
        .as('scopes'),
    ]);

const toGroup = (row: GroupRow): ReaderGroup => ({
  groupId: row.group_id,
  title: row.title,
  description: row.description,
  readerIds: parseRows(row.readers).map(({ reader_id }) => reader_id),
  invitedSsoUserIds: parseRows(row.invited).map(({ invited_sso_user_id }) => invited_sso_user_id),
  accessScope: toScope(row.access_level, parseRows(row.scopes)),
});

/** Each level fills the columns it needs, so that '' stands for nothing that was stored. */
function toScope(level: KnownAccessLevel, rows: readonly ScopeRow[]): AccessScope {
  if (level === 'VERSION')
    return { level, projectVersionIds: rows.map(({ project_version_id }) => project_version_id) };
  const languages = rows.map((row) => ({
    projectVersionId: row.project_version_id,
    languageCode: row.language_code ?? '',
  }));
  if (level === 'LANGUAGE') return { level, languages };
  if (level !== 'CATEGORY') return { level };
  const categories = rows.map((row) => ({
    projectVersionId: row.project_version_id,
    categoryId: row.category_id ?? '',
    languageCode: row.language_code ?? '',
  }));
  return { level, categories };
}

export async function readerGroups(
  database: Database,
  groupIds: readonly string[],
): Promise<Found<ReaderGroup | null>> {
  const rows = await groupRows(database).where('g.id', 'in', wantedIds(database, groupIds)).execute();
  const byId = new Map(rows.map((row) => [row.group_id, toGroup(row)]));
  return groupIds.map((id) => ok(byId.get(id) ?? null));
}

export async function findReaderGroup(database: Database, groupId: string): Promise<ReaderGroup | null> {
  const row = await groupRows(database).where('g.id', '=', groupId).executeTakeFirst();
  return row ? toGroup(row) : null;
}

/** All groups in the order they were made in. */
export async function listReaderGroups(
  database: Database,
  page: PageRequest,
): Promise<Result<Page<ReaderGroup>, BackendError>> {
  const { db, engine } = database;
  const place = readPlace(page, isNumberKey);
  if (!place.ok) return place;
  const list = groupRows(database);
  const rows = await db
    .selectNoFrom(pageColumns(engine, { list, key: ['g.position'], place: place.value }))
    .executeTakeFirstOrThrow();
  const totalCount = async () => Number((await db.selectNoFrom(countOf(list)).executeTakeFirstOrThrow()).total);
  return ok(toPage(rows, { limit: page.limit, totalCount, keyOf: ({ position }) => [position], nodeOf: toGroup }));
}

/** The groups of each reader. A group that several of them are in is read once. */
export async function groupsOfReaders(
  database: Database,
  readers: readonly Reader[],
): Promise<Found<readonly ReaderGroup[]>> {
  const ids = wantedIds(
    database,
    readers.map(({ readerId }) => readerId),
  );
  const memberships = database.db
    .selectFrom('reader_group_readers as m')
    .where('m.reader_id', 'in', ids)
    .select('m.group_id');
  const rows = await groupRows(database).where('g.id', 'in', memberships).orderBy('g.position').execute();
  const groups = rows.map(toGroup);
  const members = groups.map((group) => ({ group, readerIds: new Set(group.readerIds) }));
  return readers.map(({ readerId }) =>
    ok(members.filter(({ readerIds }) => readerIds.has(readerId)).map(({ group }) => group)),
  );
}
