import { createHash } from 'node:crypto';
import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';
import { toPrintable } from '../../core/base/printable.ts';
import { documentText } from '../knowledge-base/document.ts';
import type { KnowledgeBase } from '../knowledge-base/format.ts';
import { insertRows } from '../tables/rows.ts';
import { addProperty, readProperty, removeProperty } from '../tables/store-properties.ts';
import { authorsTable, STORE_ACCOUNT_ROW, type StoreDatabase, TABLE_COLUMNS } from '../tables/tables.ts';
import { readDefaultVersion, replaceDefaultVersion } from './add-knowledge-base.ts';
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

/**
 * Removes the demo in the transaction of the caller, and records that, so that no start adds it again. `changed`: later
 * writes to it were removed as well. Throws with a message for people where other entries refer to it.
 */
export async function removeDemo(transaction: StoreDatabase, demo: KnowledgeBase): Promise<DemoRemoval> {
  const removal = await removeUntouchedDemo(transaction);
  // An import removes the fingerprint of a changed demo, so that such a demo is recognized by its project versions.
  const removed = removal === 'removed' || (await removeEntries(transaction, demo));
  await removeProperty(transaction, 'demo');
  await addProperty(transaction, 'demo_dropped', 'true');
  if (!removed) return 'absent';
  return removal === 'removed' ? 'removed' : 'changed';
}

const listOf = (ids: readonly string[]) => sql`(${sql.join(ids)})`;

/** Removes the entries with the IDs of the demo. Returns false, without effect, where its project versions are missing. */
async function removeEntries(transaction: StoreDatabase, demo: KnowledgeBase): Promise<boolean> {
  const { db, dialect } = transaction;
  await dialect.lockRowsOf?.(['articles', 'reader_groups']).execute(db);
  const versionIds = demo.project_versions.map(({ id }) => id);
  const found = await db.selectFrom('project_versions').select('id').where('id', 'in', versionIds).execute();
  if (found.length === 0) return false;
  const versions = listOf(versionIds);
  const ofDemo = listOf(demo.articles.map(({ id }) => id));
  const articles = sql`(select id from articles where id in ${ofDemo} and project_version_id in ${versions})`;
  const categories = listOf(demo.categories.map(({ id }) => id));
  const codes = listOf(demo.languages.map(({ code }) => code));
  const accounts = demo.team_accounts.map(({ user_id: id }) => ({ id }));
  const gone = dialect.jsonTable({ alias: 'gone', rows: accounts, columns: { id: 'text' } });
  const readers = listOf(demo.readers.map(({ reader_id }) => reader_id));
  const invited = listOf(demo.invited_sso_users.map(({ invitation_id }) => invitation_id));
  const groups = listOf(demo.reader_groups.map(({ groupId }) => groupId));
  // Foreign keys are checked later. The tables that identify the articles of the demo come last.
  for (const entries of [
    sql`article_words where article_id in ${articles}`,
    sql`article_versions where article_id in ${articles}`,
    sql`article_translations where article_id in ${articles}`,
    sql`articles where id in ${articles}`,
    sql`categories where id in ${categories} and project_version_id in ${versions}`,
    sql`languages where code in ${codes} and project_version_id in ${versions}`,
    sql`reader_group_readers where group_id in ${groups}`,
    sql`reader_group_invited_sso_users where group_id in ${groups}`,
    sql`reader_group_scopes where group_id in ${groups}`,
    sql`reader_groups where id in ${groups}`,
    sql`team_accounts where id in (select id from ${gone})`,
    sql`readers where id in ${readers}`,
    sql`invited_sso_users where id in ${invited}`,
    sql`project_versions where id in ${versions}`,
  ]) {
    await sql`delete from ${entries}`.execute(db);
  }
  await refuseReferences(transaction, { versions, gone, readers, invited });
  if ((await readDefaultVersion(transaction)) === null) {
    const left = await db.selectFrom('project_versions').select('id').orderBy('position').limit(1).execute();
    await replaceDefaultVersion(
      transaction,
      left.map((version) => ({ ...version, is_default: true })),
    );
  }
  return true;
}

/** The most references that a message lists. */
const MAX_REFERENCES = 20;

interface DemoIds extends Readonly<Record<'versions' | 'readers' | 'invited', RawBuilder<unknown>>> {
  /** The team accounts as a table. */
  readonly gone: AliasedRawBuilder<{ readonly id: string }, 'gone'>;
}

/** Throws where remaining entries refer to removed ones. Those with categories or languages name their version, too. */
async function refuseReferences({ db, dialect }: StoreDatabase, ids: DemoIds): Promise<void> {
  const { versions, gone, readers, invited } = ids;
  const inVersion = sql`'project version' as kind, project_version_id as id`;
  const ofVersions = sql`where project_version_id in ${versions}`;
  const { rows } = await sql<{ entry: string; entry_id: string; kind: string; id: string }>`
    select 'language' as entry, code as entry_id, ${inVersion} from languages ${ofVersions}
    union select 'category', id, ${inVersion} from categories ${ofVersions}
    union select 'article', id, ${inVersion} from articles ${ofVersions}
    union select 'article', v.article_id, 'team account', gone.id from article_versions as v, ${gone}
      where v.created_by = gone.id or exists (select 1 from ${authorsTable(dialect)} where author.id = gone.id)
    union select 'reader group', group_id, ${inVersion} from reader_group_scopes ${ofVersions}
    union select 'reader group', group_id, 'reader', reader_id from reader_group_readers where reader_id in ${readers}
    union select 'reader group', group_id, 'invitation', invited_sso_user_id from reader_group_invited_sso_users
      where invited_sso_user_id in ${invited}
    order by 1, 2, 3, 4 limit ${sql.lit(MAX_REFERENCES + 1)}
  `.execute(db);
  if (rows.length === 0) return;
  const lines = rows
    .slice(0, MAX_REFERENCES)
    .map(({ entry, entry_id, kind, id }) => toPrintable(`the ${entry} ${entry_id} refers to the ${kind} ${id}`));
  const more = rows.length > MAX_REFERENCES ? ['and more'] : [];
  throw new Error(['Nothing was removed, because other entries refer to the demo:', ...lines, ...more].join('\n'));
}
