import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { list } from '../../support/repeat.ts';
import { jobsClient } from './jobs-client.ts';

const RESULTS = `query ($id: ID!, $first: Int, $after: String, $outcomes: [ItemOutcome!]) {
  articleUpdateJob(id: $id) {
    results(first: $first, after: $after, outcomes: $outcomes) {
      totalCount pageInfo { hasNextPage endCursor }
      nodes { __typename index articleId ... on ArticleUpdateNotAttempted { reason } }
    }
  }
}`;

const GONE = { articleId: 'no-such-article', title: 'Lost' };

/** An ID of the right form, of no job. */
const NO_JOB = Buffer.from('["ArticleUpdateJob","no-such-job"]').toString('base64url');

let gateway: Gateway;
let client: ReturnType<typeof jobsClient>;

beforeAll(async () => {
  gateway = await startGateway({
    backend: await openFixtureStore(),
    local: true,
    token: TOKEN,
    maxBulkItems: 5_000,
    jobSettings: { maxItems: 6_000 },
  });
  client = jobsClient(gateway);
});
afterAll(() => gateway.close());

const resultsOf = async (id: string, variables: object = {}) => {
  const data = await client.send(RESULTS, { id, ...variables });
  return Object(data['articleUpdateJob']).results;
};

describe('a job in parts', () => {
  it('runs after its last part, each item once, and shows the results', async () => {
    const first = { articles: [{ articleId: 'a1', title: 'One' }, GONE], moreToCome: true };
    const opened = await client.submit('parts', first);
    expect(opened).toMatchObject({ replayed: false, job: { state: 'OPEN', done: false } });
    expect(opened.job.summary).toMatchObject({ total: 2, pending: 2, updated: 0 });
    expect(await client.submit('parts', first)).toMatchObject({ replayed: true, job: { id: opened.job.id } });
    const last = { articles: [{ articleId: 'a1', title: 'Two' }], startIndex: 2 };
    expect(await client.submit('parts', last)).toMatchObject({ replayed: false, job: { id: opened.job.id } });
    const done = await client.untilDone(opened.job.id);
    expect(done).toMatchObject({ state: 'COMPLETED', waitingFor: null, endedAt: expect.any(String) });
    expect(done.summary).toEqual({ total: 3, pending: 0, updated: 2, failed: 1, unknown: 0, notAttempted: 0 });
    expect(await client.submit('parts', last)).toMatchObject({ replayed: true, job: { state: 'COMPLETED' } });
    expect(await client.send('{ article(articleId: "a1") { title } }', {})).toEqual({ article: { title: 'Two' } });
  });

  it('may be closed by an empty part', async () => {
    const articles = [{ articleId: 'a1', title: 'Closed' }];
    const { job } = await client.submit('closing', { articles, moreToCome: true });
    expect(await client.submit('closing', { articles: [], startIndex: 1 })).toMatchObject({ job: { id: job.id } });
    expect((await client.untilDone(job.id)).summary).toMatchObject({ total: 1, updated: 1 });
  });

  it('refuses what differs, with its indexes, and what leaves a gap', async () => {
    const articles = list(3, (index) => ({ articleId: 'a1', title: `${index}` }));
    await client.submit('differs', { articles, moreToCome: true });
    const others = articles.with(1, { articleId: 'a1', title: 'another' });
    expect(await client.submit('differs', { articles: others, moreToCome: true })).toMatchObject({
      __typename: 'IdempotencyError',
      code: 'IDEMPOTENCY_CONFLICT',
      retryable: false,
      mayHaveApplied: false,
      indexes: [1],
    });
    expect(await client.submit('differs', { articles, startIndex: 4 })).toMatchObject({
      __typename: 'ValidationError',
      issues: [{ path: ['input', 'startIndex'], message: expect.stringContaining('3') }],
    });
    const { job } = await client.submit('differs', { articles: [], startIndex: 3 });
    const added = await client.submit('differs', { articles: [GONE], startIndex: 3 });
    expect(added).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', indexes: [3] });
    await client.untilDone(job.id);
  });

  it('reports all issues with their positions in the whole job', async () => {
    const articles = [
      { articleId: 'a1', order: 0 },
      { articleId: '', hidden: null },
    ];
    const { issues } = await client.submit('not visible', { articles, startIndex: 7 });
    expect(issues.map(({ path }: { path: unknown }) => path)).toEqual([
      ['idempotencyKey'],
      ['input', 'articles', '7', 'order'],
      ['input', 'articles', '8', 'articleId'],
      ['input', 'articles', '8', 'hidden'],
    ]);
    const pathsOf = async (input: object) =>
      (await client.submit('k', input)).issues.map(({ path }: { path: string[] }) => path.join('.'));
    expect(await pathsOf({ articles: [] })).toEqual(['input.articles']);
    expect(await pathsOf({ articles: [], startIndex: 1, moreToCome: true })).toEqual(['input.articles']);
    expect(await pathsOf({ articles: [GONE], startIndex: -1 })).toEqual(['input.startIndex']);
    expect(await pathsOf({ articles: list(5_001, () => GONE) })).toEqual(['input.articles']);
  });

  it('has at most MAX_JOB_ITEMS items', async () => {
    const { job } = await client.submit('large', { articles: list(5_000, () => GONE), moreToCome: true });
    const more = { articles: list(1_001, () => GONE), startIndex: 5_000 };
    expect(await client.submit('large', more)).toMatchObject({
      issues: [{ path: ['input', 'articles'], message: expect.stringContaining('6000') }],
    });
    expect(await client.cancel(job.id)).toMatchObject({ job: { state: 'CANCELLED', done: true } });
  });
});

