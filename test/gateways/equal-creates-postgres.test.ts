import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { createPostgresDatabase, type PostgresDatabase } from '../support/postgres-database.ts';
import { type RunningGateway, startGatewayProcess } from '../support/process.ts';
import { type CreatingService, openCreatingService, PLACE, USER } from './creating-service.ts';

const OWN_TOKEN = 'gateway-token';

const CREATE = `mutation ($input: CreateArticlesInput!, $key: String) {
  createArticles(input: $input, idempotencyKey: $key) {
    __typename
    ... on CreateArticlesPayload { results {
      __typename ... on ArticleCreated { articleId evidence } ... on ArticleCreateUnknown { candidates { articleId } }
    } }
    ... on MutationError { code mayHaveApplied }
  }
}`;

/** Creates an article. What was surely not sent is sent again: on a busy machine the state may be away for a moment. */
async function create({ url }: RunningGateway, title: string, key: string | null = null): Promise<unknown> {
  const input = { articles: [{ title, ...PLACE }], userId: USER };
  for (;;) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: OWN_TOKEN },
      body: JSON.stringify({ query: CREATE, variables: { input, key } }),
    });
    const { createArticles } = JSON.parse(await response.text()).data;
    if (createArticles.mayHaveApplied !== false) return createArticles.results?.[0] ?? createArticles;
    await sleep(100);
  }
}

const created = (articleId: string, evidence: 'ANSWER' | 'READ_BACK') => ({
  ...{ __typename: 'ArticleCreated', articleId, evidence },
});
const unknown = (...ids: string[]) => ({
  ...{ __typename: 'ArticleCreateUnknown', candidates: ids.map((articleId) => ({ articleId })) },
});

describe('equal creates through two gateways with one state in PostgreSQL', () => {
  let cwd: string;
  let database: PostgresDatabase;
  let service: CreatingService;
  let one: RunningGateway;
  let other: RunningGateway;

  const start = () => {
    const settings = {
      UPSTREAM_URL: service.url,
      UPSTREAM_API_TOKEN: 'service-token',
      API_TOKEN: OWN_TOKEN,
      STATE_URL: database.url,
      UPSTREAM_TIMEOUT_MS: '60000',
      REQUEST_TIMEOUT_MS: '60000',
    };
    return startGatewayProcess({ cwd, settings });
  };

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-creates-'));
    database = await createPostgresDatabase(inject('postgresUrl') ?? '');
    service = await openCreatingService();
    [one, other] = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all([one.stop('SIGKILL'), other.stop('SIGKILL')]);
    await service.close();
    await database.drop();
    await rm(cwd, { recursive: true });
  });

  describe.each([
    { cut: 'before the other is sent', isCutFirst: true },
    { cut: 'while the other is under way', isCutFirst: false },
  ])('one that is cut $cut', ({ isCutFirst }) => {
    it.each([
      { answer: 'before it is looked for', isAnsweredFirst: true },
      { answer: 'after it was looked for', isAnsweredFirst: false },
    ])('is not created by the article of the other, which is answered $answer', async ({ isAnsweredFirst }) => {
      const title = `Equal ${isCutFirst} ${isAnsweredFirst}`;
      const freeLists = service.holdLists();
      onTestFinished(freeLists);
      const cut = create(one, title);
      const first = await service.nextCreate();
      if (isCutFirst) first.cut();
      const answered = create(other, title);
      const second = await service.nextCreate();
      const articleId = second.apply();
      if (!isCutFirst) first.cut();
      if (isAnsweredFirst) {
        second.answer();
        expect(await answered).toEqual(created(articleId, 'ANSWER'));
      }
      freeLists();
      expect(await cut).toEqual(unknown(articleId));
      if (!isAnsweredFirst) second.answer();
      expect(await answered).toEqual(created(articleId, 'ANSWER'));
    });
  });

  it('both stay unknown where both are cut, whichever has made the article', async () => {
    const freeLists = service.holdLists();
    onTestFinished(freeLists);
    const answers = [create(one, 'Both'), create(other, 'Both')];
    const [first, second] = [await service.nextCreate(), await service.nextCreate()];
    const articleId = first.apply();
    first.cut();
    second.cut();
    freeLists();
    expect(await Promise.all(answers)).toEqual([unknown(articleId), unknown(articleId)]);
  });

  it('one stays unknown whose equal was under way at a gateway that was killed, and one of the killed gateway, too', {
    tags: 'long',
  }, async () => {
    const lost = create(other, 'Killed', 'key').catch(() => null);
    const articleId = (await service.nextCreate()).apply();
    await other.stop('SIGKILL');
    expect(await lost).toBeNull();
    const cut = create(one, 'Killed');
    (await service.nextCreate()).cut();
    expect(await cut).toEqual(unknown(articleId));
    other = await start();
    expect(await create(other, 'Killed', 'key')).toMatchObject({ __typename: 'ArticleCreateUnknown' });
  });

  it('one alone is created by its own article, and stays so where its request is repeated', async () => {
    const cut = create(one, 'Alone', 'alone');
    const first = await service.nextCreate();
    const articleId = first.apply();
    first.cut();
    await cut;
    await expect.poll(() => create(one, 'Alone', 'alone')).toEqual(created(articleId, 'READ_BACK'));
    // An equal one comes later, and the article is not made a second time.
    const later = create(other, 'Alone');
    (await service.nextCreate()).cut();
    expect(await later).toEqual(unknown(articleId));
    expect(await create(other, 'Alone', 'alone')).toEqual(created(articleId, 'READ_BACK'));
  });
});
