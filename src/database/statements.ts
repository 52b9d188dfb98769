import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { type CompiledStatement, type Database, RowsParameter } from './dialect.ts';

type ParameterValue = string | number;

/** The place of a value in a statement that is compiled before the value is known. */
class ValuePlace {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The places of what a statement gets at each run. */
export interface Places<Name extends string, Row extends object = never> {
  /** The place of a value by its name. */
  readonly placeOf: <T extends ParameterValue>(name: Name) => RawBuilder<T>;
  readonly rows: RowsParameter<Row>;
}

/** What a run puts into the places. A place of the statement without a value is a bug. */
export interface PlaceValues<Row extends object> {
  /** By the names of their places. */
  readonly values?: Readonly<Record<string, ParameterValue | undefined>>;
  readonly rows?: readonly Row[];
}

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
  return (database: Database<Tables>, rows: readonly Row[] = []): Promise<readonly Result[]> => {
    const query = compileOnce(database, { key: build, build }, () => build(database, place));
    return run(database, query, (parameter) => (parameter === place ? place.toJson(rows) : parameter));
  };
}

/**
 * Defines a statement whose text depends on a variant, such as the order of a list. It is built and compiled once for
 * each variant and database, and the last variants are kept. `build` knows the variant and the places of the values, so
 * that nothing else differs between two runs of a variant. The name is of this definition alone.
 *
 * @example
 * const selectNames = defineVariants('names', ({ db }: StoreDatabase, order: 'asc' | 'desc', { placeOf }: Places<'limit'>) =>
 *   db.selectFrom('readers').select('last_name').orderBy('last_name', order).limit(placeOf<number>('limit')).compile());
 * const names = await selectNames(database, 'asc', { values: { limit: 10 } });
 */
export function defineVariants<Tables, Variant, Name extends string, Row extends object, Result>(
  definition: string,
  build: (database: Database<Tables>, variant: Variant, places: Places<Name, Row>) => CompiledQuery<Result>,
) {
  const places: Places<Name, Row> = {
    placeOf: (name) => sql`${new ValuePlace(name)}`,
    rows: new RowsParameter<Row>(),
  };
  return (
    database: Database<Tables>,
    variant: Variant,
    { values = {}, rows = [] }: PlaceValues<Row>,
  ): Promise<readonly Result[]> => {
    const key = `${definition} ${JSON.stringify(variant)}`;
    const query = compileOnce(database, { key, build }, () => build(database, variant, places));
    const valueByName = new Map<string, ParameterValue | undefined>(Object.entries(values));
    return run(database, query, (parameter) => {
      if (parameter === places.rows) return places.rows.toJson(rows);
      if (!(parameter instanceof ValuePlace)) return parameter;
      const value = valueByName.get(parameter.name);
      if (value === undefined)
        throw new Error(`The statement of the ${definition} has no value for ${parameter.name}.`);
      return value;
    });
  };
}

interface StatementDefinition {
  readonly key: object | string;
  /** The function that builds the statement, and so decides about the type of its rows. */
  readonly build: unknown;
}

/** Returns the statement of a database that was compiled under a key before, or compiles and keeps it. */
function compileOnce<Result>(
  { statements }: Pick<Database<unknown>, 'statements'>,
  { key, build }: StatementDefinition,
  compile: () => CompiledQuery<Result>,
): CompiledQuery<Result> {
  const isBuilt = (statement: CompiledStatement<unknown> | undefined): statement is CompiledStatement<Result> =>
    statement?.build === build;
  const known = statements.get(key);
  if (isBuilt(known)) return known.query;
  const query = compile();
  statements.set(key, { build, query });
  return query;
}

async function run<Tables, Result>(
  { db }: Database<Tables>,
  query: CompiledQuery<Result>,
  fill: (parameter: unknown) => unknown,
): Promise<readonly Result[]> {
  return (await db.executeQuery<Result>({ ...query, parameters: query.parameters.map(fill) })).rows;
}

interface SizeBound<T> {
  /** The sum of the sizes of a slice, unless a single item has more. */
  readonly max: number;
  readonly sizeOf: (item: T) => number;
}

/** Cuts a list into slices, each for one statement. */
export function* slicesOf<T>(
  items: readonly T[],
  maxLength: number,
  { max, sizeOf }: SizeBound<T> = { max: 0, sizeOf: () => 0 },
): Generator<readonly T[]> {
  let start = 0;
  let sum = 0;
  for (const [index, item] of items.entries()) {
    const size = sizeOf(item);
    sum += size;
    if (index === start || (index - start < maxLength && sum <= max)) continue;
    yield items.slice(start, index);
    start = index;
    sum = size;
  }
  if (start < items.length) yield start === 0 ? items : items.slice(start);
}
