import { setImmediate as nextTick } from 'node:timers/promises';
import { type JsonText, parseRows } from '../../../database/dialect.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { Page, PageRequest } from '../../../domain/pages.ts';
import type { AccessScope, KnownAccessLevel } from '../../../domain/reader-groups/access-scopes.ts';
import type { ReaderGroup, ReaderGroupExtent } from '../../../domain/reader-groups/reader-group-updates.ts';
import type { Reader } from '../../../domain/reader-groups/readers.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { wantedIds } from '../tables/id-tables.ts';
import type { Database } from '../tables/store-database.ts';
import { countOf, isNumberKey, pageColumns, readPlace, toPage } from './keyset-pages.ts';
import { type Found, listsInOrder } from './results-by-key.ts';

interface ScopeRow {
  readonly project_version_id: string;
  readonly category_id: string | null;
  readonly language_code: string | null;
}

interface HeadRow {
  readonly group_id: string;
  readonly position: number;
  readonly title: string;
  readonly description: string | null;
  readonly access_level: KnownAccessLevel;
}

interface GroupRow extends HeadRow {
  readonly readers: JsonText<{ readonly reader_id: string }>;
  readonly invited: JsonText<{ readonly invited_sso_user_id: string }>;
  readonly scopes: JsonText<ScopeRow>;
}

/** Groups without what hangs on them. */
const headRows = ({ db }: Database) =>
  db
    .selectFrom('reader_groups as g')
    .select(['g.id as group_id', 'g.position', 'g.title', 'g.description', 'g.access_level']);

/** Groups whole, with all that hangs on them. */
const groupRows = (database: Database) =>
  headRows(database).select((eb) => {
    const { engine } = database;
    return [
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
    ];
  });

const toHead = ({ group_id, title, description, access_level }: HeadRow): ReaderGroup => ({
  groupId: group_id,
  title,
  description,
  readerIds: [],
  invitedSsoUserIds: [],
  accessScope: toScope(access_level, []),
  isHead: true,
});

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
  extent: ReaderGroupExtent = 'whole',
): Promise<Found<ReaderGroup | null>> {
  const byId = new Map<string, ReaderGroup>();
  if (extent === 'head') {
    const heads = await headRows(database).where('g.id', 'in', wantedIds(database, groupIds)).execute();
    for (const row of heads) byId.set(row.group_id, toHead(row));
  } else {
    for (let start = 0; start < groupIds.length; start += MAX_WHOLE_GROUPS) {
      // Each group is read at one moment; others are let in between two statements.
      if (start > 0) await nextTick();
      const ids = wantedIds(database, groupIds.slice(start, start + MAX_WHOLE_GROUPS));
      const rows = await groupRows(database).where('g.id', 'in', ids).execute();
      for (const row of rows) byId.set(row.group_id, toGroup(row));
    }
  }
  return groupIds.map((id) => ok(byId.get(id) ?? null));
}

/** Whole groups that one statement reads: each may have 50,000 members and as long a scope. */
const MAX_WHOLE_GROUPS = 10;

export async function findReaderGroup(database: Database, groupId: string): Promise<ReaderGroup | null> {
  const row = await groupRows(database).where('g.id', '=', groupId).executeTakeFirst();
  return row ? toGroup(row) : null;
}

/** All groups in the order they were made in. */
export async function listReaderGroups(
  database: Database,
  page: PageRequest,
  extent: ReaderGroupExtent = 'whole',
): Promise<Result<Page<ReaderGroup>, BackendError>> {
  const { db, engine } = database;
  const place = readPlace(page, isNumberKey);
  if (!place.ok) return place;
  const heads = headRows(database);
  const totalCount = async () => Number((await db.selectNoFrom(countOf(heads)).executeTakeFirstOrThrow()).total);
  const shape = { limit: page.limit, totalCount, keyOf: ({ position }: HeadRow) => [position] };
  const query = { key: ['g.position'], place: place.value };
  if (extent === 'head') {
    const columns = pageColumns(engine, { ...query, list: heads });
    return ok(toPage(await db.selectNoFrom(columns).executeTakeFirstOrThrow(), { ...shape, nodeOf: toHead }));
  }
  const columns = pageColumns(engine, { ...query, list: groupRows(database) });
  return ok(toPage(await db.selectNoFrom(columns).executeTakeFirstOrThrow(), { ...shape, nodeOf: toGroup }));
}

/** The heads of the groups of each reader. */
export async function groupsOfReaders(
  database: Database,
  readers: readonly Reader[],
): Promise<Found<readonly ReaderGroup[]>> {
  const wanted = readers.map(({ readerId }, n) => ({ n, reader_id: readerId }));
  const columns = { n: 'integer', reader_id: 'text' } as const;
  const rows = await headRows(database)
    .innerJoin('reader_group_readers as m', 'm.group_id', 'g.id')
    .innerJoin(database.engine.rows({ alias: 'w', rows: wanted, columns }), 'w.reader_id', 'm.reader_id')
    .select('w.n')
    .orderBy('w.n')
    .orderBy('g.position')
    .execute();
  return listsInOrder(readers, rows, toHead);
}
