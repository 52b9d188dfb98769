import { type Kysely, sql } from 'kysely';
import type { Database } from '../dialect.ts';
import { runSnapshot } from '../transactions.ts';

/**
 * Throws with a message for people where a pooler spreads the statements of one connection over several sessions, as
 * PgBouncer does in transaction mode: limits and locks of a session would be those of others. Each database has connections
 * of its own.
 */
export async function refuseTransactionPooler<Tables>(
  { db }: Database<Tables>,
  other: Database<Tables>,
  setting: string,
): Promise<void> {
  const readId = async (from: Kysely<Tables>) =>
    (await sql<{ id: number }>`select pg_backend_pid() as id`.execute(from)).rows[0]?.id;
  const isOwn = await db.connection().execute(async (session) => {
    const ids = [await readId(session)];
    const otherId = await runSnapshot(other, async (transaction) => {
      const id = await readId(transaction.db);
      ids.push(await readId(session), await readId(session));
      return id;
    });
    if (!otherId.ok) throw otherId.error.cause;
    return new Set(ids).size === 1 && !ids.includes(otherId.value);
  });
  if (isOwn) return;
  throw new Error(
    `${setting} names a pooler in transaction mode, through which a session has neither limits nor locks. Name the PostgreSQL server itself there, or a pooler in session mode.`,
  );
}
