import type { Database } from '../../database/dialect.ts';
import type { Migrations } from '../../database/migrations.ts';
import { type DatabaseOptions, openDatabase, type ServingDatabase } from '../../database/open-database.ts';
import { createStateSchema } from './migrations/0001-initial.ts';
import { createSharedTables } from './migrations/0002-shared.ts';
import { addLengths } from './migrations/0003-lengths.ts';
import { addServices } from './migrations/0004-services.ts';
import type { StateTables } from './tables.ts';

/** The database of the state, as a statement or a transaction uses it. */
export type StateDatabase = Database<StateTables>;

/** The changes of the schema in their order. A released one is never changed; later changes follow it. */
const migrations: Migrations = (dialect) => ({
  '0001-initial': { up: (db) => createStateSchema(db, dialect.textType) },
  '0002-shared': { up: (db) => createSharedTables(db, dialect.textType) },
  '0003-lengths': { up: addLengths },
  '0004-services': { up: (db) => addServices(db, dialect.textType) },
});

export interface StateDatabaseOptions extends DatabaseOptions {
  readonly url: string;
  /** The setting that the URL is from. */
  readonly setting: string;
}

/** Opens the database of the state, which may also be that of the store. Throws with a message for people. */
export async function openStateDatabase({
  url,
  setting,
  ...options
}: StateDatabaseOptions): Promise<ServingDatabase<StateTables>> {
  const database = await openNamed(url, setting, options);
  for (const statement of database.dialect.eraseDeleted) await statement.execute(database.db);
  return database;
}

async function openNamed(url: string, setting: StateDatabaseOptions['setting'], options: DatabaseOptions) {
  try {
    return await openDatabase<StateTables>(url, { ...options, schema: { migrations, of: 'state', setting } });
  } catch (error) {
    if (!(error instanceof Error) || error.message.includes(setting)) throw error;
    throw new Error(`The state cannot be opened (${setting}). ${error.message}`, { cause: error });
  }
}
