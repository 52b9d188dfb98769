import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../../../src/core/base/logger.ts';
import { type Behaviour, drip, json, reset, status } from '../../support/faulty-service.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { fixture } from '../../support/fixtures.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { openScene } from '../../support/rest-scene.ts';
import { type Audited, missingLines, openAudited } from './audit-harness.ts';

const BULK = 'PUT /v2/Articles/bulkupdate';
const GROUP = 'PUT /v2/Readers/groups/g1';

const update = (...articleIds: readonly string[]) => {
  const articles = articleIds.map((articleId) => `{ articleId: "${articleId}", title: "Nobody's business" }`);
  return `mutation { bulkUpdateArticles(input: { articles: [${articles.join(' ')}] }) { __typename ... on MutationError { code message } } }`;
};

const preview = (articleId: string) => update(articleId).replace('bulkUpdateArticles', 'previewBulkUpdateArticles');

const RENAME = `mutation { updateReaderGroup(input: { groupId: "g1", title: "Nobodys business", description: null,
  readerIds: [], invitedSsoUserIds: [], accessScope: { level: PROJECT } }) { __typename ... on MutationError { code message } } }`;

const envelope = (httpStatus: number, description: string): Behaviour =>
  json(httpStatus, { success: false, errors: [{ description }], warnings: null, information: null });

const items = (...data: readonly object[]): Behaviour => json(200, { data, success: true, errors: [] });

async function start(audited: Audited, local = false): Promise<Gateway> {
  const gateway = await startGateway({ backend: audited.backend, local, token: 'the-token-of-a-caller' });
  onTestFinished(() => gateway.close());
  return gateway;
}

async function overService(options: Parameters<typeof openScene>[0] = {}, failureMode: 'closed' | 'open' = 'closed') {
  const scene = await openScene(options);
  const audited = await openAudited(scene.backend, failureMode);
  return { ...scene, audited, gateway: await start(audited) };
}

const WHO = { tokenFingerprint: expect.stringMatching(/^[\da-f]{16}$/u) };
const EMPTY = { count: 0, articleIds: [] };

