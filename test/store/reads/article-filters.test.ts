import { describe, expect, it } from 'vitest';
import type { ArticleListRequest } from '../../../src/core/articles/articles.ts';
import { parseSearchText } from '../../../src/core/articles/search-words.ts';
import { ok } from '../../../src/core/base/result.ts';
import type { ImportedArticle } from '../../../src/store/knowledge-base/format.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, nodesOf, openStore, present, value } from '../store.ts';

const article = (articleId: string, title: string, content: string | null): ImportedArticle => ({
  ...present(smallKnowledgeBase.articles[1]),
  id: articleId,
  versions: [
    { lang_code: 'en', version_number: 1, title: 'Superseded', content: 'superseded', translation_option: null },
    { lang_code: 'en', version_number: 2, title, content, translation_option: null },
    { lang_code: 'de', version_number: 1, title: 'Deutsch', content: 'gateway', translation_option: null },
  ],
});

const articles = [
  article('accents', 'Été à Paris', 'Straße, naïve café'),
  article('chinese', '快速入门', '如何使用网关'),
  article('empty', '', null),
  article('gateway', 'The gateway', 'It forwards calls_to the service: see <b>API-keys</b>, version 2.5.'),
  article('japanese', 'テストの書き方', 'ガイド'),
  article('korean', '한국어 문서', '게이트웨이'),
  article('long', 'A'.repeat(3_000_000), 'x'.repeat(300_000)),
  article('operators', 'OR AND NOT NEAR', `"quoted" AND (foo* | bar) & !baz <-> 'it''s' ^ { } : \\ --`),
  article('other', 'Other', 'Gateways are forwarded.'),
];

async function openSearch() {
  const store = await openStore({ knowledgeBase: { ...smallKnowledgeBase, articles } });
  const find = async (text: string, request: ArticleListRequest = {}) => {
    const words = parseSearchText(text);
    if (typeof words === 'string') throw new Error(words);
    const listed = await store.backend.listArticles(
      caller,
      { ...request, filter: { words, ...request.filter } },
      { limit: 20 },
    );
    const page = present(value(listed));
    expect(await page.totalCount?.()).toEqual(ok(page.edges.length));
    return nodesOf(page).map(({ articleId }) => articleId);
  };
  return { ...store, find };
}

