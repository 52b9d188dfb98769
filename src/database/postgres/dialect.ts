import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { textProblem } from '../../base/text.ts';
import type { ColumnType, JsonTableOptions, SessionLockDialect, SqlDialect } from '../dialect.ts';
import { toJsonParameter } from '../rows-parameter.ts';
import { isPostgresForeignKeyViolation, postgresFailureOf } from './errors.ts';
import { postgresWordIndex } from './word-index.ts';

/** `bigint` holds every safe integer of JavaScript, so that none is too large for a query. */
const COLUMN_TYPES = { text: sql`text`, integer: sql`bigint` } as const;

const tableList = (tables: readonly string[]) => sql.join(tables.map((table) => sql.table(table)));

function jsonTable<Row extends object, Alias extends string>({ alias, rows, columns }: JsonTableOptions<Row, Alias>) {
  const typed = Object.entries<ColumnType>(columns).map(([name, type]) => sql`${sql.ref(name)} ${COLUMN_TYPES[type]}`);
  const sent = sql`json_to_recordset(${toJsonParameter(rows)}) as sent (${sql.join(typed)})`;
  return sql<Row>`(select * from ${sent})`.as(alias);
}

const lockKey = (name: string) => sql`hashtextextended(${name}, 0)`;

const sessionLocks: SessionLockDialect = {
  sessionId: sql`select pg_backend_pid() as id`,
  tryLock: (name) => sql`select pg_try_advisory_lock(${lockKey(name)}) as is_locked`,
  unlock: (name) => sql`select pg_advisory_unlock(${lockKey(name)})`,
  // PostgreSQL 13 has no `idle_session_timeout`. There the keepalive of TCP finds a peer that is gone.
  endWhenSilent: (ms) => {
    const seconds = Math.ceil(ms / 1_000 / 3);
    return sql`
      select set_config(s.name, v.value, false) from pg_settings as s join (values
        ('idle_session_timeout', ${String(ms)}), ('tcp_user_timeout', ${String(ms)}),
        ('tcp_keepalives_idle', ${String(seconds)}), ('tcp_keepalives_interval', ${String(seconds)}),
        ('tcp_keepalives_count', '2')
      ) as v (name, value) on v.name = s.name`;
  },
  endSession: sql`select pg_terminate_backend(pg_backend_pid())`,
};

export const postgresDialect: SqlDialect = {
  textType: sql`text collate "C"`,
  tableNames: sql`select tablename as name from pg_tables where schemaname = current_schema()`,
  currentSchema: sql`select current_schema() as name`,
  // On a standby every transaction is read-only.
  isReadOnly: sql`case when current_setting('transaction_read_only') = 'on' then 1 else 0 end`,
  beforeMigrating: [],
  beforeServing: [],
  rowLock: sql`for no key update`,
  systemName: 'postgresql',
  hasOneWriter: false,
  maxUpdatedRows: Number.POSITIVE_INFINITY,
  lockTable: (table) => sql`lock table ${sql.table(table)} in share row exclusive mode`,
  lockRowsOf: (tables) => sql`lock table ${tableList(tables)} in exclusive mode`,
  checkReferences: sql`set constraints all immediate`,
  lockName: (name) => sql`select pg_advisory_xact_lock(${lockKey(name)})`,
  sessionLocks,
  clock: sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
  eraseDeleted: [],
  truncateLog: null,
  analyze: (tables) => sql`analyze ${tableList(tables)}`,
  jsonTable,
  jsonArray: (query) => sql`cast(${jsonArrayFrom(query)} as text)`,
  // PostgreSQL rejects a parameter that no text column can hold.
  contains: (column, text) => (textProblem(text) === null ? sql`strpos(${sql.ref(column)}, ${text}) > 0` : sql`false`),
  wordIndex: postgresWordIndex(jsonTable),
  failureOf: postgresFailureOf,
  close: (db) => db.destroy(),
  isForeignKeyViolation: isPostgresForeignKeyViolation,
};