describe('the audit log', () => {
  it('has the caller and the items of a write before it is sent, and its outcome before the response', async () => {
    const { audited, service, gateway } = await overService();
    let recordsWhenSent: unknown;
    service.on(BULK, async (response, request) => {
      recordsWhenSent = await audited.records();
      const results = [
        { article_id: 'a1', success: true },
        { article_id: 'a2', success: false, details: 'No.' },
      ];
      return items(...results)(response, request);
    });
    const { body } = await gateway.send(update('a1', 'a2'));
    expect(body.data).toEqual({ bulkUpdateArticles: { __typename: 'BulkUpdateArticlesPayload' } });
    const [intent, outcome, ...more] = await audited.records();
    expect(more).toEqual([]);
    expect(recordsWhenSent).toEqual([intent]);
    const common = {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u),
      requestId: expect.stringMatching(/^[\da-f-]{36}$/u),
      who: WHO,
      operation: 'bulkUpdateArticles',
    };
    expect(intent).toEqual({ ...common, phase: 'intent', articleIds: ['a1', 'a2'] });
    expect(outcome).toEqual({
      ...common,
      requestId: intent?.requestId,
      phase: 'outcome',
      result: 'payload',
      outcomes: {
        updated: { count: 1, articleIds: ['a1'] },
        failed: { count: 1, articleIds: ['a2'] },
        unknown: EMPTY,
        'not-attempted': EMPTY,
      },
    });
  });

  it('counts unknown items, and those that were not attempted after them', async () => {
    const { audited, service, gateway } = await overService({ bulkSize: 1 });
    service.on(BULK, items({ article_id: 'a1', success: true }), reset());
    await gateway.send(update('a1', 'a2', 'a3'));
    expect((await audited.records())[1]?.outcomes).toEqual({
      updated: { count: 1, articleIds: ['a1'] },
      failed: EMPTY,
      unknown: { count: 1, articleIds: ['a2'] },
      'not-attempted': { count: 1, articleIds: ['a3'] },
    });
  });

  it.each([
    ['payload', undefined, json(200, fixture('reader-group-update-success').body)],
    ['reader-group-not-found', false, envelope(400, 'The reader group Id does not exist.')],
    ['validation', false, envelope(400, 'The Title field is required.')],
    ['unauthenticated', false, status(401)],
    ['forbidden', false, status(403)],
    ['rate-limited', false, status(429, '', { 'retry-after': '3600' })],
    ['rejected', false, envelope(400, 'No.')],
    ['rejected', true, json(200, { success: false, errors: [], warnings: null, information: null })],
    ['outcome-unknown', true, envelope(500, 'Oops.')],
    ['outcome-unknown', true, reset()],
    ['outcome-unknown', true, drip()],
  ])(
    'has the result of a group update and whether it may have applied: %s, %s',
    async (result, mayHaveApplied, behaviour) => {
      const { audited, service, gateway } = await overService({ timeoutMs: 300 });
      service.on(GROUP, behaviour);
      await gateway.send(RENAME);
      const common = { operation: 'updateReaderGroup', who: WHO, groupId: 'g1' };
      expect(await audited.records()).toEqual([
        expect.objectContaining({ ...common, phase: 'intent' }),
        expect.objectContaining({
          ...common,
          phase: 'outcome',
          result,
          ...(result !== 'payload' && { mayHaveApplied }),
        }),
      ]);
    },
  );

  it('records a write that never reached the service as unavailable', async () => {
    const { audited, service, gateway } = await overService();
    await service.close();
    await gateway.send(RENAME);
    expect((await audited.records())[1]).toMatchObject({ result: 'unavailable', mayHaveApplied: false });
  });

  it('has neither tokens nor content, and truncates long IDs', async () => {
    const { audited, service, gateway } = await overService();
    service.on(BULK, status(500));
    service.on(GROUP, status(500));
    await gateway.send(update('x'.repeat(100_000)));
    await gateway.send(RENAME);
    const text = await readFile(audited.path, 'utf8');
    expect(text).not.toMatch(/business|the-token/u);
    expect(text.length).toBeLessThan(4_000);
  });

  it('has every write of all three kinds to the embedded store, over GraphQL and over REST', async () => {
    const audited = await openAudited(await openFixtureStore());
    const gateway = await start(audited, true);
    const headers = { api_token: TOKEN };
    await gateway.send(update('a1', 'no-such-article'), {}, headers);
    await gateway.send(RENAME, {}, headers);
    await gateway.send(
      'mutation { changeReaderGroupMembers(input: { groupId: "g1", removeReaderIds: ["nobody"] }) { __typename } }',
      {},
      headers,
    );
    await fetch(`${gateway.url}/v2/Articles/bulkupdate`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify([{ article_id: 'a1', title: 'Over REST' }]),
    });
    const outcomes = (await audited.records()).filter(({ phase }) => phase === 'outcome');
    expect(outcomes.map(({ operation, result, groupId }) => [operation, result, groupId])).toEqual([
      ['bulkUpdateArticles', 'payload', undefined],
      ['updateReaderGroup', 'payload', 'g1'],
      ['changeReaderGroupMembers', 'payload', 'g1'],
      ['bulkUpdateArticles', 'payload', undefined],
    ]);
    expect(outcomes[0]?.outcomes).toMatchObject({ updated: { count: 1 }, failed: { articleIds: ['no-such-article'] } });
    expect(new Set(outcomes.map(({ who }) => JSON.stringify(who))).size).toBe(1);
  });

  it('does not record queries, previews, or writes that are refused before they are sent', async () => {
    const audited = await openAudited(await openFixtureStore());
    const gateway = await start(audited, true);
    await gateway.send('{ projectVersions { name } }', {}, { api_token: TOKEN });
    await gateway.send(preview('a1'), {}, { api_token: TOKEN });
    await gateway.send(update(), {}, { api_token: TOKEN });
    await gateway.send(update('a1'), {}, { api_token: 'of-an-untrusted-caller' });
    expect(await audited.records()).toEqual([]);
  });

  it('has two whole lines for each of many concurrent writes, the intent first', { tags: 'long' }, async () => {
    const audited = await openAudited(await openFixtureStore());
    const gateway = await start(audited, true);
    await Promise.all(Array.from({ length: 200 }, () => gateway.send(update('a1', 'a2'), {}, { api_token: TOKEN })));
    const phases = Map.groupBy(await audited.records(), ({ requestId }) => requestId)
      .values()
      .map((records) => records.map(({ phase }) => phase).join(' '))
      .toArray();
    expect(phases).toEqual(Array.from({ length: 200 }, () => 'intent outcome'));
  });

  it('has the outcome of a write whose caller has disconnected', async () => {
    const { audited, service, gateway } = await overService();
    const disconnect = new AbortController();
    service.on(BULK, async (response, request) => {
      disconnect.abort();
      await aborted;
      return items({ article_id: 'a1', success: true })(response, request);
    });
    const aborted = fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      signal: disconnect.signal,
      headers: { 'content-type': 'application/json', api_token: 'the-token-of-a-caller' },
      body: JSON.stringify({ query: update('a1') }),
    }).catch(() => 'gone');
    expect(await aborted).toBe('gone');
    await expect.poll(audited.records).toHaveLength(2);
    expect((await audited.records())[1]).toMatchObject({ result: 'payload', outcomes: { updated: { count: 1 } } });
  });

  it('has the outcome of every write that was in flight when the gateway stopped', async () => {
    const { backend, service, caller } = await openScene();
    const audited = await openAudited(backend);
    const arrived = Promise.withResolvers<void>();
    service.on(BULK, () => arrived.resolve());
    const result = audited.backend.bulkUpdateArticles(caller, [{ articleId: 'a1', title: 'x' }]);
    await arrived.promise;
    await audited.backend.close();
    expect((await audited.records())[1]).toMatchObject({ phase: 'outcome', outcomes: { unknown: { count: 1 } } });
    expect(await result).toMatchObject({ ok: true });
  });

  it('records a bug in the gateway as an unexpected error', async () => {
    const { backend, caller } = await openScene();
    const bug = () => Promise.reject(new Error('a bug'));
    const audited = await openAudited({ ...backend, updateReaderGroup: bug });
    const change = { groupId: 'g1', title: 'x', accessScope: { level: 'PROJECT' } } as const;
    await expect(audited.backend.updateReaderGroup(caller, change)).rejects.toThrow('a bug');
    expect((await audited.records())[1]).toMatchObject({ result: 'unexpected-error', mayHaveApplied: true });
  });
});

