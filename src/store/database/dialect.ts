import type { AliasedRawBuilder, CompiledQuery, Dialect, Kysely, RawBuilder, SelectQueryBuilder } from 'kysely';
import type { LRUCache } from 'lru-cache';
import type { SearchWord } from '../../core/articles/search-words.ts';

export interface Database<Tables> {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
  readonly statements: CompiledStatements;
}

/** The compiled variants of statements of one database, by the functions that build them. */
export type CompiledStatements = Map<object, LRUCache<string, CompiledQuery>>;

/** The differences between SQLite and PostgreSQL, as data: everything else is the same Kysely code for both. */
export interface SqlDialect {
  /** Its name in the semantic conventions of OpenTelemetry. */
  readonly systemName: 'sqlite' | 'postgresql';
  /** The type of a text that sorts by its bytes, so that pages have the same order in every database and locale. */
  readonly textType: RawBuilder<unknown>;
  readonly tableNames: RawBuilder<{ readonly name: string }>;
  /** The name of the current schema. Null in SQLite, which has a single one. */
  readonly currentSchema: RawBuilder<{ readonly name: string | null }>;
  /** The encoding of the texts of the database. */
  readonly encoding: RawBuilder<{ readonly name: string }>;
  /** 1 when the server takes no writes, as a standby does; else 0. */
  readonly isReadOnly: RawBuilder<number>;
  /** Statements that run after the schema of an opened database was accepted, since they may write to it. */
  readonly beforeMigrating: readonly RawBuilder<unknown>[];
  /** The end of a query that locks its rows until the transaction ends. Null when `hasOneWriter` is true. */
  readonly rowLock: RawBuilder<unknown> | null;
  /** True when one transaction writes at a time. The others then wait in this process, not in a statement. */
  readonly hasOneWriter: boolean;
  /**
   * The most rows that one statement of a bulk update changes. SQLite runs on the event loop: other requests run
   * between two statements, while the transaction keeps the connection.
   */
  readonly maxUpdatedRows: number;
  /** Checks foreign keys now and after each later statement. Null when the database checks them at the commit alone. */
  readonly checkReferences: RawBuilder<unknown> | null;
  /** Locks a name until the transaction ends. Null when `hasOneWriter` is true. */
  readonly lockName: ((name: string) => RawBuilder<unknown>) | null;
  /** The milliseconds since 1970 by the clock of the server. Null when the database has no clock of its own. */
  readonly clock: RawBuilder<number> | null;
  /** Statements that make the connection overwrite deleted data. */
  readonly eraseDeleted: readonly RawBuilder<unknown>[];
  /** Empties the log of the database, unless somebody uses it: `busy` is 1 then. Null when the server does it. */
  readonly truncateLog: RawBuilder<{ readonly busy: number }> | null;
  /** Updates the statistics of the query planner. Null when its plans do not depend on them. */
  readonly analyze: ((tables: readonly string[]) => RawBuilder<unknown>) | null;
  /**
   * Rows of this process as a table, sent as one JSON parameter: a statement takes a bounded number of parameters
   * (SQLite 32,766), and one statement per row would cost a round trip each.
   */
  readonly jsonTable: <Row extends object, Alias extends string>(
    table: JsonTableOptions<Row, Alias>,
  ) => AliasedRawBuilder<Row, Alias>;
  /**
   * True when a statement runs once for each row of its parameters (`EachRow`), without a server between: texts are not
   * copied into JSON then, and out of it.
   */
  readonly runsEachRow: boolean;
  /** The rows of a subquery in their order, as one JSON text: a list is read in the same statement as its parent. */
  readonly jsonArray: <DB, TB extends keyof DB, Row>(
    query: SelectQueryBuilder<DB, TB, Row>,
  ) => RawBuilder<JsonText<Row>>;
  /** True when a column contains a text literally. The length of a pattern for LIKE is bounded in SQLite. */
  readonly contains: (column: string, text: string) => RawBuilder<boolean>;
  readonly wordIndex: WordIndex;
  /** The failure that an error of the database means; null when the error is a bug of this process. */
  readonly failureOf: (error: unknown) => DatabaseFailure | null;
  /** Closes a database once its open transactions have ended. */
  readonly close: <Tables>(db: Kysely<Tables>) => Promise<void>;
  readonly isForeignKeyViolation: (error: unknown) => boolean;
}

/** The rows of parameters of a statement that runs once for each. It is its only parameter for Kysely. */
export class EachRow {
  readonly rows: readonly (readonly unknown[])[];

  constructor(rows: EachRow['rows']) {
    this.rows = rows;
  }
}

/** The index of the words of one text: its table, and the name of the text. */
interface WordText {
  readonly index: string;
  readonly column: string;
}

