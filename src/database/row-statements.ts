import type { CompiledQuery } from 'kysely';
import type { CompiledStatement, Database } from './dialect.ts';
import { RowsParameter } from './rows-parameter.ts';

/**
 * Defines a statement over rows, which is built and compiled once for each database: Kysely takes longer for it than
 * SQLite for reading some rows. The rows take the place of `rows` at each run. Nothing else may differ between two runs.
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
    const place = new RowsParameter<Row>();
    const statement = isBuilt(known) ? known : { build, query: build(database, place) };
    statements.set(build, statement);
    const { query } = statement;
    const parameters = query.parameters.map((value) => (value instanceof RowsParameter ? place.toJson(rows) : value));
    const filled: CompiledQuery<Result> = { ...query, parameters };
    return (await db.executeQuery(filled)).rows;
  };
}
