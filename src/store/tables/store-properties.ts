import type { StoreDatabase } from './tables.ts';

/**
 * `source`: where the imported content comes from. `demo_dropped`: set where an earlier version has removed the demo for
 * good. `id`: what plans of folders name the store by.
 */
type StoreProperty = 'source' | 'demo_dropped' | 'id';

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
