import type { CompiledQuery } from 'kysely';
import type { Database } from './dialect.ts';

/** The place of rows in a statement that is compiled before they are known. */
export class RowsParameter<Row extends object> {
  /** The rows as the dialects read them. */
  toJson(rows: readonly Row[]): string {
    return JSON.stringify(rows);
  }
}

/** Rows as JSON, or the place of rows that are given later. */
export const toJsonParameter = <Row extends object>(rows: readonly Row[] | RowsParameter<Row>) =>
  rows instanceof RowsParameter ? rows : JSON.stringify(rows);

/** Statements that were compiled for one database, by the functions that build them. */
export type CompiledStatements = Map<unknown, CompiledStatement<unknown>>;

interface CompiledStatement<Result> {
  readonly build: unknown;
  readonly query: CompiledQuery<Result>;
}

/**
 * Defines a statement over rows, which is built and compiled once for each database: Kysely takes longer for it than
 * SQLite for reading some rows. The rows take the place of `rows` at each run.
 *
 * @example
 * const selectNames = defineStatement(({ db, dialect }: StoreDatabase, rows: RowsParameter<{ id: string }>) =>
 *   db.selectFrom(dialect.jsonTable({ alias: 'k', rows, columns: { id: 'text' } })).select('k.id').compile());
 * const names = await selectNames(database, [{ id: 'a1' }]);
 */
export function defineStatement<Tables, Row extends object, Result>(
  build: (database: Database<Tables>, rows: RowsParameter<Row>) => CompiledQuery<Result>,
) {
  const isBuilt = (statement: CompiledStatement<unknown> | undefined): statement is CompiledStatement<Result> =>
    statement?.build === build;
  return async (database: Database<Tables>, rows: readonly Row[]): Promise<readonly Result[]> => {
    const { db, statements } = database;
    const known = statements.get(build);
    const slot = new RowsParameter<Row>();
    const statement = isBuilt(known) ? known : { build, query: build(database, slot) };
    statements.set(build, statement);
    const { query } = statement;
    const parameters = query.parameters.map((value) => (value instanceof RowsParameter ? slot.toJson(rows) : value));
    const filled: CompiledQuery<Result> = { ...query, parameters };
    return (await db.executeQuery(filled)).rows;
  };
}
