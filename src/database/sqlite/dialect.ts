import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/sqlite';
import type { JsonTableOptions, SqlDialect } from '../dialect.ts';
import { toJsonParameter } from '../rows-parameter.ts';
import { isSqliteForeignKeyViolation, sqliteFailureOf } from './errors.ts';
import { sqliteWordIndex } from './word-index.ts';

function jsonTable<Row extends object, Alias extends string>({ alias, rows, columns }: JsonTableOptions<Row, Alias>) {
  const members = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.ref(name)}`);
  return sql<Row>`(select ${sql.join(members)} from json_each(${toJsonParameter(rows)}))`.as(alias);
}

export const sqliteDialect: SqlDialect = {
  textType: sql`text`,
  tableNames: sql`select name from sqlite_schema where type = 'table'`,
  currentSchema: sql`select null as name`,
  isReadOnly: sql`0`,
  beforeMigrating: [sql`pragma journal_mode = wal`],
  beforeServing: [sql`pragma busy_timeout = 0`],
  rowLock: null,
  systemName: 'sqlite',
  hasOneWriter: true,
  maxUpdatedRows: 1_000,
  lockTable: null,
  lockRowsOf: null,
  checkReferences: null,
  lockName: null,
  sessionLocks: null,
  clock: null,
  eraseDeleted: [sql`pragma secure_delete = on`],
  truncateLog: sql`pragma wal_checkpoint(truncate)`,
  analyze: null,
  jsonTable,
  jsonArray: (query) => sql`${jsonArrayFrom(query)}`,
  contains: (column, text) => sql`instr(${sql.ref(column)}, ${text}) > 0`,
  wordIndex: sqliteWordIndex(jsonTable),
  failureOf: sqliteFailureOf,
  // The only connection is free once the open transactions have ended.
  close: (db) => db.connection().execute(() => db.destroy()),
  isForeignKeyViolation: isSqliteForeignKeyViolation,
};
