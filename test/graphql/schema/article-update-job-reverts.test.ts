import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/core/base/log.ts';
import { withPipeline } from '../../../src/core/writes/pipeline.ts';
import { mergeWrites } from '../../../src/service/merging/merging.ts';
import { openRestBackend } from '../../../src/service/rest-backend.ts';
import { openLocalBackend } from '../../../src/store/local-backend.ts';
import { smallKnowledgeBase } from '../../store/small-knowledge-base.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { list } from '../../support/repeat.ts';
import { jobsClient } from './jobs-client.ts';

const TOKEN = 'token';
const ARTICLES = 1_000;
const idOf = (n: number) => `n${n}`;

const PREVIEW = `mutation ($id: ID!, $first: Int, $after: String) {
  result: previewRevertArticleUpdateJob(id: $id) {
    __typename
    ... on RevertArticleUpdateJobPreview {
      summary { total restorable notRestorable }
      items(first: $first, after: $after) {
        nodes { index articleId members { name before asLeft now } }
        pageInfo { hasNextPage endCursor }
      }
    }
    ... on ValidationError { issues { path message } }
    ... on MutationError { code message }
  }
}`;

const REVERT = `mutation ($id: ID!, $key: String!, $ifPublished: IfPublished! = FORK) {
  result: revertArticleUpdateJob(id: $id, idempotencyKey: $key, ifPublished: $ifPublished) {
    __typename
    ... on RevertArticleUpdateJobPayload { replayed job { id isRevertible revertOf { id } } }
    ... on ValidationError { issues { path message } }
    ... on MutationError { code message }
  }
}`;

const RESULTS = `query ($id: ID!) {
  articleUpdateJob(id: $id) {
    isRevertible estimatedCalls revertOf { id } revertedBy { id }
    results(first: 1000) { nodes { __typename index articleId details ... on ArticleUpdated { evidence } ... on ArticleUpdateNotAttempted { reason retryable } } }
  }
}`;

const ALL = `query ($after: String) {
  articles(first: 100, after: $after) {
    nodes { articleId title hidden order versionNumber publicVersionNumber translationStatus category { categoryId } }
    pageInfo { hasNextPage endCursor }
  }
}`;

const knowledgeBase = {
  ...smallKnowledgeBase,
  articles: [
    ...smallKnowledgeBase.articles,
    ...list(ARTICLES, (n) => ({
      ...{ id: idOf(n), project_version_id: 'pv1', category_id: 'basics', slug: idOf(n), order: n + 1, hidden: false },
      content_type: 'markdown' as const,
      versions: [1].map((version_number) => ({
        ...{
          lang_code: 'en',
          version_number,
          title: `n${n} en 1`,
          content: `Text of n${n} en 1`,
          translation_option: '0' as const,
        },
      })),
    })),
  ],
};

const openStore = async () => {
  const backend = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [TOKEN], log: silentLog });
  await backend.importKnowledgeBase(knowledgeBase, () => {});
  return backend;
};