describe('an audit log that cannot be written', () => {
  it('blocks writes when it fails closed, and reads go on', async () => {
    const { audited, service, gateway } = await overService();
    service.on('GET /v2/ProjectVersions', json(200, fixture('project-versions').body));
    await mkdir(audited.path);
    for (const document of [update('a1'), RENAME]) {
      const { body } = await gateway.send(document);
      expect(Object.values(body.data ?? {})).toEqual([
        {
          __typename: 'ServiceUnavailableError',
          code: 'UNAVAILABLE',
          message: 'The gateway cannot record writes at the moment, so nothing was sent.',
        },
      ]);
    }
    expect(service.received).toEqual([]);
    expect((await gateway.send('{ projectVersions { name } }')).body.errors).toBeUndefined();
    expect(audited.logged.at(-1)?.fields).toMatchObject({ reason: 'EISDIR', phase: 'intent', part: 1, parts: 1 });
    expect(missingLines(audited).at(-1)).toMatchObject({ operation: 'updateReaderGroup', phase: 'intent', who: WHO });
  });

  it('allows writes again as soon as it can be written', async () => {
    const { audited, service, gateway } = await overService();
    service.on(BULK, items({ article_id: 'a1', success: true }));
    await mkdir(audited.path);
    await gateway.send(update('a1'));
    await gateway.send(update('a1'));
    await rename(audited.path, `${audited.path}.directory`);
    const { body } = await gateway.send(update('a1'));
    expect(body.data).toEqual({ bulkUpdateArticles: { __typename: 'BulkUpdateArticlesPayload' } });
    const records = await audited.records();
    expect(records.map(({ phase }) => phase)).toEqual(['intent', 'outcome']);
  });

  it('does not block writes when it fails open; the log of the gateway has the lines', async () => {
    const { audited, service, gateway } = await overService({}, 'open');
    service.on(BULK, items({ article_id: 'a1', success: true }));
    await mkdir(audited.path);
    const { body } = await gateway.send(update('a1'));
    expect(body.data).toEqual({ bulkUpdateArticles: { __typename: 'BulkUpdateArticlesPayload' } });
    expect(missingLines(audited)).toEqual([
      expect.objectContaining({ phase: 'intent', articleIds: ['a1'] }),
      expect.objectContaining({ phase: 'outcome', result: 'payload' }),
    ]);
  });

  it('does not change the result of a write when it fails after it', async () => {
    const { audited, service, gateway } = await overService();
    service.on(BULK, async (response, request) => {
      await rename(audited.path, `${audited.path}.1`);
      await mkdir(audited.path);
      return items({ article_id: 'a1', success: true })(response, request);
    });
    const { body } = await gateway.send(update('a1'));
    expect(body.data).toEqual({ bulkUpdateArticles: { __typename: 'BulkUpdateArticlesPayload' } });
    expect(missingLines(audited)).toEqual([expect.objectContaining({ phase: 'outcome', result: 'payload' })]);
  });

  it('leaves every ID and count of a large write, and its caller, in the log of the gateway', async () => {
    const { audited, service, gateway } = await overService({ bulkSize: 1_000 }, 'open');
    const ids = Array.from({ length: 1_000 }, (_, index) => `article-${index}-${'é'.repeat(20)}`);
    service.on(BULK, items());
    await mkdir(audited.path);
    const written: string[] = [];
    const log = createLogger({ level: 'error', write: (line) => written.push(line) });
    const articles = ids.map((articleId) => ({ articleId, title: 'x' }));
    const query = `mutation($articles: [ArticleUpdateInput!]!) { bulkUpdateArticles(input: { articles: $articles }) { __typename } }`;
    await gateway.send(query, { articles });
    for (const { message, fields } of audited.logged) log('error', message, fields);
    expect(Math.max(...written.map((line) => line.length))).toBeLessThan(4_000);
    const logged = written.map((line): { message: string } => JSON.parse(line));
    const lines = missingLines({ ...audited, logged: logged.map((fields) => ({ message: fields.message, fields })) });
    expect(lines).toEqual([
      expect.objectContaining({ phase: 'intent', who: WHO, articleIds: ids }),
      expect.objectContaining({ phase: 'outcome', who: WHO }),
    ]);
    expect(lines[1]).toMatchObject({ outcomes: { unknown: { count: 1_000, articleIds: ids } } });
  });

  it.each(['closed', 'open'] as const)(
    'makes the gateway not ready while it blocks writes: %s',
    async (failureMode) => {
      vi.useFakeTimers({ toFake: ['performance'] });
      onTestFinished(() => void vi.useRealTimers());
      const { audited, service, gateway } = await overService({}, failureMode);
      service.on(GROUP, json(200, { success: true, result: false }));
      const isReady = async () => {
        vi.advanceTimersByTime(5_000);
        const response = await fetch(`${gateway.url}/health/ready`);
        return [response.status, await response.json()];
      };
      const ready = [200, { status: 'ready' }];
      expect(await isReady()).toEqual(ready);
      await rm(audited.path, { force: true });
      await mkdir(audited.path);
      await gateway.send(RENAME);
      const reason = 'The audit log cannot be written (EISDIR).';
      expect(await isReady()).toEqual(failureMode === 'closed' ? [503, { status: 'not ready', reason }] : ready);
      await rename(audited.path, `${audited.path}.directory`);
      expect(await isReady()).toEqual(ready);
    },
  );
});
