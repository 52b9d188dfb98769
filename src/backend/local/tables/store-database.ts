import type { Database } from '../../../database/dialect.ts';
import type { Migrations } from '../../../database/migrations.ts';
import {
  checkDatabaseFile,
  type DatabaseOptions,
  openDatabase,
  type ServingDatabase,
} from '../../../database/open-database.ts';
import { createInitialSchema } from './migrations/0001-initial.ts';
import { addStoreProperties } from './migrations/0002-store-properties.ts';
import { addSlugIndex } from './migrations/0003-article-slugs.ts';
import { addListColumns } from './migrations/0004-article-lists.ts';
import { addArticleWords } from './migrations/0006-article-words.ts';
import { boundWords } from './migrations/0007-bounded-words.ts';
import type { Tables } from './tables.ts';

/** The database of the store, as a call or a transaction uses it. */
export type StoreDatabase = Database<Tables>;

/** The changes of the schema in their order. A released one is never changed; later changes follow it. */
const migrations: Migrations = (dialect) => ({
  '0001-initial': { up: (db) => createInitialSchema(db, dialect.textType) },
  '0002-store-properties': { up: (db) => addStoreProperties(db, dialect.textType) },
  '0003-article-slugs': { up: addSlugIndex },
  '0004-article-lists': { up: (db) => addListColumns(db, dialect) },
  // Its index of words was slow to write. The next one has another.
  '0005-article-words': { up: async () => {} },
  '0006-article-words': { up: (db) => addArticleWords(db, dialect) },
  '0007-bounded-words': { up: (db) => boundWords(db, dialect) },
});

/** Opens the database of the store and brings its schema up to date. Throws with a message for people when it can't. */
export const openStoreDatabase = (url: string, options: DatabaseOptions = {}): Promise<ServingDatabase<Tables>> =>
  openDatabase<Tables>(url, { ...options, schema: { migrations, of: 'store', setting: 'DATABASE_URL' } });

/** Throws with a message for people where the file of the store cannot be used. */
export const checkStoreFile = (url: string): Promise<void> => checkDatabaseFile(url);
