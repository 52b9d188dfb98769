import { type Kysely, sql } from 'kysely';

/** The length of each note and mark, so that a clock that is set back prolongs none. Those of before count as long. */
export async function addLengths(db: Kysely<unknown>): Promise<void> {
  await sql`alter table group_locks add column write_ms bigint not null default 600000`.execute(db);
  await sql`alter table read_marks add column ms bigint not null default 600000`.execute(db);
}
