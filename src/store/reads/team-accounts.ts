import type { TeamAccount } from '../../core/articles/articles.ts';
import type { PageRequest, StoredPage } from '../../core/base/pages.ts';
import type { Result } from '../../core/base/result.ts';
import type { BackendError } from '../../core/errors.ts';
import { defineIdStatement } from '../tables/rows.ts';
import type { StoreDatabase, Tables } from '../tables/tables.ts';
import { definePages, onlyPage } from './pages.ts';
import { type ResultsByKey, valuesById } from './results-by-key.ts';

const selectAccounts = defineIdStatement(({ db }, ids) =>
  db.selectFrom('team_accounts').select(['id', 'first_name', 'last_name']).where('id', 'in', ids),
);

export async function teamAccounts(
  database: StoreDatabase,
  userIds: readonly string[],
): Promise<ResultsByKey<TeamAccount | null>> {
  const rows = await selectAccounts(database, userIds);
  return valuesById(userIds, new Map(rows.map((row) => [row.id, toTeamAccount(row)])));
}

const toTeamAccount = ({ id, first_name, last_name }: AccountRow): TeamAccount => ({
  userId: id,
  firstName: first_name,
  lastName: last_name,
});

type AccountRow = Pick<Tables['team_accounts'], 'id' | 'first_name' | 'last_name'>;

const readTeamAccountPage = definePages({
  sortOf: (_variant: null) => ({ key: { 'u.position': 'integer' }, keyOf: ({ position }) => [position] }),
  nodeOf: toTeamAccount,
  listOf: ({ db }: StoreDatabase) =>
    db.selectFrom('team_accounts as u').select(['u.id', 'u.position', 'u.first_name', 'u.last_name']),
});

/** The account of the store comes first, and then those of imports in their order. */
export const listTeamAccounts = async (
  database: StoreDatabase,
  page: PageRequest,
): Promise<Result<StoredPage<TeamAccount>, BackendError>> =>
  onlyPage(await readTeamAccountPage(database, { variant: null, page, values: {} }));
