import { LockSession, type LockSessionOptions } from './lock-session.ts';

/**
 * Throws with a message for people where a pooler spreads the statements of one connection over several sessions, as
 * PgBouncer does in transaction mode: a lock would be that of a session which others use.
 */
export async function refuseTransactionPooler(options: LockSessionOptions, setting: string): Promise<void> {
  const { link, dialect } = options;
  const session = await LockSession.open(options);
  const readId = async () => (await session.query(dialect.sessionId))[0]?.id;
  try {
    const ids = [await readId()];
    const other = await link.write(async ({ db }) => {
      const { rows } = await dialect.sessionId.execute(db);
      ids.push(await readId(), await readId());
      return rows[0]?.id;
    });
    const isOwn = new Set(ids).size === 1 && !ids.includes(other);
    if (!isOwn) {
      throw new Error(
        `${setting} names a pooler in transaction mode, through which no lock of a session can be held. Name the PostgreSQL server itself there, or a pooler in session mode.`,
      );
    }
  } finally {
    await session.end();
  }
}