describe('the name of a job', () => {
  const articles = [{ articleId: 'a1', title: 'Named' }];

  it('is shown with the job and in the list, and is the same in each part', async () => {
    const part = { articles, name: '  Replace “hub” by “base” ', moreToCome: true };
    const { job } = await client.submit('named', part);
    expect(job.name).toBe('Replace “hub” by “base”');
    const last = { articles: [], startIndex: 1 };
    for (const name of [undefined, null, 'Other'])
      expect(await client.submit('named', { ...last, name })).toMatchObject({
        code: 'IDEMPOTENCY_CONFLICT',
        mayHaveApplied: false,
        indexes: [],
        message: expect.stringContaining('another name'),
      });
    const { name } = job;
    expect(await client.submit('named', { ...last, name })).toMatchObject({ job: { id: job.id, name } });
    expect(await client.submit('named', part)).toMatchObject({ replayed: true });
    await client.untilDone(job.id);
    expect(await client.send('{ articleUpdateJobs(first: 1) { nodes { name } } }', {})).toEqual({
      articleUpdateJobs: { nodes: [{ name }] },
    });
  });

  it('is null where there is none', async () => {
    const { job } = await client.submit('unnamed', { articles, name: null });
    expect(job.name).toBeNull();
    expect(await client.submit('unnamed', { articles })).toMatchObject({ replayed: true });
    await client.untilDone(job.id);
  });

  it('has 1 to 200 characters, and no control character', async () => {
    for (const name of ['', '   ', 'x'.repeat(201), 'a\nb', 'a\0b', 'a\u0085b', 'a\ud800'])
      expect(await client.submit('wrong', { articles, name }), JSON.stringify(name)).toMatchObject({
        __typename: 'ValidationError',
        issues: [{ path: ['input', 'name'], message: expect.stringMatching(/^name must /u) }],
      });
    const name = `${'x'.repeat(196)}👩‍🚀`.slice(0, 200);
    const { job } = await client.submit('long', { articles, name: ` ${name.toWellFormed()}` });
    expect(job.name).toHaveLength(200);
    await client.untilDone(job.id);
  });
});

