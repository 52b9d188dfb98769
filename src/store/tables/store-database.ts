import {
  checkDatabaseFile,
  type DatabaseOptions,
  openDatabase,
  type ServingDatabase,
} from '../database/open-database.ts';
import { migrations } from './migrations.ts';
import type { Tables } from './tables.ts';

interface StoreDatabaseOptions extends DatabaseOptions {
  /** The name of the URL's setting in messages. */
  readonly setting?: string;
}

/** Opens the database of the store and brings its schema up to date. Throws with a message for people when it can't. */
export const openStoreDatabase = (
  url: string,
  { setting = 'DATABASE_URL', ...options }: StoreDatabaseOptions = {},
): Promise<ServingDatabase<Tables>> =>
  openDatabase<Tables>(url, { ...options, schema: { migrations, of: 'store', setting } });

/** Throws with a message for people where the file of the store cannot be used. */
export const checkStoreFile = (url: string): Promise<void> => checkDatabaseFile(url);
