import type { AliasedRawBuilder, Expression, RawBuilder, SelectQueryBuilder } from 'kysely';
import type { ColumnTypes } from './tables.ts';

/** What SQLite and PostgreSQL do differently, as data: everything else is the same Kysely code over both. */
export interface Engine {
  /** The type of a text that sorts by its bytes, so that keys page alike on every engine and in every locale. */
  readonly text: Expression<unknown>;
  /** Statements to run once the schema of an opened database was accepted, and not before: they may write to it. */
  readonly settings: readonly RawBuilder<unknown>[];
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
  /** What an error of the engine says of the write that met it; null where it is a fault of ours. */
  readonly writeFailure: (error: unknown) => WriteFailure | null;
  /** Whether an error says that a row refers to something that is not there. */
  readonly isBrokenReference: (error: unknown) => boolean;
}

/** `refused`: surely not written, as when the disk is full. `uncertain`: so, unless it was met while committing. */
export interface WriteFailure {
  readonly kind: 'refused' | 'uncertain';
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
