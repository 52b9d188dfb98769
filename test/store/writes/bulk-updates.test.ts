import { describe, expect, it } from 'vitest';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import type { ArticleUpdateItem } from '../../../src/core/articles/forks.ts';
import { parseSearchText } from '../../../src/core/articles/search-words.ts';
import { STORE_ACCOUNT } from '../../../src/store/knowledge-base/format.ts';
import { caller, nodesOf, only, openStore, present, value } from '../store.ts';

async function openUpdates() {
  const store = await openStore();
  const { backend } = store;
  const update = async (...updates: readonly ArticleUpdateItem[]) =>
    value(await backend.bulkUpdateArticles(caller, updates));
  const read = async (articleId: string, languageCode?: string, versionNumber?: number) =>
    present(await only(backend.articles(caller, [{ articleId, languageCode, versionNumber }])));
  /** All rows that a bulk update can change. */
  const everything = async () => ({
    articles: await store.database.db.selectFrom('articles').selectAll().orderBy('id').execute(),
    versions: await store.database.db.selectFrom('article_versions').selectAll().orderBy('title').execute(),
  });
  return { ...store, update, read, everything };
}

describe('bulkUpdateArticles', () => {
  it('fails an item whose title has more than 10,000 characters, which every list would read', async () => {
    const { update, read } = await openUpdates();
    const { outcomes } = await update(
      { articleId: 'a1', title: 't'.repeat(10_001) },
      { articleId: 'a2', title: 't'.repeat(10_000) },
    );
    expect(outcomes).toMatchObject([
      { kind: 'failed', details: 'The article a1 was not updated: the title must have at most 10000 characters.' },
      { kind: 'updated' },
    ]);
    expect((await read('a1')).title).toBe('a1 en 2');
  });

  it('changes the members of an item and nothing else', async () => {
    const { update, read, everything } = await openUpdates();
    const before = await everything();
    const result = await update({
      articleId: 'a1',
      title: 'New title',
      content: 'New content',
      categoryId: 'basics',
      hidden: true,
      translationStatus: 'NEEDS_TRANSLATION',
      source: 'a test',
      order: 9,
    });
    expect(result).toEqual({
      outcomes: [{ kind: 'updated', articleId: 'a1', details: 'The article a1 was updated.' }],
      serviceErrors: [],
      warnings: [],
      information: [],
      extensionData: null,
    });
    expect(await read('a1')).toMatchObject({
      title: 'New title',
      content: 'New content',
      categoryId: 'basics',
      hidden: true,
      translationStatus: 'NEEDS_TRANSLATION',
      order: 9,
      versionNumber: 2,
    });
    const after = await everything();
    const others = ({ articles, versions }: typeof after) => ({
      articles: articles.filter(({ id }) => id !== 'a1'),
      versions: versions.filter(({ title }) => title !== 'a1 en 2' && title !== 'New title'),
    });
    expect(others(after)).toEqual(others(before));
    expect(after.versions).toContainEqual(expect.objectContaining({ title: 'New title', source: 'a test' }));
  });

  it.each<[string, ArticleUpdate, [articleId: string, languageCode?: string, versionNumber?: number]]>([
    ['the latest version in the default language', { articleId: 'a1' }, ['a1', 'en', 2]],
    ['the same for null', { articleId: 'a1', languageCode: null, versionNumber: null }, ['a1', 'en', 2]],
    ['the version that is named', { articleId: 'a1', versionNumber: 1 }, ['a1', 'en', 1]],
    ['the latest version of a translation', { articleId: 'w1', languageCode: 'de' }, ['w1', 'de', 3]],
    ['the default language of its own project version', { articleId: 'f1' }, ['f1', 'fr', 1]],
  ])('writes to %s', async (_what, key, [articleId, languageCode, versionNumber]) => {
    const { update, read, everything } = await openUpdates();
    expect((await update({ ...key, title: 'Here' })).outcomes[0]).toMatchObject({ kind: 'updated' });
    expect(await read(articleId, languageCode, versionNumber)).toMatchObject({ title: 'Here' });
    expect((await everything()).versions.filter(({ title }) => title === 'Here')).toHaveLength(1);
  });

  const FAILING: readonly [string, ArticleUpdate, string][] = [
    ['unknown article', { articleId: 'a9' }, 'The article a9 was not updated: there is no such article.'],
    ['missing article ID', { articleId: '' }, 'An item without an article ID changes nothing.'],
    [
      'unknown language',
      { articleId: 'a1', languageCode: 'fr' },
      'The article a1 was not updated: its project version has no language fr.',
    ],
    [
      'language without a translation, of which it sets no text',
      { articleId: 'a2', languageCode: 'de', title: null, content: null },
      'The article a2 was not updated: it has no translation in the language de.',
    ],
    [
      'unknown version',
      { articleId: 'a1', versionNumber: 3 },
      'The article a1 was not updated: it has no version 3 in the language en.',
    ],
    [
      'version of another translation',
      { articleId: 'a1', languageCode: 'de', versionNumber: 2 },
      'The article a1 was not updated: it has no version 2 in the language de.',
    ],
    [
      'version below 1',
      { articleId: 'a1', versionNumber: 0 },
      'The article a1 was not updated: the version number must be 1 or more.',
    ],
    [
      'unknown category',
      { articleId: 'a1', categoryId: 'nowhere' },
      'The article a1 was not updated: its project version has no category nowhere.',
    ],
    [
      'category of another project version',
      { articleId: 'a1', categoryId: 'francais' },
      'The article a1 was not updated: its project version has no category francais.',
    ],
    [
      'status that cannot be written',
      { articleId: 'a1', translationStatus: 'IN_PROGRESS' },
      'The article a1 was not updated: the translation status must be 0 (none), 1 (needs translation) or 2 (translated).',
    ],
    [
      'unknown status',
      { articleId: 'a1', translationStatus: 'UNRECOGNIZED' },
      'The article a1 was not updated: the translation status must be 0 (none), 1 (needs translation) or 2 (translated).',
    ],
    ['order below 1', { articleId: 'a1', order: -1 }, 'The article a1 was not updated: the order must be 1 or more.'],
  ];

  it.each(FAILING)('fails an item with a %s, gives the reason, and changes nothing', async (_what, item, details) => {
    const { update, everything } = await openUpdates();
    const before = await everything();
    const written = { title: 'Never', content: 'Never', hidden: true, source: 'Never' };
    const { outcomes } = await update({ ...written, ...item });
    expect(outcomes).toEqual([{ kind: 'failed', articleId: item.articleId, details }]);
    expect(await everything()).toEqual(before);
  });

  it('makes the text of a language of the project version, as a draft that lists and the search find', async () => {
    const { backend, update, read } = await openUpdates();
    const { outcomes } = await update(
      { articleId: 'a2', languageCode: 'de', hidden: true },
      { articleId: 'a2', languageCode: 'de', content: 'Ein Wanderweg' },
      { articleId: 'a2', languageCode: 'de', versionNumber: 1, title: 'Zwei', translationStatus: 'TRANSLATED' },
      { articleId: 'a2', languageCode: 'de', versionNumber: 2, title: 'Drei' },
      { articleId: 'w1', title: 'Other' },
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'updated', 'updated', 'failed', 'updated']);
    const made = { title: 'Zwei', versionNumber: 1, status: 'DRAFT', publicVersionNumber: null, hidden: false };
    expect(await read('a2', 'de')).toMatchObject({
      ...{ ...made, content: 'Ein Wanderweg', translationStatus: 'TRANSLATED', createdBy: null, authors: [] },
      modifiedAt: expect.any(Date),
      createdAt: expect.any(Date),
    });
    expect(await read('a2')).toMatchObject({ title: 'a2 en 1' });
    const words = parseSearchText('wander');
    if (typeof words === 'string') throw new Error(words);
    const list = { projectVersionId: 'pv1', languageCode: 'de', filter: { words, hidden: false } };
    const found = present(value(await backend.listArticles(caller, list, { limit: 5 })));
    expect(found.edges.map(({ node }) => node)).toMatchObject([{ articleId: 'a2', ...made }]);
    expect(await update({ articleId: 'a2', languageCode: 'de', title: 'Vier' })).toMatchObject({
      outcomes: [{ kind: 'updated' }],
    });
    expect(await read('a2', 'de')).toMatchObject({ title: 'Vier', versionNumber: 1, content: 'Ein Wanderweg' });
  });

  it('leaves the words of the latest version alone in the index, which a fork may have made', async () => {
    const { backend, update } = await openUpdates();
    const userId = STORE_ACCOUNT.user_id;
    const item = { articleId: 'a1', languageCode: 'en' };
    value(await backend.publishArticles(caller, { items: [{ ...item, versionNumber: 1 }], userId }));
    const ifPublished = { kind: 'FORK', userId } as const;
    const { outcomes } = await update(
      { ...item, versionNumber: 2, title: 'Overtaken', content: 'Overtaken' },
      { ...item, versionNumber: 1, title: 'Forked', ifPublished },
    );
    expect(outcomes).toMatchObject([{ kind: 'updated' }, { kind: 'updated', draftVersionNumber: 3 }]);
    const found = async (text: string) => {
      const words = parseSearchText(text);
      if (typeof words === 'string') throw new Error(words);
      const listed = await backend.listArticles(caller, { filter: { words } }, { limit: 10 });
      return nodesOf(present(value(listed))).map(({ articleId }) => articleId);
    };
    expect(await found('Overtaken')).toEqual([]);
    expect(await found('Forked')).toEqual(['a1']);
    expect(await found('Text of a1 en 1')).toEqual(['a1']);
    await update({ ...item, title: 'Forked', content: 'Text of a1 en 1' }, { ...item, content: 'Last' });
    expect(await found('Forked')).toEqual(['a1']);
    expect(await found('Last')).toEqual(['a1']);
    expect(await found('Text of a1 en 1')).toEqual([]);
  });

  it('makes no text of HTML alone where the editor stores none', async () => {
    const { update } = await openUpdates();
    const { outcomes } = await update({ articleId: 'a2', languageCode: 'de', htmlContent: '<p>' });
    expect(outcomes).toMatchObject([{ kind: 'failed', details: expect.stringContaining('no translation') }]);
  });

  it('gives every reason why an item fails', async () => {
    const { update } = await openUpdates();
    const { outcomes } = await update({ articleId: 'a1', versionNumber: 7, categoryId: 'nowhere', order: -3 });
    expect(outcomes[0]?.details).toBe(
      'The article a1 was not updated: it has no version 7 in the language en; its project version has no category nowhere; the order must be 1 or more.',
    );
  });

  it('applies the other items, with outcomes in the order of the items', async () => {
    const { update, read } = await openUpdates();
    const failing = FAILING.map(([, item]) => item);
    const { outcomes } = await update({ articleId: 'a2', title: 'First' }, ...failing, {
      articleId: 'a3',
      title: 'Last',
    });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['updated', ...failing.map(() => 'failed'), 'updated']);
    expect(outcomes.map(({ articleId }) => articleId)).toEqual([
      'a2',
      ...failing.map(({ articleId }) => articleId),
      'a3',
    ]);
    expect(await read('a2')).toMatchObject({ title: 'First' });
    expect(await read('a3')).toMatchObject({ title: 'Last' });
  });

  it('changes nothing for null and absent members, and stores empty ones', async () => {
    const { update, read } = await openUpdates();
    const before = await read('a2');
    const nulls = {
      title: null,
      content: null,
      htmlContent: null,
      categoryId: null,
      translationStatus: null,
      source: null,
    };
    await update({ articleId: 'a2', ...nulls, hidden: undefined, order: undefined });
    expect(await read('a2')).toEqual({ ...before, modifiedAt: expect.any(Date) });
    await update({ articleId: 'a2', title: '', content: '' });
    expect(await read('a2')).toMatchObject({ title: '', content: '' });
  });

  it('shows an article that was hidden', async () => {
    const { update, read } = await openUpdates();
    await update({ articleId: 'b1', hidden: false });
    expect(await read('b1')).toMatchObject({ hidden: false });
  });

  it('sets the modification time of the changed versions alone', async () => {
    const { update, everything } = await openUpdates();
    const imported = new Set((await everything()).versions.map(({ modified_at }) => modified_at));
    expect(imported.size).toBe(1);
    await update({ articleId: 'a1', hidden: true }, { articleId: 'a9', title: 'x' });
    const { versions } = await everything();
    const [touched, ...more] = versions.filter(({ modified_at }) => !imported.has(modified_at));
    expect(touched).toMatchObject({ article_id: 'a1', language_code: 'en', version_number: 2 });
    expect(present(touched?.modified_at) > present([...imported][0])).toBe(true);
    expect(more).toEqual([]);
  });

  it('keeps every character', async () => {
    const { update, read } = await openUpdates();
    const title = '𝔘 ﷽ עברית 🦄 "quotes" \' \\ \u0001 \u007f \u2028 <b>&amp;</b> {"a":[1]}';
    await update({ articleId: 'a1', title, content: title });
    expect(await read('a1')).toMatchObject({ title, content: title });
  });
});

