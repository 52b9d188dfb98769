import type { AliasedRawBuilder, Expression, Kysely, RawBuilder, SelectQueryBuilder } from 'kysely';
import type { ColumnTypes, Tables } from '../backend/local/tables/tables.ts';

/** What SQLite and PostgreSQL do differently, as data: everything else is the same Kysely code over both. */
export interface Engine {
  /** The type of a text that sorts by its bytes, so that keys page alike on every engine and in every locale. */
  readonly text: Expression<unknown>;
  /** The names of the tables that stand where ours do, or will. */
  readonly tables: RawBuilder<{ readonly name: string }>;
  /** The schema of the database that this is, by its name; null where a database has no more than one. */
  readonly schema: RawBuilder<{ readonly name: string | null }>;
  /** 1 where the server takes no writes, as a standby does; else 0. */
  readonly isReadOnly: RawBuilder<number>;
  /** Statements to run once the schema of an opened database was accepted, and not before: they may write to it. */
  readonly settings: readonly RawBuilder<unknown>[];
  /** Statements to run once the schema is up to date: what may wait while it is made must not wait while calls are answered. */
  readonly whenServing: readonly RawBuilder<unknown>[];
  /**
   * What ends a query whose rows nobody else may change until the transaction ends; null where a transaction is the only
   * one that writes from its beginning on.
   */
  readonly rowLock: RawBuilder<unknown> | null;
  /** Whether one transaction writes at a time, so that the others wait in this process and not in a statement. */
  readonly hasOneWriter: boolean;
  /**
   * Rows that one statement of a bulk update is about at most. Where the engine runs on the event loop, others have a turn
   * between two statements, while the transaction keeps the connection.
   */
  readonly maxUpdatedRows: number;
  /** Lets one import in at a time, until its transaction ends; null as above. */
  readonly importLock: RawBuilder<unknown> | null;
  /** Checks what was inserted so far, and then each statement, for what is not there; null where only a commit does. */
  readonly checkReferences: RawBuilder<unknown> | null;
  /** Tells the engine how much there is now, so that it plans for that; null where its plans do not depend on it. */
  readonly analyze: RawBuilder<unknown> | null;
  /**
   * Rows of ours as a table, sent as one JSON parameter however many they are: an engine takes only so many parameters
   * (SQLite 32,766), and a statement of its own per row would cost a round trip each.
   */
  readonly rows: <Row extends object, Alias extends string>(
    table: RowTable<Row, Alias>,
  ) => AliasedRawBuilder<Row, Alias>;
  /** The rows of a subquery in their order, as one JSON text: how a list that hangs on a row is read with the row. */
  readonly jsonRows: <DB, TB extends keyof DB, Row>(
    query: SelectQueryBuilder<DB, TB, Row>,
  ) => RawBuilder<JsonText<Row>>;
  /** Whether a column holds a text, letter by letter: patterns have a length of their own that engines take. */
  readonly contains: (column: string, text: string) => RawBuilder<boolean>;
  /** What an error of the engine says of the call that met it; null where it is a fault of ours. */
  readonly failure: (error: unknown) => Failure | null;
  /** Closes a database once the transactions that are under way have ended. */
  readonly close: (db: Kysely<Tables>) => Promise<void>;
  /** Whether an error says that a row refers to something that is not there. */
  readonly isBrokenReference: (error: unknown) => boolean;
}

/**
 * `refused`: surely not written, as when the disk is full. `uncertain`: so, unless it was met while committing.
 * `conflict`: undone because of another transaction, so that the same again may well succeed. `busy`: the same, where
 * another process has the database, and the same again succeeds once that lets go of it. `not-begun`: the store did not fail,
 * the call had no time, no connection or no listener, and changed nothing.
 */
export interface Failure {
  readonly kind: 'refused' | 'uncertain' | 'conflict' | 'busy' | 'not-begun';
  /** The engine's own code, for the log. */
  readonly code: number | string;
}

/** Its columns hold text, whole numbers and null. */
export interface RowTable<Row, Alias> {
  readonly alias: Alias;
  readonly rows: readonly Row[];
  readonly columns: ColumnTypes<Row>;
}

declare const rowType: unique symbol;

/** A JSON array of rows as text. The same in every engine, where a parsed one would not be. */
export type JsonText<Row> = string & { readonly [rowType]: Row };

export const parseRows = <Row>(text: JsonText<Row>): readonly Row[] => JSON.parse(text);