interface ArticlePage {
  readonly nodes: readonly unknown[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The calls that the façade has received, as `GET /v2/…`. */
const received: string[] = [];

const NO_CALLS = { projectVersions: 0, lists: 0, texts: 0, puts: 0, others: 0 };

const KINDS = [
  ['projectVersions', /^GET \/v2\/ProjectVersions$/u],
  ['lists', /^GET \/v2\/ProjectVersions\/pv1\/categories\?/u],
  ['texts', /^GET \/v2\/Articles\/[^/]+\/en\?/u],
  ['puts', /^PUT \/v2\/Articles\/bulkupdate$/u],
  ['others', /./u],
] as const;

/** The calls since it was asked before. */
function callsReceived() {
  const calls = { ...NO_CALLS };
  for (const call of received.splice(0)) calls[KINDS.find(([, pattern]) => pattern.test(call))?.[0] ?? 'others'] += 1;
  return calls;
}

const SCENES = {
  'the embedded store': async () => startGateway({ backend: await openStore(), local: true, token: TOKEN }),
  'the service': async () => {
    const onRequest = ({ method, url }: IncomingMessage) => void received.push(`${method} ${url}`);
    const service = await startGateway({ backend: await openStore(), local: true, token: TOKEN, onRequest });
    const rest = openRestBackend({
      baseUrl: service.url,
      timeoutMs: 10_000,
      bulkSize: 100,
      maxReadCalls: 60,
      // The lists of this service show each write at once.
      readLagsMs: { list: 0, article: 0 },
      log: silentLog,
    });
    const backend = withPipeline(rest, { merging: mergeWrites({ maxItems: 100 }) });
    const gateway = await startGateway({ backend, local: false, token: TOKEN });
    return {
      ...gateway,
      close: async () => {
        await gateway.close();
        await service.close();
      },
    };
  },
} as const;

describe.each(Object.entries(SCENES))('a revert over %s', (name, open) => {
  let gateway: Gateway;
  let client: ReturnType<typeof jobsClient>;
  const isService = name === 'the service';

  beforeAll(async () => {
    gateway = await open();
    client = jobsClient(gateway);
  });
  afterAll(() => gateway.close());

  let keys = 0;
  const newKey = () => {
    keys += 1;
    return `key-${keys}`;
  };
  const run = async (articles: readonly object[], more: object = {}) => {
    const { job } = await client.submit(newKey(), { articles, keepBefore: 'ALWAYS', ...more });
    return client.untilDone(job.id);
  };
  const preview = async (id: string, page: object = {}) =>
    Object((await client.send(PREVIEW, { id, ...page }))['result']);
  const revert = async (id: string, key = newKey(), ifPublished = 'FORK') =>
    Object((await client.send(REVERT, { id, key, ifPublished }))['result']);
  const reverted = async (id: string) => client.untilDone((await revert(id)).job.id);
  const shown = async (id: string) => Object((await client.send(RESULTS, { id }))['articleUpdateJob']);
  const resultsOf = async (id: string) => (await shown(id)).results.nodes;
  const read = async (articleId: string) =>
    Object(
      await client.send(
        `query ($id: ID!) { article(articleId: $id) { title content hidden order translationStatus category { categoryId } } }`,
        { id: articleId },
      ),
    ).article;
  const readAll = async () => {
    const all: unknown[] = [];
    for (let after: string | null = null; ; ) {
      const { articles }: { articles: ArticlePage } = Object(await client.send(ALL, { after }));
      all.push(...articles.nodes);
      if (!articles.pageInfo.hasNextPage) return all;
      after = articles.pageInfo.endCursor;
    }
  };

  const readTexts = async () => {
    const texts: unknown[] = [];
    for (let n = 0; n < ARTICLES; n += 10) {
      const fields = list(
        10,
        (m) => `${idOf(n + m)}: article(articleId: "${idOf(n + m)}", languageCode: "en") { content }`,
      );
      texts.push(await client.send(`{ ${fields.join(' ')} }`, {}));
    }
    return texts;
  };

  it('puts back each member, and the revert can be reverted', async () => {
    const before = await read('n1');
    const set = {
      title: 'T',
      content: 'C',
      hidden: true,
      order: 9,
      translationStatus: 'TRANSLATED',
      categoryId: 'bits',
    };
    const job = await run([{ articleId: 'n1', ...set }]);
    const left = await read('n1');
    expect(left).toMatchObject({ title: 'T', content: 'C', hidden: true, order: 9, category: { categoryId: 'bits' } });
    const { summary, items } = await preview(job.id);
    expect(summary).toEqual({ total: 1, restorable: 1, notRestorable: 0 });
    expect(items.nodes).toEqual([
      {
        ...{ index: 0, articleId: 'n1' },
        members: [
          { name: 'TITLE', before: before.title, asLeft: 'T', now: 'T' },
          { name: 'CONTENT', before: before.content, asLeft: 'C', now: 'C' },
          { name: 'CATEGORY_ID', before: 'basics', asLeft: 'bits', now: 'bits' },
          { name: 'HIDDEN', before: false, asLeft: true, now: true },
          { name: 'TRANSLATION_STATUS', before: 'NONE', asLeft: 'TRANSLATED', now: 'TRANSLATED' },
          { name: 'ORDER', before: 2, asLeft: 9, now: 9 },
        ],
      },
    ]);
    const undone = await reverted(job.id);
    expect(undone.summary).toMatchObject({ total: 1, updated: 1 });
    expect(await read('n1')).toEqual(before);
    expect(await shown(undone.id)).toMatchObject({ isRevertible: true, revertOf: { id: job.id }, revertedBy: null });
    expect(await shown(job.id)).toMatchObject({ revertOf: null, revertedBy: { id: undone.id }, estimatedCalls: null });
    await reverted(undone.id);
    expect(await read('n1')).toEqual(left);
  });

  it('leaves what somebody has changed since, and other members as they are', async () => {
    const job = await run(['n2', 'n3', 'n4'].map((articleId) => ({ articleId, title: 'By the job' })));
    await client.send(
      `mutation { bulkUpdateArticles(input: { articles: [
      { articleId: "n2", title: "By an editor" }, { articleId: "n3", hidden: true }, { articleId: "n4", translationStatus: TRANSLATED }
    ] }) { __typename } }`,
      {},
    );
    const undone = await reverted(job.id);
    expect(undone.summary).toMatchObject({ total: 3, updated: 1, notAttempted: 2 });
    expect(await resultsOf(undone.id)).toMatchObject([
      { articleId: 'n4', reason: 'CHANGED_SINCE', retryable: false },
      { articleId: 'n3', __typename: 'ArticleUpdated', evidence: 'ANSWER' },
      { articleId: 'n2', reason: 'CHANGED_SINCE' },
    ]);
    expect(await read('n2')).toMatchObject({ title: 'By an editor' });
    expect(await read('n3')).toMatchObject({ title: 'n3 en 1', hidden: true });
    expect(await read('n4')).toMatchObject({ title: 'By the job' });
  });

  it('puts several items of one text back as one', async () => {
    const job = await run([
      { articleId: 'n5', title: 'First', content: 'First' },
      { articleId: 'n6', title: 'Other' },
      { articleId: 'N5'.toLowerCase(), languageCode: 'en', title: 'Second', order: 77 },
      { articleId: 'n5', title: 'Third' },
    ]);
    const { summary, items } = await preview(job.id, { first: 1 });
    expect(summary).toEqual({ total: 4, restorable: 4, notRestorable: 0 });
    expect(items).toEqual({
      nodes: [
        {
          ...{ index: 3, articleId: 'n5' },
          members: [
            { name: 'TITLE', before: 'n5 en 1', asLeft: 'Third', now: 'Third' },
            { name: 'CONTENT', before: 'Text of n5 en 1', asLeft: 'First', now: 'First' },
            { name: 'ORDER', before: 6, asLeft: 77, now: 77 },
          ],
        },
      ],
      pageInfo: { hasNextPage: true, endCursor: '3' },
    });
    const { items: second } = await preview(job.id, { first: 1, after: '3' });
    expect(second).toMatchObject({ nodes: [{ index: 1, articleId: 'n6' }], pageInfo: { hasNextPage: false } });
    const undone = await reverted(job.id);
    expect(undone.summary).toMatchObject({ total: 2, updated: 2 });
    expect(await read('n5')).toMatchObject({ title: 'n5 en 1', content: 'Text of n5 en 1', order: 6 });
  });

  it('is refused for what is not done, kept nothing, or is no job, and has one key', async () => {
    expect(await revert('bm9uZQ')).toMatchObject({ __typename: 'JobNotFoundError' });
    expect(await preview('bm9uZQ')).toMatchObject({ __typename: 'JobNotFoundError' });
    const plain = await run([{ articleId: 'n7', title: 'Seven' }], { keepBefore: 'NEVER' });
    for (const refused of [await revert(plain.id), await preview(plain.id)])
      expect(refused).toMatchObject({ issues: [{ path: ['id'], message: expect.stringContaining('keepBefore') }] });
    const { job: open } = await client.submit(newKey(), {
      ...{ articles: [{ articleId: 'n7', title: 'Open' }], keepBefore: 'ALWAYS', moreToCome: true },
    });
    expect(await revert(open.id)).toMatchObject({
      issues: [{ path: ['id'], message: expect.stringContaining('not ended') }],
    });
    expect(await shown(open.id)).toMatchObject({ isRevertible: false, estimatedCalls: isService ? 4 : 0 });
    await client.cancel(open.id);
    const job = await run([{ articleId: 'n7', title: 'Eight' }]);
    const key = newKey();
    const first = await revert(job.id, key);
    await client.untilDone(first.job.id);
    expect(await revert(job.id, key)).toMatchObject({ replayed: true, job: { id: first.job.id } });
    expect(await revert(plain.id, key)).toMatchObject({ __typename: 'IdempotencyError', code: 'IDEMPOTENCY_CONFLICT' });
  });

  it('puts back the text of the HTML editor, of a version by its number, and of another language', async () => {
    const texts = `{ en: article(articleId: "w1") { htmlContent } de: article(articleId: "a1", languageCode: "de") { title }
      one: article(articleId: "a1", versionNumber: 1) { title content } two: article(articleId: "a1") { title content } }`;
    const before = await client.send(texts, {});
    const job = await run([
      { articleId: 'w1', htmlContent: '<p>New</p>' },
      { articleId: 'a1', languageCode: 'de', title: 'Neu' },
      { articleId: 'a1', versionNumber: 1, content: 'First' },
      { articleId: 'a1', content: 'Second' },
    ]);
    expect(job.summary).toMatchObject({ updated: 4 });
    expect(await client.send(texts, {})).not.toEqual(before);
    const undone = await client.untilDone((await revert(job.id, newKey(), 'UPDATE')).job.id);
    expect(undone.summary).toMatchObject({ total: 4, updated: 4 });
    expect(await client.send(texts, {})).toEqual(before);
  });

  it('tells beforehand what no update can put back', async () => {
    const job = await run([
      { articleId: 'a3', order: 5 },
      { articleId: 'n8', title: 'New' },
    ]);
    expect((await preview(job.id)).summary).toEqual({ total: 2, restorable: 1, notRestorable: 1 });
    const undone = await reverted(job.id);
    expect(await resultsOf(undone.id)).toMatchObject([
      { articleId: 'n8', __typename: 'ArticleUpdated' },
      { articleId: 'a3', reason: 'NOT_RESTORABLE', retryable: false },
    ]);
  });

  it('does not send what cannot be read before, unless it may', async () => {
    const items = [
      { articleId: 'gone', title: 'Lost' },
      { articleId: 'n9', title: 'Kept' },
    ];
    const strict = await run(items);
    expect(await resultsOf(strict.id)).toMatchObject([{ reason: 'BEFORE_NOT_READABLE', retryable: false }, {}]);
    const lenient = await run([...items, { articleId: 'n10', title: 'With', source: 'S' }], {
      keepBefore: 'WHERE_POSSIBLE',
    });
    expect(await resultsOf(lenient.id)).toMatchObject([
      { __typename: 'ArticleUpdateFailed' },
      { __typename: 'ArticleUpdated' },
      { __typename: 'ArticleUpdated' },
    ]);
    expect((await preview(lenient.id)).summary).toEqual({ total: 2, restorable: 1, notRestorable: 1 });
    const undone = await reverted(lenient.id);
    expect(await resultsOf(undone.id)).toMatchObject([
      { articleId: 'n10', reason: 'NOT_RESTORABLE' },
      { articleId: 'n9' },
    ]);
    const refused = await client.submit(newKey(), {
      articles: [{ articleId: 'n1', source: 'S' }],
      keepBefore: 'ALWAYS',
    });
    expect(refused).toMatchObject({ issues: [{ path: ['input', 'articles', '0', 'source'] }] });
  });

  it('takes 1,000 articles back, all of them as before, in few calls', { tags: 'long' }, async () => {
    const before = await readAll();
    const forward = list(ARTICLES, (n) => ({
      articleId: idOf(n),
      hidden: true,
      order: ARTICLES - n,
      title: `New ${n}`,
    }));
    received.length = 0;
    const job = await run(forward);
    expect(job.summary).toMatchObject({ total: ARTICLES, updated: ARTICLES });
    const calls = callsReceived();
    const undone = await reverted(job.id);
    expect(undone.summary).toMatchObject({ total: ARTICLES, updated: ARTICLES });
    // The project versions once, and a list and a PUT for each 100 items.
    const expected = isService ? { projectVersions: 1, lists: 2 * 10, texts: 0, puts: 10, others: 0 } : NO_CALLS;
    expect([calls, callsReceived()]).toEqual([expected, expected]);
    expect(await readAll()).toEqual(before);
  });

  it('takes the texts of 1,000 articles back, and reads each once', { tags: 'long' }, async () => {
    const before = await readTexts();
    received.length = 0;
    const job = await run(list(ARTICLES, (n) => ({ articleId: idOf(n), content: `New ${n}` })));
    const calls = callsReceived();
    const undone = await reverted(job.id);
    expect(undone.summary).toMatchObject({ total: ARTICLES, updated: ARTICLES });
    const expected = isService ? { projectVersions: 1, lists: 100, texts: ARTICLES, puts: 100, others: 0 } : NO_CALLS;
    // The revert knows the language of each text: its first call only tells whether the service has a rate limit.
    expect([calls, callsReceived()]).toEqual([expected, expected]);
    expect(await readTexts()).toEqual(before);
  });

  it('lists a hundred items at a time also where texts are between them', { tags: 'long' }, async () => {
    received.length = 0;
    const job = await run(
      list(200, (n) => ({
        articleId: idOf(n),
        languageCode: 'en',
        hidden: true,
        ...(n % 2 === 1 && { content: 'New' }),
      })),
    );
    expect(job.summary).toMatchObject({ updated: 200 });
    const calls = callsReceived();
    const undone = await reverted(job.id);
    expect(undone.summary).toMatchObject({ updated: 200 });
    const expected = isService
      ? { projectVersions: 1, lists: 2 + 2 + 10, texts: 100, puts: 2 + 10, others: 0 }
      : NO_CALLS;
    expect([calls, callsReceived()]).toEqual([expected, expected]);
    expect(await read('n151')).toMatchObject({ content: 'Text of n151 en 1', hidden: false });
  });
});
