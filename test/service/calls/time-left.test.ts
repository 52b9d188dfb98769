import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { SharedBudgets } from '../../../src/core/shared-state.ts';
import { withPipeline } from '../../../src/core/writes/pipeline.ts';
import { mergeWrites } from '../../../src/service/merging/merging.ts';
import { type Behaviour, envelope, hang, json, openFaultyService } from '../../support/faulty-service.ts';
import { startGateway } from '../../support/gateway.ts';
import { createSharedWorld } from '../../support/memory-shared-state.ts';
import { callerWith, openAcceptedScene, openBackendTo, openScene } from '../../support/rest-scene.ts';

const BULK = 'PUT /v2/Articles/bulkupdate';
const VERSIONS = 'GET /v2/ProjectVersions';
const found = json(200, { data: [], success: true });
const updated = json(200, { success: true, data: [{ article_id: 'a', success: true }] });

const later =
  (ms: number, behaviour: Behaviour): Behaviour =>
  async (response, request) => {
    await sleep(ms);
    await behaviour(response, request);
  };

/** Says how long the request may take, and how to get the rest done. */
const outOfTime = (ms: number) =>
  `The request has ${ms} ms (REQUEST_TIMEOUT_MS), and too little time was left to send this. Send again what is \`retryable\`; with a larger REQUEST_TIMEOUT_MS one request sends more.`;

describe('a write', () => {
  const update = [{ articleId: 'a' }];

  it('is not begun in the last second of its request', async () => {
    const { service, backend } = await openScene();
    service.on(BULK, updated);
    expect(await backend.bulkUpdateArticles(callerWith('t', 900), update)).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', message: outOfTime(900) },
    });
    expect(service.received).toEqual([]);
  });

  it('is not begun with less time than the slowest recent call took', { tags: 'long' }, async () => {
    const { service, backend } = await openScene();
    service.on(VERSIONS, later(1_200, found), found);
    service.on(BULK, updated);
    for (let call = 0; call < 2; call += 1) await backend.projectVersions(callerWith('t'));
    expect(await backend.bulkUpdateArticles(callerWith('t', 1_150), update)).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', message: outOfTime(1_150) },
    });
    expect(await backend.bulkUpdateArticles(callerWith('t', 60_000), update)).toMatchObject({ ok: true });
    expect(await backend.bulkUpdateArticles(callerWith('another', 60_000), update)).toMatchObject({ ok: true });
    expect(service.receivedOn(BULK)).toHaveLength(2);
  });

  it('is not begun where the budget of several gateways grants it late, and leaves its call to others', async () => {
    const shared = createSharedWorld().gateway();
    let granted = Promise.resolve();
    const budgets: SharedBudgets = {
      async update(tokenKey, change) {
        const result = await shared.budgets.update(tokenKey, change);
        await granted;
        return result;
      },
    };
    const { service, backend, caller } = await openAcceptedScene({ shared: { ...shared, budgets } });
    service.on(VERSIONS, json(200, { data: [], success: true }, { 'x-ratelimit-remaining': '5' }));
    await backend.projectVersions(caller);
    await backend.rateLimit(caller);
    const { promise, resolve } = Promise.withResolvers<void>();
    granted = promise;
    const writer = callerWith('token-1', 1_100);
    const written = backend.bulkUpdateArticles(writer, update);
    await expect.poll(() => performance.now() > writer.deadline - 1_000).toBe(true);
    resolve();
    expect(await written).toMatchObject({ ok: false, error: { kind: 'unavailable', message: outOfTime(1_100) } });
    expect(service.receivedOn(BULK)).toEqual([]);
    expect(await backend.rateLimit(caller)).toMatchObject({ ok: true, value: { remaining: 5 } });
  });

  it('has the whole time of a call once it has begun, beyond the deadline of its request', {
    tags: 'long',
  }, async () => {
    const { service, backend } = await openScene({ timeoutMs: 10_000 });
    service.on(BULK, later(1_800, updated));
    expect(await backend.bulkUpdateArticles(callerWith('t', 1_500), update)).toMatchObject({
      ok: true,
      value: { outcomes: [{ kind: 'updated' }] },
    });
  });

  it('has an unknown outcome when it is cut off at the end of that time', async () => {
    const { service, backend } = await openScene({ timeoutMs: 300 });
    service.on(BULK, hang());
    expect(await backend.bulkUpdateArticles(callerWith('t', 60_000), update)).toMatchObject({
      ok: true,
      value: { outcomes: [{ kind: 'unknown' }] },
    });
  });

  it('does not begin its later chunks in the last second', async () => {
    const { service, backend } = await openScene({ bulkSize: 1 });
    service.on(BULK, later(600, updated));
    const result = await backend.bulkUpdateArticles(callerWith('t', 1_500), [...update, { articleId: 'b' }]);
    expect(result).toMatchObject({
      ok: true,
      value: {
        outcomes: [
          { kind: 'updated' },
          { kind: 'not-attempted', reason: 'OUT_OF_TIME', retryAfterSeconds: null, details: outOfTime(1_500) },
        ],
      },
    });
    expect(service.receivedOn(BULK)).toHaveLength(1);
  });
});

describe('a long bulk update', () => {
  const UPDATE = /* GraphQL */ `
    mutation ($articles: [ArticleUpdateInput!]!) {
      bulkUpdateArticles(input: { articles: $articles }) {
        __typename
        ... on BulkUpdateArticlesPayload {
          summary { total updated failed unknown notAttempted }
          results { articleId retryable details ... on ArticleUpdateNotAttempted { reason } }
        }
      }
    }
  `;
  /** Updates every article. */
  const updateAll: Behaviour = (response, request) => {
    const data = z.array(z.object({ article_id: z.string() })).parse(request.body);
    return json(200, envelope(data.map(({ article_id }) => ({ article_id, success: true }))))(response, request);
  };

  it('leaves nothing unknown that a healthy service answers: what there is no time for is not attempted', {
    tags: 'long',
  }, async () => {
    const service = await openFaultyService();
    service.on(BULK, later(900, updateAll));
    const gateway = await startGateway({
      backend: withPipeline(openBackendTo(service), { merging: mergeWrites({ maxItems: 100, minTimeLeftMs: 1_000 }) }),
      local: false,
      token: 't',
      requestTimeoutMs: 3_000,
    });
    onTestFinished(async () => {
      await gateway.close();
      await service.close();
    });
    const articles = Array.from({ length: 5_000 }, (_, index) => ({ articleId: `a${index}`, title: 'New' }));
    const { body } = await gateway.send(UPDATE, { articles });
    const updated = service.receivedOn(BULK).length * 100;
    expect(updated).toBeGreaterThan(0);
    expect(body).toEqual({
      data: {
        bulkUpdateArticles: {
          __typename: 'BulkUpdateArticlesPayload',
          summary: { total: 5_000, updated, failed: 0, unknown: 0, notAttempted: 5_000 - updated },
          results: articles.map(({ articleId }, index) =>
            index < updated
              ? { articleId, retryable: false, details: null }
              : { articleId, retryable: true, reason: 'OUT_OF_TIME', details: outOfTime(3_000) },
          ),
        },
      },
    });
  });
});

describe('a read', () => {
  it('ends with its request', async () => {
    const { service, backend } = await openScene({ timeoutMs: 60_000 });
    service.on(VERSIONS, hang());
    expect(await backend.projectVersions(callerWith('t', 1_000))).toMatchObject({
      ok: false,
      error: { kind: 'unavailable' },
    });
    expect(service.received).toHaveLength(1);
  });
});
