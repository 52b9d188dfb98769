import type { IncomingMessage } from 'node:http';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Backend } from '../../src/core/backend.ts';
import { silentLog } from '../../src/core/base/log.ts';
import { withPipeline } from '../../src/core/writes/pipeline.ts';
import { mergeWrites } from '../../src/service/merging/merging.ts';
import { openRestBackend } from '../../src/service/rest-backend.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { API_TOKEN, fillWithArticles } from '../cli/many-articles.ts';
import { jobsClient } from '../graphql/schema/jobs-client.ts';
import { temporaryFolder } from '../store/store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { list } from '../support/repeat.ts';

const ARTICLES = 1_000;

const RESULTS = `query ($id: ID!) { articleUpdateJob(id: $id) { results(first: 1000) {
  nodes { __typename ... on ArticleUpdated { evidence publication } }
} } }`;

async function openStore(databaseUrl: string, count: number, categoryId: string | null): Promise<Backend> {
  await fillWithArticles(databaseUrl, count, { categoryId });
  return openLocalBackend({ databaseUrl, apiTokens: [API_TOKEN], log: silentLog });
}

async function serve(backend: Backend, local: boolean) {
  const calls: string[] = [];
  const onRequest = ({ method, url = '' }: IncomingMessage) => {
    calls.push(`${method} ${url.split('?', 1)[0]}`);
  };
  const gateway = await startGateway({ backend, local, token: API_TOKEN, onRequest });
  onTestFinished(() => gateway.close());
  return { gateway, calls };
}

/** A gateway in front of another one that serves the store as the service. */
async function serveOverRest(store: Backend) {
  const service = await serve(store, true);
  const rest = openRestBackend({
    baseUrl: service.gateway.url,
    timeoutMs: 10_000,
    bulkSize: 100,
    maxReadCalls: 60,
    log: silentLog,
  });
  const { gateway } = await serve(withPipeline(rest, { merging: mergeWrites({ maxItems: 100 }) }), false);
  return { gateway, calls: service.calls };
}

/** Publishes all articles by a job, and gives the results. */
async function publishAll(gateway: Gateway, count: number): Promise<readonly unknown[]> {
  const client = jobsClient(gateway);
  const articles = list(count, (n) => ({ articleId: `article-${n}`, title: `New ${n}` }));
  const { job } = await client.submit('publish', { articles, publish: true, userId: 'embedded-store' });
  const done = await client.untilDone(job.id);
  expect(done.summary).toMatchObject({ total: count, updated: count, pending: 0 });
  const { articleUpdateJob } = await client.send(RESULTS, { id: job.id });
  return Object(articleUpdateJob).results.nodes;
}

const PUBLISHED = { __typename: 'ArticleUpdated', evidence: 'ANSWER', publication: 'PUBLISHED' };

describe('a job with 1,000 articles that are published', () => {
  it.each<[string, () => Promise<string>]>([
    ['SQLite', openSqlite],
    ['PostgreSQL', openPostgres],
  ])('publishes each of them over %s', async (_name, openUrl) => {
    const store = await openStore(await openUrl(), ARTICLES, 'all');
    const { gateway } = await serve(store, true);
    expect(await publishAll(gateway, ARTICLES)).toEqual(list(ARTICLES, () => PUBLISHED));
  });

  it('publishes each of them over the service, by as many calls as are estimated', { tags: 'long' }, async () => {
    const { gateway, calls } = await serveOverRest(await openStore(await openSqlite(), ARTICLES, 'all'));
    expect(await publishAll(gateway, ARTICLES)).toEqual(list(ARTICLES, () => PUBLISHED));
    const tree = 'GET /v2/ProjectVersions/v1/categories';
    const [update, publish] = ['PUT /v2/Articles/bulkupdate', 'POST /v2/Articles/bulkpublish/en'];
    const versions = 'GET /v2/ProjectVersions';
    // Each update reads which articles are hidden. Publications read the project versions once for the job.
    const expected = [
      ...[versions, tree, update, versions, tree, publish],
      ...list(9, () => [versions, tree, update, tree, publish]).flat(),
    ];
    expect(calls.slice(-expected.length)).toEqual(expected);
  });

  it('publishes fewer at a time where their versions take many reads', { tags: 'long' }, async () => {
    const { gateway, calls } = await serveOverRest(await openStore(await openSqlite(), 100, null));
    expect(await publishAll(gateway, 100)).toEqual(list(100, () => PUBLISHED));
    expect(calls.filter((call) => call.startsWith('POST'))).toEqual(list(2, () => 'POST /v2/Articles/bulkpublish/en'));
  });
});

async function openSqlite(): Promise<string> {
  return `sqlite:${temporaryFolder()}/kb.db`;
}

async function openPostgres(): Promise<string> {
  const database = await createPostgresDatabase(inject('postgresUrl') ?? '');
  onTestFinished(() => database.drop());
  return database.url;
}
