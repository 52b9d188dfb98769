import type { StoreDatabase } from './tables.ts';

/** `source`: where the imported content comes from. `id`: what plans of folders name the store by. */
type StoreProperty = 'source' | 'id';

/** The value of a property; null when it is not set. */
export async function readProperty({ db }: StoreDatabase, name: StoreProperty): Promise<string | null> {
  const row = await db.selectFrom('store_properties').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? null;
}

/** Sets a property that is not set yet. */
export async function addProperty({ db }: StoreDatabase, name: StoreProperty, value: string): Promise<void> {
  await db
    .insertInto('store_properties')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