describe('items for the same article', () => {
  it('are applied in their order, the later one over the earlier one', async () => {
    const { update, read } = await openUpdates();
    const { outcomes } = await update(
      { articleId: 'a1', title: 'One', hidden: false, order: 5, categoryId: 'basics' },
      { articleId: 'a1', content: 'Two', hidden: true },
      { articleId: 'a1', title: 'Three', categoryId: 'nowhere' },
      { articleId: 'a1', order: 6 },
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['updated', 'updated', 'failed', 'updated']);
    const expected = { title: 'One', content: 'Two', hidden: true, order: 6, categoryId: 'basics' };
    expect(await read('a1')).toMatchObject(expected);
  });

  it('may name different versions and languages of it', async () => {
    const { update, read } = await openUpdates();
    await update(
      { articleId: 'a1', title: 'Latest' },
      { articleId: 'a1', versionNumber: 1, title: 'First' },
      { articleId: 'a1', languageCode: 'de', title: 'Deutsch' },
      { articleId: 'a1', languageCode: 'en', versionNumber: 2, content: 'Latest too' },
    );
    expect(await read('a1')).toMatchObject({ title: 'Latest', content: 'Latest too' });
    expect(await read('a1', 'en', 1)).toMatchObject({ title: 'First', content: 'Text of a1 en 1' });
    expect(await read('a1', 'de')).toMatchObject({ title: 'Deutsch' });
  });
});

