import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/core/base/log.ts';
import { STORE_ACCOUNT } from '../../src/store/knowledge-base/format.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { startGateway } from '../support/gateway.ts';
import { askOf, findingsOf, inFolder, start } from './gateways.ts';
import { API_TOKEN, DATABASE, makeDatabase, SETTINGS, type Settings } from './knowledge.ts';
import type { Ask } from './subjects.ts';

const KILLS = 8;
const CLIENTS = 4;
const ITEMS = 3;
/** Milliseconds from the first answer to a new request to the kill, at most. */
const LONGEST_LIFE_MS = 700;

const CREATE = `mutation ($input: CreateArticlesInput!, $key: String) {
  createArticles(input: $input, idempotencyKey: $key) {
    __typename
    ... on CreateArticlesPayload { replayed results { __typename title ... on ArticleCreated { articleId } } }
    ... on MutationError { mayHaveApplied }
  }
}`;

const TITLES = `query ($after: String) {
  articles(categoryId: "shelf-0", first: 100, after: $after) { nodes { articleId title } pageInfo { hasNextPage endCursor } }
}`;

interface Created {
  readonly __typename: string;
  readonly mayHaveApplied?: boolean;
  readonly replayed?: boolean;
  readonly results?: readonly { readonly __typename: string; readonly title: string; readonly articleId?: string }[];
}

/** A create with a key, which its client repeats until it has an answer. */
interface Request {
  readonly key: string;
  readonly titles: readonly string[];
  answer: Created | null;
}

async function send(ask: Ask, { key, titles }: Request): Promise<Created> {
  const articles = titles.map((title) => ({ title, projectVersionId: 'v1', categoryId: 'shelf-0', content: title }));
  const data = await ask(CREATE, { key, input: { articles, userId: STORE_ACCOUNT.user_id } });
  return JSON.parse(JSON.stringify(data['createArticles']));
}

/** All IDs by title. */
async function readTitles(ask: Ask): Promise<ReadonlyMap<string, readonly string[]>> {
  const found: { articleId: string; title: string }[] = [];
  for (let after: string | null = null, more = true; more; ) {
    const data: object = await ask(TITLES, { after });
    const { articles } = JSON.parse(JSON.stringify(data));
    found.push(...articles.nodes);
    after = articles.pageInfo.endCursor;
    more = articles.pageInfo.hasNextPage;
  }
  const byTitle = Map.groupBy(found, ({ title }) => title);
  return new Map([...byTitle].map(([title, of]) => [title, of.map(({ articleId }) => articleId)]));
}

const isGone = (error: unknown): boolean => error instanceof TypeError || error instanceof SyntaxError;

function addRequest(requests: Request[], client: number): Request {
  const key = `${client}.${requests.length}`;
  const request = { key, titles: Array.from({ length: ITEMS }, (_, n) => `New ${key}.${n}`), answer: null };
  requests.push(request);
  return request;
}

/** Kills the gateway in a folder again and again, while clients create articles by it. Each repeats what got no answer. */
async function killWhileCreating(folder: string, settings: Settings): Promise<readonly Request[]> {
  const requests: Request[] = [];
  const unanswered = Array.from({ length: CLIENTS }, (): Request | null => null);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { gateway } = await start(folder, settings);
    const ask = askOf(gateway);
    // However slow the machine is, each life has answered a request that began in it.
    const { promise: answered, resolve: onAnswered } = Promise.withResolvers<void>();
    const client = async (index: number) => {
      try {
        while (true) {
          const repeated = unanswered[index];
          const request = repeated ?? addRequest(requests, index);
          unanswered[index] = request;
          request.answer = await send(ask, request);
          unanswered[index] = null;
          if (!repeated) onAnswered();
        }
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    };
    const clients = Promise.all(unanswered.keys().map(client));
    await Promise.race([answered, clients]);
    await sleep(randomInt(LONGEST_LIFE_MS));
    await gateway.stop('SIGKILL');
    await clients;
  }
  const { gateway } = await start(folder, settings);
  for (const request of unanswered) if (request) request.answer = await send(askOf(gateway), request);
  // Once more, after it was answered.
  for (const request of requests) {
    const again = await send(askOf(gateway), request);
    expect(again).toEqual({ ...request.answer, replayed: true });
  }
  await gateway.stop('SIGKILL');
  return requests;
}

/** What was acknowledged is there, under the ID that was told, and nothing is there twice. */
function expectOnce(requests: readonly Request[], found: ReadonlyMap<string, readonly string[]>): void {
  const outcomes = requests.flatMap(
    ({ answer }) => answer?.results ?? [{ __typename: `${answer?.__typename}`, title: '' }],
  );
  for (const { __typename, title, articleId } of outcomes) {
    const ids = found.get(title) ?? [];
    expect(ids.length, title).toBeLessThanOrEqual(1);
    if (__typename === 'ArticleCreated') expect(ids).toEqual([articleId]);
    else expect(__typename).toBe('ArticleCreateUnknown');
  }
  expect(outcomes.filter(({ __typename }) => __typename === 'ArticleCreated').length).toBeGreaterThan(KILLS);
}

describe.concurrent('a gateway that is killed again and again while it creates articles', () => {
  it('keeps what it acknowledged, and creates nothing twice, over its store', () =>
    inFolder(async (folder) => {
      await makeDatabase(folder);
      const requests = await killWhileCreating(folder, SETTINGS);
      expect(await findingsOf(folder)).toEqual([]);
      const { gateway } = await start(folder);
      expectOnce(requests, await readTitles(askOf(gateway)));
      await gateway.stop();
    }));

  it('sends nothing twice to the service', () =>
    inFolder(async (folder) => {
      await makeDatabase(folder);
      const store = await openLocalBackend({
        databaseUrl: `sqlite:${join(folder, DATABASE)}`,
        apiTokens: [API_TOKEN],
        log: silentLog,
      });
      const service = await startGateway({ backend: store, local: true, token: API_TOKEN });
      const requests = await killWhileCreating(folder, { UPSTREAM_URL: service.url });
      const ask: Ask = async (query, variables) => (await service.send(query, variables)).body.data ?? {};
      expectOnce(requests, await readTitles(ask));
      await service.close();
      await store.close();
    }));
});
