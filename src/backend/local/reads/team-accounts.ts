import { ok } from '../../../base/result.ts';
import { defineIdStatement } from '../tables/rows.ts';
import type { StoreDatabase } from '../tables/tables.ts';

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
