import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { COLUMNS, type ColumnType } from '../../backend/local/tables/tables.ts';
import { textProblem } from '../../domain/text.ts';
import type { Engine, RowTable } from '../dialect.ts';
import { isForeignKeyViolation, postgresFailure } from './errors.ts';

/** `bigint` holds every whole number that JavaScript has exactly, so that none is too large to be looked for. */
const TYPES = { text: sql`text`, integer: sql`bigint` } as const;

export const postgresEngine: Engine = {
  text: sql`text collate "C"`,
  tables: sql`select tablename as name from pg_tables where schemaname = current_schema()`,
  schema: sql`select current_schema() as name`,
  // On a standby every transaction is read-only.
  isReadOnly: sql`case when current_setting('transaction_read_only') = 'on' then 1 else 0 end`,
  settings: [],
  whenServing: [],
  rowLock: sql`for no key update`,
  hasOneWriter: false,
  maxUpdatedRows: Number.POSITIVE_INFINITY,
  importLock: sql`lock table project_versions in share row exclusive mode`,
  checkReferences: sql`set constraints all immediate`,
  analyze: sql`analyze ${sql.join(Object.keys(COLUMNS).map((table) => sql.table(table)))}`,
  rows: <Row extends object, Alias extends string>({ alias, rows, columns }: RowTable<Row, Alias>) => {
    const typed = Object.entries<ColumnType>(columns).map(([name, type]) => sql`${sql.ref(name)} ${TYPES[type]}`);
    const sent = sql`json_to_recordset(${JSON.stringify(rows)}) as sent (${sql.join(typed)})`;
    return sql<Row>`(select * from ${sent})`.as(alias);
  },
  jsonRows: (query) => sql`cast(${jsonArrayFrom(query)} as text)`,
  // PostgreSQL would refuse to look for what no text can hold.
  contains: (column, text) => (textProblem(text) === null ? sql`strpos(${sql.ref(column)}, ${text}) > 0` : sql`false`),
  failure: postgresFailure,
  close: (db) => db.destroy(),
  isBrokenReference: isForeignKeyViolation,
};
