import { sql } from 'kysely';
import { err, ok, type Result } from '../../base/result.ts';
import type { CallContext } from '../../database/call-context.ts';
import type { ServingDatabase } from '../../database/open-database.ts';
import type { StoreDatabase } from './tables/store-database.ts';
import type { Tables } from './tables/tables.ts';
import { runInTransaction, type WritableStore } from './writes/transactions.ts';

/** How long the checks take at most, in milliseconds. */
const READINESS_TIMEOUT_MS = 5_000;

/**
 * Reads a row, which reaches the file or the server and detects a standby. A full disk shows only when it is written
 * to, so after a failed write a small write is tried too: the store is ready again as soon as that succeeds.
 */
export async function checkReady(
  store: WritableStore,
  serving: ServingDatabase<Tables>,
): Promise<Result<void, string>> {
  const callContext: CallContext = {
    fairnessKey: '',
    deadline: performance.now() + READINESS_TIMEOUT_MS,
    isGone: () => false,
    kind: 'read',
    request: null,
  };
  const database = serving.forReadiness(callContext);
  const access = await probeAccess(database);
  if (access === 'none') return err('The store cannot be read.');
  if (access === 'read') return err(NOT_WRITABLE);
  if (!serving.isInPlace()) return err(FILES_REPLACED);
  if (!store.lastWrite.failed) return ok(undefined);
  // A blocked queue shows the failure without waiting in it.
  if (store.writeQueue.isBlocked()) return err(NOT_WRITABLE);
  const probe = await runInTransaction({ ...store, database, callContext }, probeWrite, { busyTimeoutMs: 0 });
  return probe.ok ? ok(undefined) : err(NOT_WRITABLE);
}

const FILES_REPLACED =
  'The files of the store were removed or replaced. Put them back, or start again with those that are there.';
const NOT_WRITABLE = 'The store cannot be written.';

async function probeAccess({ db, dialect }: StoreDatabase): Promise<'none' | 'read' | 'write'> {
  try {
    const query = db.selectFrom('project_versions').select('id').limit(1);
    const [row] = (await sql<{ read_only: number }>`select ${dialect.isReadOnly} as read_only, (${query})`.execute(db))
      .rows;
    return row?.read_only === 1 ? 'read' : 'write';
  } catch {
    return 'none';
  }
}

/** Writes to the disk and changes nothing. An import rejects empty IDs, so '' is free. */
async function probeWrite({ db }: StoreDatabase): Promise<void> {
  await sql`insert into invited_sso_users (id) values ('')`.execute(db);
  await sql`delete from invited_sso_users where id = ''`.execute(db);
}
