import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { documentText } from '../knowledge-base/document.ts';
import { insertRows } from '../tables/rows.ts';
import { addProperty, readProperty } from '../tables/store-properties.ts';
import { STORE_ACCOUNT_ROW, type StoreDatabase, TABLE_COLUMNS } from '../tables/tables.ts';
import { storedEntries } from './export-knowledge-base.ts';

/** The fate of the demo. `changed`: it is still there, since somebody wrote to it. `absent`: there was none to replace. */
export type DemoRemoval = 'removed' | 'changed' | 'absent';

/** Stores a fingerprint of the demo, so that an import can find out whether it was written to since. */
export async function rememberDemo(transaction: StoreDatabase): Promise<void> {
  await addProperty(transaction, 'demo', await fingerprintOf(transaction));
}

/** Empties the store when it has only a demo, of any version, that was never written to. */
export async function removeUntouchedDemo(transaction: StoreDatabase): Promise<DemoRemoval> {
  const { db, dialect } = transaction;
  const fingerprint = await readProperty(transaction, 'demo');
  if (fingerprint === null) return 'absent';
  // Every write begins with locks on rows of these tables, so that none can change the demo between the check and the
  // removal.
  await dialect.lockRowsOf?.(['articles', 'reader_groups']).execute(db);
  if ((await wasArticleWritten(transaction)) || (await fingerprintOf(transaction)) !== fingerprint) return 'changed';
  // Foreign keys are checked later, so the order does not matter.
  for (const table of Object.keys(TABLE_COLUMNS)) await sql`delete from ${sql.table(table)}`.execute(db);
  await insertRows(transaction, 'team_accounts', [STORE_ACCOUNT_ROW]);
  return 'removed';
}

async function wasArticleWritten({ db }: StoreDatabase): Promise<boolean> {
  const written = db.selectFrom('article_versions').select('article_id').where('modified_at', 'is not', null);
  return (await written.limit(1).executeTakeFirst()) !== undefined;
}

/** The length of a document that is larger than any demo, in characters. A large store is not read to the end. */
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
