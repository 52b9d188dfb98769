import { sql } from 'kysely';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Database } from './database.ts';
import { type Writable, write } from './writes.ts';

/**
 * Whether the store answers, by a read that reaches the file, and takes writes. A disk that is full shows only when it is
 * written to: a store whose last write failed is tried with a small one, so that it is ready again as soon as it can be.
 */
export async function checkReady(store: Writable): Promise<Result<void, string>> {
  if (!(await canRead(store.database))) return err('The store cannot be read.');
  if (!store.lastWrite.failed) return ok(undefined);
  // It is known without waiting for one's turn.
  if (store.line.isHeldUp()) return err(UNWRITABLE);
  const tried = await write(store, leaveNothing, 0);
  return tried.ok ? ok(undefined) : err(UNWRITABLE);
}

const UNWRITABLE = 'The store cannot be written.';

async function canRead({ db }: Database): Promise<boolean> {
  try {
    await db.selectFrom('project_versions').select('id').limit(1).execute();
    return true;
  } catch {
    return false;
  }
}

/** Writes to the disk, and changes nothing. No ID that was ever taken is empty. */
async function leaveNothing(within: Database): Promise<void> {
  await sql`insert into invited_sso_users (id) values ('')`.execute(within.db);
  await sql`delete from invited_sso_users where id = ''`.execute(within.db);
}