describe('a job that publishes', () => {
  const PUBLISHING = { publish: true, userId: 'embedded-store', publishMessage: 'From a job.' };
  const articles = [{ articleId: 'a1', title: 'Published' }, GONE];

  it('tells what became of each publication', async () => {
    const { job } = await client.submit('publish', { ...PUBLISHING, articles });
    const done = await client.untilDone(job.id);
    expect(done.summary).toEqual({ total: 2, pending: 0, updated: 1, failed: 1, unknown: 0, notAttempted: 0 });
    const data = await client.send(
      `query ($id: ID!) { articleUpdateJob(id: $id) { results { nodes {
        __typename ... on ArticleUpdated { publication article { title } }
      } } } }`,
      { id: job.id },
    );
    const [updated, gone] = Object(data['articleUpdateJob']).results.nodes;
    expect(updated).toEqual({
      __typename: 'ArticleUpdated',
      publication: 'PUBLISHED',
      article: { title: 'Published' },
    });
    expect(gone).toEqual({ __typename: 'ArticleUpdateFailed' });
  });

  it('tells that a team account does not exist', async () => {
    const { job } = await client.submit('nobody', { ...PUBLISHING, userId: 'nobody', articles: articles.slice(0, 1) });
    expect((await client.untilDone(job.id)).summary).toMatchObject({ updated: 1 });
    const data = await client.send(
      `query ($id: ID!) { articleUpdateJob(id: $id) { results { nodes { details ... on ArticleUpdated { publication } } } } }`,
      { id: job.id },
    );
    expect(Object(data['articleUpdateJob']).results.nodes).toEqual([
      { details: expect.stringContaining("The user with id 'nobody' does not exist"), publication: 'FAILED' },
    ]);
  });

  it('has publish, userId and publishMessage in each part', async () => {
    const first = { ...PUBLISHING, articles, moreToCome: true };
    const { job } = await client.submit('publish-parts', first);
    const { publishMessage: _, ...withoutMessage } = PUBLISHING;
    for (const other of [{}, withoutMessage, { ...PUBLISHING, userId: 'other' }])
      expect(await client.submit('publish-parts', { ...other, articles, startIndex: 0 })).toMatchObject({
        code: 'IDEMPOTENCY_CONFLICT',
        indexes: [],
        message: expect.stringContaining('all parts of a job have the same'),
      });
    expect(await client.submit('publish-parts', first)).toMatchObject({ replayed: true });
    await client.cancel(job.id);
  });

  it('reports all issues', async () => {
    const pathsOf = async (input: object) =>
      (await client.submit('k', { articles, ...input })).issues.map(({ path }: { path: string[] }) => path.join('.'));
    expect(await pathsOf({ publish: true })).toEqual(['input.userId']);
    expect(await pathsOf({ publish: true, userId: '', publishMessage: 'x'.repeat(1_001) })).toEqual([
      'input.userId',
      'input.publishMessage',
    ]);
    expect(await pathsOf({ publish: true, userId: 'u', publishMessage: '\0' })).toEqual(['input.publishMessage']);
    expect(await pathsOf({ userId: 'u', publishMessage: 'm' })).toEqual(['input.userId', 'input.publishMessage']);
    const versions = [1, 32_767, 32_768].map((versionNumber) => ({ articleId: 'a1', versionNumber }));
    expect(await pathsOf({ ...PUBLISHING, articles: versions, startIndex: 7 })).toEqual([
      'input.articles.9.versionNumber',
    ]);
    expect((await client.submit('versions', { articles: versions })).job).toMatchObject({ summary: { total: 3 } });
  });
});

