import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Behaviour, hang, json } from '../../support/faulty-service.ts';
import { callerWith, openScene } from '../../support/rest-scene.ts';

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

const OUT_OF_TIME = 'The time for the request was up before this was sent.';

describe('a write', () => {
  const update = [{ articleId: 'a' }];

  it('is not begun in the last second of its request', async () => {
    const { service, backend } = await openScene();
    service.on(BULK, updated);
    expect(await backend.bulkUpdateArticles(callerWith('t', 900), update)).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', message: OUT_OF_TIME },
    });
    expect(service.received).toEqual([]);
  });

  it('is not begun with less time than the slowest recent call took', async () => {
    const { service, backend } = await openScene();
    service.on(VERSIONS, later(1_200, found), found);
    service.on(BULK, updated);
    for (let call = 0; call < 2; call += 1) await backend.projectVersions(callerWith('t'));
    expect(await backend.bulkUpdateArticles(callerWith('t', 1_150), update)).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', message: OUT_OF_TIME },
    });
    expect(await backend.bulkUpdateArticles(callerWith('t', 5_000), update)).toMatchObject({ ok: true });
    expect(await backend.bulkUpdateArticles(callerWith('another', 5_000), update)).toMatchObject({ ok: true });
    expect(service.receivedOn(BULK)).toHaveLength(2);
  });

  it('has the whole time of a call once it has begun, beyond the deadline of its request', async () => {
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
    expect(await backend.bulkUpdateArticles(callerWith('t', 5_000), update)).toMatchObject({
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
          { kind: 'not-attempted', reason: 'OUT_OF_TIME', retryAfterSeconds: null, details: OUT_OF_TIME },
        ],
      },
    });
    expect(service.receivedOn(BULK)).toHaveLength(1);
  });
});

describe('a read', () => {
  it('ends with its request', async () => {
    const { service, backend } = await openScene({ timeoutMs: 60_000 });
    service.on(VERSIONS, hang());
    expect(await backend.projectVersions(callerWith('t', 200))).toMatchObject({
      ok: false,
      error: { kind: 'unavailable' },
    });
    expect(service.received).toHaveLength(1);
  });
});
