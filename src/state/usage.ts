import { sql } from 'kysely';
import type { State } from './state-access.ts';

/** The bytes of a row besides its texts: a rough figure. */
export const ROW_BYTES = 400;

const SHARDS = 8;

/** The last statement of a transaction, so that it holds the lock of the row for a short time only. */
export async function addUsage({ db, deletions }: State, bytes: number): Promise<void> {
  if (bytes === 0) return;
  if (bytes < 0) deletions.areInLog = true;
  const shard = Math.floor(Math.random() * SHARDS);
  await sql`update state_usage set bytes = bytes + ${bytes} where shard = ${shard}`.execute(db);
}

export async function isFull({ db }: State, addedBytes: number, maxBytes: number): Promise<boolean> {
  const { rows } = await sql<{ bytes: number }>`
    select cast(sum(bytes) as bigint) as bytes from state_usage
  `.execute(db);
  return (rows[0]?.bytes ?? 0) + addedBytes > maxBytes;
}