describe('htmlContent', () => {
  it.each<[string, ArticleUpdate, object]>([
    ['is used for the HTML editor', { articleId: 'w1', htmlContent: '<p>' }, { htmlContent: '<p>', content: null }],
    [
      'is used when the content is null',
      { articleId: 'w1', content: null, htmlContent: '<p>' },
      { htmlContent: '<p>' },
    ],
    ['gives way to content', { articleId: 'w1', content: 'c', htmlContent: '<p>' }, { htmlContent: 'c' }],
    ['gives way to an empty content', { articleId: 'w1', content: '', htmlContent: '<p>' }, { htmlContent: '' }],
    ['is ignored for Markdown', { articleId: 'a2', htmlContent: '<p>' }, { content: 'Text of a2 en 1' }],
    ['is ignored for blocks', { articleId: 'b1', htmlContent: '<p>' }, { content: 'Text of b1 en 1' }],
  ])('%s, and warns', async (_what, item, expected) => {
    const { update, read } = await openUpdates();
    const { warnings, outcomes } = await update(item);
    expect(outcomes[0]).toMatchObject({ kind: 'updated' });
    expect(warnings).toEqual([
      { description: expect.stringMatching(/html_content is deprecated/u), code: null, extensionData: null },
    ]);
    expect(await read(item.articleId)).toMatchObject(expected);
  });

  it('warns once for many items, and also for one that fails', async () => {
    const { update } = await openUpdates();
    const items = ['a1', 'w1', 'nobody'].map((articleId) => ({ articleId, htmlContent: '<p>' }));
    expect((await update(...items)).warnings).toHaveLength(1);
    expect((await update({ articleId: 'nobody', htmlContent: '' })).warnings).toHaveLength(1);
  });

  it('is not warned of when it is null or absent', async () => {
    const { update } = await openUpdates();
    expect((await update({ articleId: 'w1', htmlContent: null }, { articleId: 'a1' })).warnings).toEqual([]);
  });
});

