import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { KnowledgeBase } from '../../src/store/knowledge-base/format.ts';
import { caller, databaseToDrop, openStore, value } from './store.ts';

const WRITERS = 4;
const ROUNDS = 20;
const ARTICLES = 100;
const GROUPS = 3;

const count = <T>(length: number, of: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => of(index));

const readerIds = count(WRITERS, (n) => count(ROUNDS, (round) => `reader-${n}-${round}`)).flat();

const knowledgeBase: KnowledgeBase = {
  project_versions: [{ id: 'pv', name: 'v1', is_default: true }],
  languages: [{ project_version_id: 'pv', code: 'en', name: 'English', is_default: true }],
  categories: [],
  team_accounts: [],
  articles: count(ARTICLES, (index) => ({
    id: `article-${index}`,
    project_version_id: 'pv',
    category_id: null,
    slug: null,
    order: null,
    hidden: false,
    content_type: 'markdown',
    versions: [{ lang_code: 'en', version_number: 1, title: 'Before', content: 'Text', translation_option: null }],
  })),
  readers: readerIds.map((readerId) => ({ reader_id: readerId, first_name: null, last_name: null, email: null })),
  invited_sso_users: [],
  reader_groups: count(GROUPS, (index) => ({
    groupId: `group-${index}`,
    title: 'Before',
    description: null,
    readerIds: [],
    invitedSsoUserIds: [],
    accessScope: { level: 'NONE' },
  })),
};

/** Starts a writer that waits. `begin` runs it and returns the number of its outcomes by kind. */
async function startWriter(databaseUrl: string, n: number): Promise<{ begin: () => Promise<unknown> }> {
  const script = fileURLToPath(new URL('./concurrent-writer.ts', import.meta.url));
  const args = [script, databaseUrl, ...[n, ARTICLES, GROUPS, ROUNDS].map(String)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  return {
    begin: async () => {
      child.stdin.write('go\n');
      const counts: unknown = JSON.parse(`${(await lines.next()).value}`);
      expect(await ended).toEqual([0, null]);
      return counts;
    },
  };
}

describe('four processes that write to the same rows of one database', () => {
  it('lose no update and never deadlock', async () => {
    // PostgreSQL counts the deadlocks of a database: in a shared one those of other tests, too.
    const { url: databaseUrl } = await databaseToDrop();
    const { backend, database } = await openStore({ databaseUrl, knowledgeBase });
    const writers = await Promise.all(count(WRITERS, (n) => startWriter(databaseUrl, n)));
    const outcomes = await Promise.all(writers.map(({ begin }) => begin()));
    const expected = { updated: ROUNDS * ARTICLES, changed: ROUNDS * GROUPS, renamed: ROUNDS };
    expect(outcomes).toEqual(count(WRITERS, () => expected));

    const versions = await database.db.selectFrom('article_versions').selectAll().execute();
    const articles = await database.db.selectFrom('articles').selectAll().execute();
    // The last bulk update was applied as a whole, next to the members that the other writers alone have written.
    expect(new Set(versions.map(({ title }) => title)).size).toBe(1);
    expect(versions[0]?.title).toMatch(new RegExp(`^Writer \\d, round ${ROUNDS - 1}$`, 'u'));
    const last = ROUNDS - 1;
    const texts = { content: `Content ${last}`, source: `Source ${last}`, translation_status: 'TRANSLATED' };
    for (const version of versions) expect(version).toMatchObject(texts);
    for (const article of articles) expect(article.position).toBe(ROUNDS);

    // Every reader was added once; the next round removed those of odd rounds.
    const kept = readerIds.filter((id) => Number(id.split('-')[2]) % 2 === 0 || id.endsWith(`-${last}`));
    const found = await backend.readerGroups(
      caller,
      count(GROUPS, (index) => `group-${index}`),
    );
    for (const group of found.map(value)) {
      expect(group?.readerIds.toSorted()).toEqual(kept.toSorted());
      expect(group).toMatchObject({ accessScope: { level: 'PROJECT' }, title: expect.stringMatching(/^Writer \d$/u) });
    }

    const { rows } = await sql<{ deadlocks: number }>`
      select deadlocks from pg_stat_database where datname = current_database()
    `.execute(database.db);
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });
});
