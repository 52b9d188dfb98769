import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { textProblem } from '../../../core/base/text.ts';
import {
  type ColumnType,
  type JsonTableOptions,
  type SqlDialect,
  toJsonParameter,
  type WordIndex,
} from '../dialect.ts';
import { isPostgresForeignKeyViolation, postgresFailureOf } from './errors.ts';

/** `bigint` holds every safe integer of JavaScript, so that none is too large for a query. */
const COLUMN_TYPES = {
  text: sql`text`,
  'text?': sql`text`,
  integer: sql`bigint`,
  'integer?': sql`bigint`,
} as const satisfies Record<ColumnType, unknown>;

const tableList = (tables: readonly string[]) => sql.join(tables.map((table) => sql.table(table)));

function jsonTable<Row extends object, Alias extends string>({ alias, rows, columns }: JsonTableOptions<Row, Alias>) {
  const typed = Object.entries<ColumnType>(columns).map(([name, type]) => sql`${sql.ref(name)} ${COLUMN_TYPES[type]}`);
  const sent = sql`json_to_recordset(cast(${toJsonParameter(rows)} as json)) as sent (${sql.join(typed)})`;
  return sql<Row>`(select * from ${sent})`.as(alias);
}

const wordIndex: WordIndex = {
  merging: null,
  /** Each text has a table of its own: a GIN index indexes a whole row again when any column of it changes. */
  create: ({ index }) => {
    const table = sql.table(index);
    return [
      sql`create table ${table} (
        id integer not null primary key references article_words (id) on delete cascade,
        words tsvector not null
      )`,
      sql`create index ${sql.ref(`${index}_index`)} on ${table} using gin (words)`,
    ];
  },
  /** The words are passed to PostgreSQL as they are, without its text search parser. */
  write: ({ index }, rows) => {
    const source = jsonTable({ alias: 'k', rows, columns: { id: 'integer', words: 'text' } });
    return sql`insert into ${sql.table(index)} (id, words)
      select id, array_to_tsvector(array_remove(string_to_array(words, ' '), '')) from ${source}
      on conflict (id) do update set words = excluded.words`;
  },
  idsWith: ({ index }, words) => {
    const query = words.map(({ text, isPrefix }) => `'${text}'${isPrefix ? ':*' : ''}`).join(' & ');
    return sql`select id from ${sql.table(index)} where words @@ cast(${query} as tsquery)`;
  },
};

export const postgresDialect: SqlDialect = {
  textType: sql`text collate "C"`,
  // The tables of extensions, such as PostGIS, are of no program.
  tableNames: sql`select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema() and relkind in ('r', 'p') and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
    )`,
  currentSchema: sql`select current_schema() as name`,
  encoding: sql`select current_setting('server_encoding') as name`,
  // On a standby every transaction is read-only.
  isReadOnly: sql`case when current_setting('transaction_read_only') = 'on' then 1 else 0 end`,
  beforeMigrating: [],
  rowLock: sql`for no key update`,
  systemName: 'postgresql',
  hasOneWriter: false,
  maxUpdatedRows: Number.POSITIVE_INFINITY,
  checkReferences: sql`set constraints all immediate`,
  lockName: (name) => sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`,
  clock: sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
  eraseDeleted: [],
  truncateLog: null,
  analyze: (tables) => sql`analyze ${tableList(tables)}`,
  jsonTable,
  runsEachRow: false,
  jsonArray: (query) => sql`cast(${jsonArrayFrom(query)} as text)`,
  // PostgreSQL rejects a parameter that no text column can hold.
  contains: (column, text) => (textProblem(text) === null ? sql`strpos(${sql.ref(column)}, ${text}) > 0` : sql`false`),
  wordIndex,
  failureOf: postgresFailureOf,
  close: (db) => db.destroy(),
  isForeignKeyViolation: isPostgresForeignKeyViolation,
};
