import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { caller, openStore, value } from '../../store.ts';

/** A text whose words are found in several steps, so that its write is one of long texts. */
const longText = (seed: number): string =>
  Array.from({ length: 20_000 }, (_, index) => `w${(index * 7 + seed * 131) % 50_021}`).join(' ');

async function openLongUpdates() {
  const { backend, database, statements } = await openStore({ databaseUrl: 'sqlite::memory:' });
  const update = (...contents: readonly string[]) =>
    backend.bulkUpdateArticles(
      caller,
      contents.map((content) => ({ articleId: 'a1', content })),
    );
  const read = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(database.db)).rows;
  const countParts = async () =>
    (await read(sql<{ parts: number }>`select count(distinct segid) as parts from article_content_words_idx`))[0]
      ?.parts;
  const settings = () => read(sql<{ k: string; v: number }>`select k, v from article_content_words_config order by k`);
  return { backend, update, statements, countParts, settings };
}

it('merges the words of long texts after their transaction, and leaves no parts to later writes', async () => {
  const { update, statements, countParts } = await openLongUpdates();
  for (let seed = 0; seed < 10; seed += 1) {
    statements.length = 0;
    expect(value(await update(longText(seed))).outcomes).toMatchObject([{ kind: 'updated' }]);
    const commit = statements.indexOf('commit');
    const isMerge = (text: string) => text.includes("('merge',");
    expect(statements.slice(0, commit).filter(isMerge)).toEqual([]);
    expect(statements.slice(commit + 1).filter((text) => /^begin|^commit/u.test(text) || isMerge(text))).toContainEqual(
      expect.stringContaining("('merge',"),
    );
    // FTS5 merges four parts and more.
    expect(await countParts()).toBeLessThanOrEqual(3);
  }
});

it('finds the words of long texts, and none of those before, once they are merged', async () => {
  const { backend, update } = await openLongUpdates();
  const find = async (word: string) => {
    const words = [{ text: word, isPrefix: false }];
    const found = value(await backend.listArticles(caller, { filter: { words } }, { limit: 5 }));
    return found?.edges.map(({ node }) => node.articleId);
  };
  for (const word of ['one', 'two', 'three', 'four', 'five', 'six']) await update(`${longText(0)} z${word}`);
  expect([await find('zsix'), await find('zfive'), await find('zone')]).toEqual([['a1'], [], []]);
});

it('lets writes of others that have waited come before it', async () => {
  const { backend, update, statements } = await openLongUpdates();
  statements.length = 0;
  const long = update(longText(1), longText(2));
  while (!statements.includes('begin immediate')) await setImmediate();
  const titles = ['One', 'Two', 'Three'];
  const others = titles.map((title) => backend.bulkUpdateArticles(caller, [{ articleId: 'b1', title }]));
  await Promise.all([long, ...others]);
  const writes = statements.flatMap((text) => /^(?:begin immediate|commit)|'merge'/u.exec(text) ?? []);
  const merge = writes.indexOf("'merge'");
  expect(writes.slice(0, merge).filter((text) => text === 'commit')).toHaveLength(1 + titles.length);
});

it('merges as before in other writes, also after a rolled back one', async () => {
  const { backend, update, settings } = await openLongUpdates();
  const unset = await settings();
  const lease = { isExpired: () => true };
  await backend.bulkUpdateArticles({ ...caller, lease }, [{ articleId: 'a1', content: longText(1) }]);
  expect(await settings()).toEqual(unset);
  await update(longText(2));
  expect(await settings()).toEqual(
    [...unset, { k: 'automerge', v: 4 }, { k: 'hashsize', v: 1_048_576 }].toSorted((a, b) => (a.k < b.k ? -1 : 1)),
  );
});
