import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RunningGateway, startGatewayProcess } from '../support/process.ts';

const BULK = `mutation ($title: String!) {
  bulkUpdateArticles(input: { articles: [{ articleId: "unpack-the-hub", title: $title }] }, idempotencyKey: "k") {
    ... on BulkUpdateArticlesPayload { replayed results { __typename ... on ArticleUpdated { article { title } } } }
    ... on MutationError { code }
  }
}`;

const SUBMIT = `mutation ($articles: [ArticleUpdateInput!]!, $moreToCome: Boolean!) {
  submitArticleUpdateJob(input: { articles: $articles, moreToCome: $moreToCome }, idempotencyKey: "j") {
    ... on SubmitArticleUpdateJobPayload { replayed job { id state } }
  }
}`;

const FIND = 'query ($id: ID!) { articleUpdateJob(id: $id) { state done summary { total failed pending } } }';

let folder: string;
let gateway: RunningGateway;

const start = (settings: Record<string, string> = {}) =>
  startGatewayProcess({ cwd: folder, settings: { API_TOKEN: 'token', ...settings } });

async function send(query: string, variables: object = {}) {
  const headers = { 'content-type': 'application/json', api_token: 'token' };
  const response = await fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  const { data, errors } = Object(await response.json());
  expect(errors).toBeUndefined();
  return data;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-gateway-jobs-'));
  gateway = await start();
});
afterEach(async () => {
  await gateway.stop('SIGKILL');
  await rm(folder, { recursive: true });
});

describe('a gateway that is killed', () => {
  it('gives the recorded answer to a key after its restart, and writes nothing again', async () => {
    const first = await send(BULK, { title: 'One' });
    expect(first).toMatchObject({ bulkUpdateArticles: { replayed: false, results: [{ article: { title: 'One' } }] } });
    await gateway.stop('SIGKILL');
    gateway = await start();
    await send(
      'mutation { bulkUpdateArticles(input: { articles: [{ articleId: "unpack-the-hub", title: "Two" }] }) { __typename } }',
    );
    const again = await send(BULK, { title: 'One' });
    expect(again).toMatchObject({ bulkUpdateArticles: { replayed: true, results: [{ article: { title: 'Two' } }] } });
    expect(await send(BULK, { title: 'Three' })).toEqual({ bulkUpdateArticles: { code: 'IDEMPOTENCY_CONFLICT' } });
  });

  it('goes on with its jobs, and every item ends', async () => {
    const articles = Array.from({ length: 5_000 }, (_, index) => ({ articleId: `gone-${index}`, title: 'New' }));
    const { submitArticleUpdateJob } = await send(SUBMIT, { articles, moreToCome: false });
    const { id } = submitArticleUpdateJob.job;
    await vi.waitFor(
      async () => expect((await send(FIND, { id })).articleUpdateJob.summary.failed).toBeGreaterThan(0),
      { timeout: 120_000, interval: 20 },
    );
    await gateway.stop('SIGKILL');
    gateway = await start();
    const done = await vi.waitFor(
      async () => {
        const { articleUpdateJob } = await send(FIND, { id });
        expect(articleUpdateJob).toMatchObject({ state: 'COMPLETED', done: true });
        return articleUpdateJob;
      },
      { timeout: 120_000, interval: 200 },
    );
    expect(done.summary).toMatchObject({ total: 5_000, pending: 0 });
    expect(await send(SUBMIT, { articles, moreToCome: false })).toMatchObject({
      submitArticleUpdateJob: { replayed: true, job: { id } },
    });
  });
});

describe('a gateway that uses neither jobs nor keys', () => {
  it('writes no file for them', async () => {
    await gateway.stop();
    const before = await filesIn(folder);
    gateway = await start({ UPSTREAM_URL: 'http://127.0.0.1:9' });
    await send('{ __typename }');
    await gateway.stop();
    expect(await filesIn(folder)).toEqual(before);
    expect(before.filter((name) => name.includes('state.db'))).toEqual([]);
  });
});

const filesIn = async (path: string) => (await readdir(path, { recursive: true })).sort();