/** The words of a text of the row of `article_words` with that ID. */
interface RowWords {
  readonly id: number;
  readonly words: string;
}

export interface WordIndex {
  /** Creates the index of a text of the table `article_words`, which has an `id`. A deleted row is removed from it. */
  readonly create: (text: WordText) => readonly RawBuilder<unknown>[];
  /** The statement that replaces the indexed words of rows, separated by spaces. Rows in the order of IDs cost the least. */
  readonly write: (text: WordText, rows: readonly RowWords[]) => RawBuilder<unknown>;
  /** How the parts of the index are merged; null where it has none. */
  readonly merging: WordMerging | null;
  /** The IDs of the rows that have all words. These are letters, digits and combining marks, which need no escaping. */
  readonly idsWith: (text: WordText, words: readonly SearchWord[]) => RawBuilder<unknown>;
}

/**
 * A write of many words leaves parts of the index. Merging them is most of its work, and may be done later, in transactions
 * of its own: until then a search reads more parts.
 */
export interface WordMerging {
  /** From this statement on, the transaction keeps its words in memory, up to a bound, and merges nothing. */
  readonly delay: (text: WordText) => RawBuilder<unknown>;
  /** Ends this before the transaction ends. */
  readonly resume: (text: WordText) => RawBuilder<unknown>;
  /** Merges some parts, which takes some 10 ms. */
  readonly mergeSome: (text: WordText) => RawBuilder<unknown>;
  /** The rows that the connection has written so far. A step that writes no more than one has found nothing to merge. */
  readonly writtenRows: RawBuilder<{ readonly written: number }>;
}

/**
 * The tables of the migrations that were made. The store and the state may be in one database: each has a table of its
 * own, and accepts the tables of the other. That of the store has the default name of Kysely.
 */
export const MIGRATION_TABLES = { store: 'kysely_migration', state: 'state_migration' } as const;

/** A dialect with the connections to one database, whose schema has not been checked yet. */
export interface OpenedDialect {
  readonly dialect: SqlDialect;
  readonly kyselyDialect: Dialect;
  /**
   * A separate connection for calls that read: they see what was committed last, while a transaction is open. Null where
   * the connections of `kyselyDialect` serve them, too.
   */
  readonly readingDialect: Dialect | null;
  /** A separate connection for migrations, with longer timeouts; null when migrations run over `kyselyDialect`. */
  readonly migrationDialect: Dialect | null;
  /** The number of calls that may run at one time. */
  readonly permits: number;
  /** False once the files of the database were removed or replaced. Always true for a server. */
  readonly isInPlace: () => boolean;
}

/**
 * `refused`: certainly not written, as when the disk is full. `uncertain`: not written, unless it happened during the
 * commit. `conflict`: undone because of another transaction, so a retry may succeed. `busy`: refused because another
 * process has locked the database, so a retry succeeds after that. `aborted`: nothing was changed, because the call had
 * no time, no connection or no client left.
 */
export interface DatabaseFailure {
  readonly kind: 'refused' | 'uncertain' | 'conflict' | 'busy' | 'aborted';
  /** The code of the error in the database or the system, for the log. */
  readonly code: string;
}

/** The type of a column. A type that ends with a question mark allows null. */
export type ColumnType = 'text' | 'text?' | 'integer' | 'integer?';

/** The types of the columns of a row, by their names. */
export type Columns = Readonly<Record<string, ColumnType>>;

interface ColumnValues {
  text: string;
  'text?': string | null;
  integer: number;
  'integer?': number | null;
}

export type RowOf<C extends Columns> = { readonly [Name in keyof C]: ColumnValues[C[Name]] };

/** The type of every column of a row, for sending rows as JSON. */
export type ColumnTypes<Row> = { readonly [Column in keyof Row & string]: ColumnType };

/** The rows as JSON, or the placeholder of rows that are given later. */
export const toJsonParameter = <Row>(rows: JsonTableOptions<Row, string>['rows']) =>
  'isRawBuilder' in rows ? rows : JSON.stringify(rows);

/** Columns hold text, whole numbers and null. */
export interface JsonTableOptions<Row, Alias> {
  readonly alias: Alias;
  readonly rows: readonly Row[] | RawBuilder<readonly Row[]>;
  readonly columns: ColumnTypes<Row>;
}

declare const rowType: unique symbol;

/** A JSON array of rows, as text: both dialects return text in the same form, and parse JSON columns differently. */
export type JsonText<Row> = string & { readonly [rowType]: Row };

export const parseJsonArray = <Row>(text: JsonText<Row>): readonly Row[] => JSON.parse(text);
