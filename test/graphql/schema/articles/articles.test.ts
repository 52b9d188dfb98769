import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ArticleKey } from '../../../../src/core/articles/articles.ts';
import type { Backend } from '../../../../src/core/backend.ts';
import { err } from '../../../../src/core/base/result.ts';
import { validationError } from '../../../../src/core/errors.ts';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';

interface ArticlesBody {
  readonly data: { readonly articles: { readonly nodes: readonly { readonly articleId: string }[] } };
  readonly errors?: readonly object[];
}

describe('articles of a list', () => {
  let gateway: Gateway;
  let read: ArticleKey[] = [];
  let failing: string | null = null;
  beforeAll(async () => {
    const store = await openFixtureStore();
    const backend: Backend = {
      ...store,
      articles: async (caller, keys) => {
        read.push(...keys);
        const found = await store.articles(caller, keys);
        return found.map((result, index) => {
          if (keys[index]?.articleId === failing) return err(validationError([{ path: [], message: 'No.' }]));
          // As after a write between the list and this read.
          return result.ok && result.value ? { ...result, value: { ...result.value, title: 'Written since' } } : result;
        });
      },
    };
    gateway = await startGateway({ backend, local: true, token: TOKEN });
  });
  beforeEach(() => {
    read = [];
    failing = null;
  });
  afterAll(() => gateway.close());

  const send = async (query: string) => (await gateway.send(query)).body;
  const sendForArticles = async (query: string): Promise<ArticlesBody> => JSON.parse(JSON.stringify(await send(query)));
  const LISTS = [
    ['a list', '{ articles { nodes { ... } } }'],
    ['the edges of a list', '{ articles { edges { node { ... } } } }'],
    ['a category', '{ categories(projectVersionId: "pv1") { articles { nodes { ... } } } }'],
    ['translations', '{ article(articleId: "a1") { translations { ... } } }'],
  ] as const;

  it.each(LISTS)('show title and text of one read: %s', async (_what, query) => {
    const { data, errors } = await send(query.replace('...', 'title content'));
    expect(errors).toBeUndefined();
    const titles = [...JSON.stringify(data).matchAll(/"title":"(.*?)"/gu)].map(([, title]) => title);
    expect(titles.length).toBeGreaterThan(0);
    expect(new Set(titles)).toEqual(new Set(['Written since']));
  });

  it.each([
    ['no text', '{ articles { nodes { title } } }'],
    [
      'a text that is skipped',
      'query ($text: Boolean = false) { articles { nodes { title content @include(if: $text) } } }',
    ],
    ['a text of something else', '{ articles { nodes { title category { name } } } }'],
  ])('are not read where the query selects %s', async (_what, query) => {
    expect((await send(query)).errors).toBeUndefined();
    expect(read).toEqual([]);
  });

  it('stay as they were listed where they cannot be read, and their text is an error', async () => {
    const { data } = await sendForArticles('{ articles { nodes { articleId title } } }');
    const [first] = data.articles.nodes;
    failing = first?.articleId ?? '';
    const body = await sendForArticles('{ articles { nodes { articleId title content } } }');
    expect(body.data.articles.nodes[0]).toEqual({ ...first, content: null });
    expect(body.errors).toEqual([expect.objectContaining({ path: ['articles', 'nodes', 0, 'content'] })]);
  });
});
