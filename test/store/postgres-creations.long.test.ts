import { expect, it } from 'vitest';
import type { ArticleCreation } from '../../src/core/articles/article-creations.ts';
import type { Article } from '../../src/core/articles/articles.ts';
import { parseSearchText } from '../../src/core/articles/search-words.ts';
import { STORE_ACCOUNT } from '../../src/store/knowledge-base/format.ts';
import { caller, databaseToDrop, nodesOf, openStore, present, value } from './store.ts';

const WRITES = 40;

const creation = (title: string): ArticleCreation => ({
  title,
  projectVersionId: 'pv1',
  userId: STORE_ACCOUNT.user_id,
  content: 'Text',
});

it('creates of several gateways at one time give slugs and words of their own', async () => {
  const { url: databaseUrl } = await databaseToDrop();
  const stores = [await openStore({ databaseUrl }), await openStore({ databaseUrl })];
  const results = await Promise.all(
    Array.from({ length: WRITES }, (_, n) =>
      present(stores[n % 2]).backend.createArticles(caller, [creation('Same'), creation(`Word${n}`)]),
    ),
  );
  const outcomes = results.flatMap((result) => value(result).outcomes);
  const keys = outcomes.flatMap((outcome) => (outcome.kind === 'created' ? { articleId: outcome.articleId } : []));
  expect(keys).toHaveLength(2 * WRITES);
  const { backend } = present(stores[0]);
  const articles: readonly (Article | null)[] = (await backend.articles(caller, keys)).map(value);
  expect(new Set(articles.map((article) => present(article).slug)).size).toBe(2 * WRITES);
  for (let n = 0; n < WRITES; n += 1) {
    const words = parseSearchText(`word${n}`);
    if (typeof words === 'string') throw new Error(words);
    const found = present(value(await backend.listArticles(caller, { filter: { words } }, { limit: 20 })));
    expect(nodesOf(found).map(({ title }) => title)).toContain(`Word${n}`);
  }
});
