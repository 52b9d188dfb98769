import type { CompiledQuery } from 'kysely';
import { compileOnce } from './compile-once.ts';
import type { Database } from './dialect.ts';
import { RowsParameter } from './rows-parameter.ts';

/**
 * Defines a statement over rows, which is built and compiled once for each database: Kysely takes longer for it than
 * SQLite for reading some rows. The rows take the place of `rows` at each run. Nothing else may differ between two runs.
 * A statement without rows leaves them out.
 *
 * @example
 * const selectNames = defineStatement(({ db, dialect }: StoreDatabase, rows: RowsParameter<{ id: string }>) =>
 *   db.selectFrom(dialect.jsonTable({ alias: 'k', rows, columns: { id: 'text' } })).select('k.id').compile());
 * const names = await selectNames(database, [{ id: 'a1' }]);
 */
export function defineStatement<Tables, Row extends object, Result>(
  build: (database: Database<Tables>, rows: RowsParameter<Row>) => CompiledQuery<Result>,
) {
  const place = new RowsParameter<Row>();
  return async (database: Database<Tables>, rows: readonly Row[] = []): Promise<readonly Result[]> => {
    const query = compileOnce(database, { key: build, build }, () => build(database, place));
    const parameters = query.parameters.map((value) => (value === place ? place.toJson(rows) : value));
    const filled: CompiledQuery<Result> = { ...query, parameters };
    return (await database.db.executeQuery(filled)).rows;
  };
}