describe('the cost of a bulk update', () => {
  const kindOf = (text: string): string => {
    if (text.includes('for no key update')) return 'lock';
    const [, table] = /^update "(\w+)"/u.exec(text) ?? [];
    return table === undefined ? (text.split(' ')[0] ?? '') : `update ${table}`;
  };

  it.each([1, 500, 10_000])(
    'is a few statements for %i items, between which SQLite yields to the event loop',
    async (length) => {
      const { update, counted, database } = await openUpdates();
      const ids = ['a1', 'a2', 'w1', 'nobody'];
      const items = Array.from({ length }, (_, index) => ({
        articleId: ids[index % 4] ?? '',
        title: `Title ${index}`,
        hidden: true,
      }));
      const { value: result, statements } = await counted(() => update(...items));
      expect(result.outcomes).toHaveLength(length);
      const locks = database.dialect.rowLock === null ? [] : ['lock'];
      expect(statements.map(kindOf)).toEqual([
        'begin',
        ...locks,
        ...Array.from({ length: Math.ceil(length / database.dialect.maxUpdatedRows) || 1 }, () => 'select'),
        'update articles',
        'update article_translations',
        'update article_versions',
        'update article_translations',
        // The digests of the texts, and the words of the titles.
        'update article_words',
        'insert',
        'commit',
      ]);
    },
  );

  it('includes no write to the articles when only their texts change', async () => {
    const { update, counted } = await openUpdates();
    const { statements } = await counted(() => update({ articleId: 'a1', title: 'T', content: 'C', source: 'S' }));
    expect(statements.filter((text) => text.startsWith('update "articles"'))).toEqual([]);
  });

  it('includes the words of those texts alone that change', async () => {
    const { update, counted } = await openUpdates();
    await update({ articleId: 'a1', title: 'T', content: 'C' });
    const indexed = async (title: string, content: string) => {
      const { statements } = await counted(() => update({ articleId: 'a1', title, content }));
      return statements.flatMap((text) => /^(?:insert .*?into|update) "?(\w+_words)/u.exec(text)?.[1] ?? []);
    };
    expect(await indexed('T', 'C')).toEqual([]);
    expect(await indexed('New', 'C')).toEqual(['article_words', 'article_title_words']);
    expect(await indexed('New', 'New')).toEqual(['article_words', 'article_content_words']);
  });

  it('includes no write when every item fails', async () => {
    const { update, counted } = await openUpdates();
    const { statements } = await counted(() => update({ articleId: 'nobody' }, { articleId: '' }));
    expect(statements.filter((text) => text.startsWith('update'))).toEqual([]);
  });
});
