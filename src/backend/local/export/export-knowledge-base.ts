import { databaseFailureOf } from '../../../database/call-context.ts';
import type { KnowledgeBaseEntries } from '../../../knowledge-base/document-text.ts';
import type { StoreDatabase } from '../tables/store-database.ts';
import { storedEntries } from './stored-entries.ts';

/**
 * Reads the whole store in one state of it, whatever is written meanwhile. `use` gets the entries page by page, and
 * reads them to the end. Throws with a message for people when the store can't be read.
 */
export async function exportKnowledgeBase<T>(
  database: StoreDatabase,
  use: (entries: KnowledgeBaseEntries) => Promise<T>,
): Promise<T> {
  try {
    return await database.db
      .transaction()
      .setAccessMode('read only')
      .execute(async (db) => use(await storedEntries({ ...database, db })));
  } catch (error) {
    const failure = databaseFailureOf(database.dialect, error);
    if (failure === null) throw error;
    throw new Error(`The store cannot be read (${failure.code}).`, { cause: error });
  }
}
