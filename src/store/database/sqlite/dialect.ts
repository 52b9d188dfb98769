import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/sqlite';
import {
  EachRow,
  type JsonTableOptions,
  type SqlDialect,
  toJsonParameter,
  type WordIndex,
  type WordMerging,
} from '../dialect.ts';
import { isSqliteForeignKeyViolation, sqliteFailureOf } from './errors.ts';

function jsonTable<Row extends object, Alias extends string>({ alias, rows, columns }: JsonTableOptions<Row, Alias>) {
  const members = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.ref(name)}`);
  return sql<Row>`(select ${sql.join(members)} from json_each(${toJsonParameter(rows)}))`.as(alias);
}

/**
 * The percentage of deleted entries at which FTS5 merges a part of the index. Its default of 10 costs a write more than
 * it saves a search.
 */
const DELETE_MERGE = 40;

/** FTS5's own values of its settings. */
const AUTOMERGE = 4;
const HASH_BYTES = 1_048_576;

/** The bytes of words that a transaction keeps in memory: those of a request of 10 MB. */
const DELAYED_HASH_BYTES = 8_000_000;

/** The pages that a step of a merge writes, which takes some 10 ms. */
const MERGED_PAGES = 64;

/** Settings of FTS5 are rows of the index: a transaction that is rolled back leaves the ones before. */
const setMerging = (index: string, automerge: number, hashBytes: number) => {
  const table = sql.table(index);
  const values = sql`('automerge', ${sql.lit(automerge)}), ('hashsize', ${sql.lit(hashBytes)})`;
  return sql`insert into ${table} (${table}, rank) values ${values}`;
};

const wordMerging: WordMerging = {
  delay: ({ index }) => setMerging(index, 0, DELAYED_HASH_BYTES),
  resume: ({ index }) => setMerging(index, AUTOMERGE, HASH_BYTES),
  mergeSome: ({ index }) => {
    const table = sql.table(index);
    return sql`insert into ${table} (${table}, rank) values ('merge', ${sql.lit(MERGED_PAGES)})`;
  },
  writtenRows: sql`select total_changes() as written`,
};

const wordIndex: WordIndex = {
  merging: wordMerging,
  /**
   * An index without the texts themselves, from which entries are deleted by their IDs alone: see
   * https://sqlite.org/fts5.html#contentless_delete_tables. `ascii` splits at spaces alone, since words have no other
   * ASCII characters than letters and digits.
   */
  create: ({ index, column }) => {
    const table = sql.table(index);
    return [
      sql`create virtual table ${table} using fts5 (
        ${sql.ref(column)}, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '3', detail = none
      )`,
      sql`insert into ${table} (${table}, rank) values ('deletemerge', ${sql.lit(DELETE_MERGE)})`,
      sql`create trigger ${sql.table(`${index}_deleted`)} after delete on article_words begin
        delete from ${table} where rowid = old.id; end`,
    ];
  },
  /**
   * FTS5 keeps the entries of a transaction in memory, and writes them into a part of the index, to be merged later,
   * when they have some size, before an entry with a lower ID, and before each statement of several rows. Merging would
   * be most of the work here, so the statement has one row at each run.
   */
  write: ({ index, column }, rows) => {
    const each = new EachRow(rows.map(({ id, words }) => [id, words]));
    return sql`insert or replace into ${sql.table(index)} (rowid, ${sql.ref(column)}) values (${each}, ${sql.raw('?')})`;
  },
  idsWith: ({ index }, words) => {
    const table = sql.table(index);
    const query = words.map(({ text, isPrefix }) => (isPrefix ? `"${text}"*` : `"${text}"`)).join(' AND ');
    return sql`select rowid from ${table} where ${table} match ${query}`;
  },
};

export const sqliteDialect: SqlDialect = {
  textType: sql`text`,
  tableNames: sql`select name from sqlite_schema where type = 'table'`,
  currentSchema: sql`select null as name`,
  encoding: sql`select 'UTF8' as name`,
  isReadOnly: sql`0`,
  beforeMigrating: [sql`pragma journal_mode = wal`],
  rowLock: null,
  systemName: 'sqlite',
  hasOneWriter: true,
  maxUpdatedRows: 1_000,
  checkReferences: null,
  lockName: null,
  clock: null,
  eraseDeleted: [sql`pragma secure_delete = on`],
  truncateLog: sql`pragma wal_checkpoint(truncate)`,
  analyze: null,
  jsonTable,
  runsEachRow: true,
  jsonArray: (query) => sql`${jsonArrayFrom(query)}`,
  contains: (column, text) => sql`instr(${sql.ref(column)}, ${text}) > 0`,
  wordIndex,
  failureOf: sqliteFailureOf,
  // The connection is free once its open transactions have ended.
  close: (db) => db.connection().execute(() => db.destroy()),
  isForeignKeyViolation: isSqliteForeignKeyViolation,
};
