import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { compileOnce } from './compile-once.ts';
import type { Database } from './dialect.ts';

type ParameterValue = string | number;

/** The place of a value in a statement that is compiled before the value is known. */
class ValuePlace {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Gives the place of a value by its name. */
export type PlaceOf<Name extends string> = <T extends ParameterValue>(name: Name) => RawBuilder<T>;

/** The values of a run by their names. A place of the statement without a value is a bug. */
type ValuesByName<Name extends string> = Readonly<Partial<Record<Name, ParameterValue | undefined>>>;

/**
 * Defines a statement whose text depends on a variant, such as the order of a list. It is built and compiled once for
 * each variant and database, and the last variants are kept. `build` knows the variant and the places of the values, so
 * that nothing else differs between two runs of a variant. The name is of this definition alone.
 *
 * @example
 * const selectNames = defineVariants('names', ({ db }: StoreDatabase, order: 'asc' | 'desc', placeOf: PlaceOf<'limit'>) =>
 *   db.selectFrom('readers').select('last_name').orderBy('last_name', order).limit(placeOf<number>('limit')).compile());
 * const names = await selectNames(database, 'asc', { limit: 10 });
 */
export function defineVariants<Tables, Variant, Name extends string, Result>(
  definition: string,
  build: (database: Database<Tables>, variant: Variant, placeOf: PlaceOf<Name>) => CompiledQuery<Result>,
) {
  const placeOf: PlaceOf<Name> = (name) => sql`${new ValuePlace(name)}`;
  return async (
    database: Database<Tables>,
    variant: Variant,
    values: ValuesByName<Name>,
  ): Promise<readonly Result[]> => {
    const key = `${definition} ${JSON.stringify(variant)}`;
    const query = compileOnce(database, { key, build }, () => build(database, variant, placeOf));
    const valueByName = new Map<string, ParameterValue | undefined>(Object.entries(values));
    const parameters = query.parameters.map((parameter) => {
      if (!(parameter instanceof ValuePlace)) return parameter;
      const value = valueByName.get(parameter.name);
      if (value === undefined)
        throw new Error(`The statement of the ${definition} has no value for ${parameter.name}.`);
      return value;
    });
    const filled: CompiledQuery<Result> = { ...query, parameters };
    return (await database.db.executeQuery(filled)).rows;
  };
}
