import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { documentText } from '../../../../knowledge-base/document-text.ts';
import { storedEntries } from '../../export/stored-entries.ts';
import type { StoreDatabase } from '../../tables/store-database.ts';
import { addProperty, readProperty } from '../../tables/store-properties.ts';
import { TABLE_COLUMNS } from '../../tables/tables.ts';

/**
 * The fate of the demo. `changed`: it is still there, because somebody wrote to it. `absent`: there is none, or
 * nothing to import in its place.
 */
export type DemoRemoval = 'removed' | 'changed' | 'absent';

/** Marks what the store holds as the demo, so that an import can tell whether it was written to since. */
export async function markDemo(transaction: StoreDatabase): Promise<void> {
  await addProperty(transaction, 'demo', await fingerprintOf(transaction));
}

/** Empties the store when it holds nothing but a demo that was never written to, be it of an older version. */
export async function removeUntouchedDemo(transaction: StoreDatabase): Promise<DemoRemoval> {
  const { db, dialect } = transaction;
  const fingerprint = await readProperty(transaction, 'demo');
  if (fingerprint === null) return 'absent';
  // Every write begins with locks on rows of these tables: none may change the demo between the check and the removal.
  await dialect.lockRowsOf?.(['articles', 'reader_groups']).execute(db);
  if ((await wasArticleWritten(transaction)) || (await fingerprintOf(transaction)) !== fingerprint) return 'changed';
  // Foreign keys are checked later, so the order does not matter.
  for (const table of Object.keys(TABLE_COLUMNS)) await sql`delete from ${sql.table(table)}`.execute(db);
  return 'removed';
}

async function wasArticleWritten({ db }: StoreDatabase): Promise<boolean> {
  const written = db.selectFrom('article_versions').select('article_id').where('modified_at', 'is not', null);
  return (await written.limit(1).executeTakeFirst()) !== undefined;
}

/** The characters of a document from which on it is no demo. A store to which much was imported is not read whole. */
const MAX_DEMO_LENGTH = 1_000_000;

/**
 * A hash of all entries, or '' when they are more than any demo has. It does not depend on the tables, so that later
 * migrations do not change it.
 */
async function fingerprintOf(database: StoreDatabase): Promise<string> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const piece of documentText(await storedEntries(database))) {
    hash.update(piece);
    length += piece.length;
    if (length > MAX_DEMO_LENGTH) return '';
  }
  return hash.digest('hex');
}
