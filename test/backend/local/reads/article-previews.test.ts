import { expect, it } from 'vitest';
import { caller, openStore, value } from '../store.ts';

const EXTENT = { withText: false, callsPerArticle: 0 };

it('reads the article of each update whole, in their order, each article once', async () => {
  const { backend, counted } = await openStore();
  const updates = [
    { articleId: 'a1', title: 'New' },
    { articleId: 'nobody', title: 'New' },
    { articleId: 'a1', languageCode: 'de', hidden: true },
    { articleId: 'a1', languageCode: null, versionNumber: null, content: 'New' },
    { articleId: 'a1', versionNumber: 1 },
  ];
  const { value: result, statements } = await counted(() => backend.articlesOfUpdates(caller, updates, EXTENT));
  const read = value(result);
  expect(read).toMatchObject([
    { title: 'a1 en 2', content: 'Text of a1 en 2', pinned: false },
    null,
    { title: 'a1 de 1' },
    { title: 'a1 en 2' },
    { title: 'a1 en 1', pinned: true },
  ]);
  expect(read[3]).toBe(read[0]);
  expect(statements).toHaveLength(1);
});

it('reads a thousand articles with one statement', async () => {
  const { backend, counted } = await openStore();
  const updates = Array.from({ length: 2_500 }, (_, index) => ({
    articleId: index === 2_400 ? 'a1' : `none ${index}`,
  }));
  const twice = [...updates, ...updates];
  const { value: result, statements } = await counted(() => backend.articlesOfUpdates(caller, twice, EXTENT));
  const read = value(result);
  expect(read.flatMap((article, index) => (article ? [index] : []))).toEqual([2_400, 4_900]);
  expect(statements).toHaveLength(3);
});