describe('the search for text', () => {
  it.each<[string, readonly string[]]>([
    ['gateway', ['gateway', 'other']],
    ['GATE', ['gateway', 'other']],
    ['forward gateway', ['gateway', 'other']],
    ['forwards the', ['gateway']],
    ['to', ['gateway']],
    ['ateway', []],
    ['ga', []],
    ['gat', ['gateway', 'other']],
    ['한', ['korean']],
    ['api keys', ['gateway']],
    ['api-keys', ['gateway']],
    ['2.5', ['gateway']],
    ['superseded', []],
    ['ete', ['accents']],
    ['ÉTÉ', ['accents']],
    ['naive cafe', ['accents']],
    ['straße', ['accents']],
    ['入门', ['chinese']],
    ['网关', ['chinese']],
    ['テスト', ['japanese']],
    ['ガイド', ['japanese']],
    ['か', []],
    ['한국', ['korean']],
    ['or', ['operators']],
    ['foo* OR bar', ['operators']],
    ['quoted" OR "x', []],
    ['"quoted" AND foo', ['operators']],
    ["it's", ['operators']],
    ["x' & y", []],
    ['NOT gateway', []],
    ['title:gateway', []],
    ['A'.repeat(60), ['long']],
  ])('finds for %s: %j', async (text, expected) => {
    const { find } = await openSearch();
    expect(await find(text)).toEqual(expected);
  });

  it('goes with the other filters, orders, languages and categories', async () => {
    const { backend, find } = await openSearch();
    value(await backend.bulkUpdateArticles(caller, [{ articleId: 'gateway', hidden: true }]));
    expect(await find('gateway', { orderBy: 'TITLE' })).toEqual(['other', 'gateway']);
    expect(await find('gateway', { orderBy: 'MODIFIED_AT_DESC' })).toEqual(['gateway', 'other']);
    expect(await find('gateway', { filter: { hidden: true } })).toEqual(['gateway']);
    expect(await find('gateway', { languageCode: 'de' })).toHaveLength(articles.length);
    expect(await find('gateway', { categoryId: 'guides' })).toEqual(['gateway', 'other']);
    expect(await find('gateway', { categoryId: 'bits' })).toEqual([]);
  });

  it('finds what a bulk update writes, of latest versions alone, and no longer what it replaces', async () => {
    const { backend, find } = await openSearch();
    const written = await backend.bulkUpdateArticles(caller, [
      { articleId: 'gateway', title: 'Portal' },
      { articleId: 'other', content: 'Ersetzt' },
      { articleId: 'other', title: 'Zwei' },
      { articleId: 'empty', content: 'Now filled' },
      { articleId: 'chinese', versionNumber: 1, title: 'Portal' },
      { articleId: 'japanese', content: 'Portal', categoryId: 'nowhere' },
    ]);
    expect(
      value(written)
        .outcomes.map(({ kind }) => kind)
        .at(-1),
    ).toBe('failed');
    expect(await find('portal')).toEqual(['gateway']);
    expect(await find('gateway')).toEqual([]);
    expect(await find('forwards')).toEqual(['gateway']);
    expect(await find('zwei ersetzt')).toEqual(['other']);
    expect(await find('filled')).toEqual(['empty']);
  });

  const TITLES = [
    '如何在家庭网络中安全地配置您的智能照明集线器',
    'スマートホームの照明ハブを家庭のネットワークに安全に接続する方法',
    '스마트 홈 조명 허브를 가정 네트워크에 안전하게 연결하는 방법과 그 밖의 여러 가지 쓸모 있는 도움말',
    'How to pair a lamp with the hub and what to do when it does not answer any more',
    'Πώς να συνδέσετε έναν λαμπτήρα με τον διανομέα και τι να κάνετε όταν δεν απαντά πια',
    'วิธีเชื่อมต่อหลอดไฟกับฮับอัจฉริยะในบ้านของคุณอย่างปลอดภัย',
    '𠮷野家の照明'.repeat(12),
    Array.from({ length: 150 }, (_, index) => String.fromCodePoint(0x4e00 + index))
      .join('')
      .repeat(2),
    Array.from({ length: 150 }, (_, index) => (index % 36).toString(36)).join(' '),
  ];

  it.each(TITLES)('finds an article by its whole title, in any language: %s', async (title) => {
    const titled = [...TITLES, title.slice(0, -3)].map((one, index) => article(`t${index}`, one, 'text'));
    const store = await openStore({ knowledgeBase: { ...smallKnowledgeBase, articles: [...articles, ...titled] } });
    const words = parseSearchText(title);
    if (typeof words === 'string') throw new Error(words);
    const page = present(value(await store.backend.listArticles(caller, { filter: { words } }, { limit: 20 })));
    expect(nodesOf(page).map(({ articleId }) => articleId)).toContain(`t${TITLES.indexOf(title)}`);
  });

  it('looks for more than ten words in one text', async () => {
    const { find } = await openSearch();
    expect(await find('it forwards calls_to the service see b api keys version 2')).toEqual(['gateway']);
    expect(await find('the gateway it forwards calls_to the service see b api keys')).toEqual([]);
  });

  it('pages through what it finds', async () => {
    const { backend } = await openSearch();
    const filter = { words: [{ text: 'gateway', isPrefix: true }] };
    const first = present(value(await backend.listArticles(caller, { filter }, { limit: 1 })));
    expect(first).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const after = present(first.edges.at(-1)).cursor;
    const second = present(value(await backend.listArticles(caller, { filter }, { limit: 1, after })));
    expect(nodesOf(second)).toMatchObject([{ articleId: 'other' }]);
    expect(second).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });
});

describe('a text to search for', () => {
  it.each([
    ['', /letter or a digit/u],
    [' -- * "" ', /letter or a digit/u],
    ['a'.repeat(301), /at most 300 characters; it has 301/u],
  ])('is refused when it is %j', (text, problem) => {
    expect(parseSearchText(text)).toMatch(problem);
  });
});