describe('the results of a job', () => {
  it('come in pages by index, of some outcomes or of all', async () => {
    const articles = list(1_100, (index) => ({ articleId: index % 50 === 0 ? 'a1' : `gone-${index}`, title: 'New' }));
    const { job } = await client.submit('pages', { articles });
    await client.untilDone(job.id);
    const first = await resultsOf(job.id, { first: 1_000 });
    expect(first).toMatchObject({ totalCount: 1_100, pageInfo: { hasNextPage: true } });
    const second = await resultsOf(job.id, { first: 1_000, after: first.pageInfo.endCursor });
    const nodes: readonly { index: number; __typename: string }[] = [...first.nodes, ...second.nodes];
    expect(nodes.map(({ index }) => index)).toEqual(list(1_100, (index) => index));
    expect(second.pageInfo.hasNextPage).toBe(false);
    const updated = await resultsOf(job.id, { first: 3, outcomes: ['UPDATED', 'UNKNOWN'] });
    expect(updated).toMatchObject({ totalCount: 22, pageInfo: { hasNextPage: true } });
    expect(updated.nodes).toEqual(
      [0, 50, 100].map((index) => ({ __typename: 'ArticleUpdated', index, articleId: 'a1' })),
    );
    expect((await resultsOf(job.id)).nodes).toHaveLength(20);
  });

  it.each([{ first: 1_001 }, { first: 0 }, { outcomes: [] }, { after: 'no cursor' }])(
    'refuse %j',
    async (variables) => {
      const { job } = await client.submit('refused-pages', { articles: [GONE] });
      const { body } = await gateway.send(RESULTS, { id: job.id, ...variables });
      expect(body.data).toEqual({ articleUpdateJob: { results: null } });
      expect(body.errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
    },
  );
});

describe('jobs', () => {
  it('are found by node and listed, the latest first', async () => {
    const { job } = await client.submit('listed', { articles: [GONE] });
    const found = await client.send('query ($id: ID!) { node(id: $id) { __typename id } }', { id: job.id });
    expect(found).toEqual({ node: { __typename: 'ArticleUpdateJob', id: job.id } });
    const { articleUpdateJobs } = await client.send(
      '{ articleUpdateJobs(first: 1) { totalCount pageInfo { hasNextPage } nodes { id } } }',
      {},
    );
    expect(articleUpdateJobs).toMatchObject({ pageInfo: { hasNextPage: true }, nodes: [{ id: job.id }] });
  });

  it('that do not exist are null, or a JobNotFoundError', async () => {
    for (const id of [NO_JOB, 'no-global-id', Buffer.from('["Reader","r1"]').toString('base64url')]) {
      expect(await client.find(id)).toBeNull();
      expect(await client.cancel(id)).toMatchObject({ __typename: 'JobNotFoundError', code: 'NOT_FOUND' });
      expect(await client.resume(id)).toMatchObject({ __typename: 'JobNotFoundError', mayHaveApplied: false });
    }
  });

  it('send nothing after they were cancelled, and stay as they are once ended', async () => {
    const articles = [{ articleId: 'a1', title: 'Never' }];
    const { job } = await client.submit('cancelled', { articles, moreToCome: true });
    const cancelled = await client.cancel(job.id);
    expect(cancelled.job).toMatchObject({ state: 'CANCELLED', done: true, summary: { notAttempted: 1, pending: 0 } });
    expect((await resultsOf(job.id)).nodes).toMatchObject([{ index: 0, reason: 'CANCELLED' }]);
    expect((await client.resume(job.id)).job).toMatchObject({ state: 'CANCELLED' });
    expect((await client.cancel(job.id)).job).toMatchObject({ state: 'CANCELLED' });
  });

  it('are refused without a token, and to a sixth at one time', async () => {
    const stranger = jobsClient(gateway, { api_token: 'wrong' });
    const refused = { __typename: 'AuthenticationError', code: 'UNAUTHENTICATED' };
    expect(await stranger.submit('k', { articles: [GONE] })).toMatchObject(refused);
    expect(await stranger.cancel(NO_JOB)).toMatchObject(refused);
    const { articleUpdateJobs: earlier } = await client.send('{ articleUpdateJobs { nodes { id } } }', {});
    for (const { id } of Object(earlier).nodes) await client.cancel(id).then(() => client.untilDone(id));
    const open = { articles: [GONE], moreToCome: true };
    const opened = await Promise.all(list(5, (index) => client.submit(`five-${index}`, open)));
    expect(await client.submit('sixth', open)).toMatchObject({ __typename: 'RateLimitedError', retryable: true });
    for (const { job } of opened) await client.cancel(job.id);
    expect(await client.submit('sixth', open)).toMatchObject({ replayed: false });
  });
});
