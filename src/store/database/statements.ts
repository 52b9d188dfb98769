import { type CompiledQuery, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database } from './dialect.ts';

/** The placeholder of a value in a statement that is compiled before the value is known. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The placeholders of the values that a statement gets at each run. Rows are one value. */
export interface Places<Values> {
  readonly placeOf: <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;
}

export interface StatementBuilder<Result> {
  compile(db: QueryExecutorProvider): CompiledQuery<Result>;
}

/** The most variants of a statement that are kept, the recently used ones: filters of lists make many. */
const MAX_VARIANTS = 300;

/**
 * Defines a statement, which is built and compiled once for each database and variant: Kysely takes longer for it than
 * SQLite for reading some rows. `build` knows the places of the values and the variant, such as the order of a list, so that
 * nothing else differs between two runs. A statement without variants leaves it out.
 *
 * @example
 * const selectNames = defineStatement(
 *   ({ db }: StoreDatabase, { placeOf }: Places<{ limit: number }>, order: 'asc' | 'desc') =>
 *     db.selectFrom('readers').select('last_name').orderBy('last_name', order).limit(placeOf('limit')),
 * );
 * const names = await selectNames(database, { limit: 10 }, 'asc');
 */
export function defineStatement<Tables, Values extends object, Result, Variant = void>(
  build: (database: Database<Tables>, places: Places<Values>, variant: Variant) => StatementBuilder<Result>,
) {
  const places: Places<Values> = { placeOf: (name) => sql`${new Place(name)}` };
  return async (database: Database<Tables>, values: Values, variant: Variant): Promise<readonly Result[]> => {
    const { db, statements } = database;
    const key = variant === undefined ? '' : JSON.stringify(variant);
    let query = statements.get(build)?.get(key);
    if (query === undefined) {
      query = build(database, places, variant).compile(db);
      const variants = statements.get(build) ?? new LRUCache<string, CompiledQuery>({ max: MAX_VARIANTS });
      statements.set(build, variants.set(key, query));
    }
    const parameters = query.parameters.map((given) => (given instanceof Place ? parameterAt(given, values) : given));
    return (await db.executeQuery<Result>({ ...query, parameters })).rows;
  };
}

/** A placeholder without a value is a bug. */
function parameterAt({ name }: Place, values: object): unknown {
  const value: unknown = Reflect.get(values, name);
  if (value === undefined) throw new Error(`The statement has no value for ${name}.`);
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

interface SizeBound<T> {
  /** The largest sum of sizes of a slice. A larger single item is a slice of its own. */
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
