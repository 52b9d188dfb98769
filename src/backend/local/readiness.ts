import { sql } from 'kysely';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Database, ServingDatabase } from './tables/store-database.ts';
import { type Writable, write } from './writes/transactions.ts';

/** How long the store has to say that it is ready, in milliseconds. */
const READY_WITHIN_MS = 5_000;

/**
 * Whether the store answers, by a read that reaches the file, and takes writes. A standby says itself that it takes none. A
 * disk that is full shows only when it is written to: a store whose last write failed is tried with a small one, so that it
 * is ready again as soon as it can be.
 */
export async function checkReady(store: Writable, serving: ServingDatabase): Promise<Result<void, string>> {
  const terms = { account: '', deadline: performance.now() + READY_WITHIN_MS, isGone: () => false };
  const database = serving.forReadiness(terms);
  const access = await accessOf(database);
  if (access === 'none') return err('The store cannot be read.');
  if (access === 'read') return err(UNWRITABLE);
  if (!serving.isInPlace()) return err(GONE);
  if (!store.lastWrite.failed) return ok(undefined);
  // It is known without waiting for one's turn.
  if (store.line.isHeldUp()) return err(UNWRITABLE);
  const tried = await write({ ...store, database, terms }, leaveNothing, { patienceMs: 0 });
  return tried.ok ? ok(undefined) : err(UNWRITABLE);
}

const GONE =
  'The files of the store were removed or replaced. Put them back, or start again with those that are there.';
const UNWRITABLE = 'The store cannot be written.';

async function accessOf({ db, engine }: Database): Promise<'none' | 'read' | 'write'> {
  try {
    const query = db.selectFrom('project_versions').select('id').limit(1);
    const [row] = (await sql<{ read_only: number }>`select ${engine.isReadOnly} as read_only, (${query})`.execute(db))
      .rows;
    return row?.read_only === 1 ? 'read' : 'write';
  } catch {
    return 'none';
  }
}

/** Writes to the disk, and changes nothing. No ID that was ever taken is empty. */
async function leaveNothing(within: Database): Promise<void> {
  await sql`insert into invited_sso_users (id) values ('')`.execute(within.db);
  await sql`delete from invited_sso_users where id = ''`.execute(within.db);
}
