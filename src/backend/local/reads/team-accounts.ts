import type { Page, PageRequest } from '../../../base/pages.ts';
import { ok, type Result } from '../../../base/result.ts';
import type { TeamAccount } from '../../../domain/articles/articles.ts';
import type { BackendError } from '../../../domain/errors.ts';
import { defineIdStatement } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/tables.ts';
import { definePages, onlyPage } from './pages.ts';

const selectAccounts = defineIdStatement(({ db }, ids) =>
  db.selectFrom('team_accounts').select('id').where('id', 'in', ids),
);

/** The service's text for a team account that does not exist; null for one that does. */
export async function userProblem(
  database: StoreDatabase,
  userId: string,
): Promise<{ readonly ok: true; readonly value: string | null }> {
  const [account] = await selectAccounts(database, [userId]);
  return ok(account ? null : `The user with id '${userId}' does not exist in your project.`);
}

const readTeamAccountPage = definePages({
  sortOf: (_variant: null) => ({ key: { 'u.position': 'integer' }, keyOf: ({ position }) => [position] }),
  nodeOf: ({ id, first_name, last_name }): TeamAccount => ({ userId: id, firstName: first_name, lastName: last_name }),
  listOf: ({ db }: StoreDatabase) =>
    db.selectFrom('team_accounts as u').select(['u.id', 'u.position', 'u.first_name', 'u.last_name']),
});

/** The account of the store comes first, and then those of imports in their order. */
export const listTeamAccounts = async (
  database: StoreDatabase,
  page: PageRequest,
): Promise<Result<Page<TeamAccount>, BackendError>> =>
  onlyPage(await readTeamAccountPage(database, { variant: null, page, values: {} }));
