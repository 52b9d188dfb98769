import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { err, ok } from '../../../src/core/base/result.ts';
import { createRequestFacts } from '../../../src/core/callers/request-facts.ts';
import { unavailable } from '../../../src/core/errors.ts';
import { CALL_QUEUE_FULL, type CallFailure } from '../../../src/service/calls/service-call.ts';
import type { SendHttp } from '../../../src/service/calls/service-client.ts';
import { openPipeline } from '../../support/call-pipeline.ts';
import { held, json, reset, status } from '../../support/faulty-service.ts';
import { callerWith, openScene } from '../../support/rest-scene.ts';

const VERSIONS = 'GET /v2/ProjectVersions';
const found = json(200, { data: [], success: true });

describe('a caller whose client has left', () => {
  const hasLeft = createRequestFacts({ isEnded: () => true });

  // As queries of pages that search while somebody types: https://github.com/strapi/strapi/issues/27658
  it('reads nothing more for a query', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, found);
    const versions = await backend.projectVersions({ ...caller, operationType: 'query', request: hasLeft });
    expect(versions).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    expect(service.received).toEqual([]);
  });

  it('reads what a mutation needs', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, found);
    const versions = await backend.projectVersions({ ...caller, operationType: 'mutation', request: hasLeft });
    expect(versions).toEqual({ ok: true, value: [] });
  });

  it('does not keep the same query of others from its answer', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, found);
    const left = backend.projectVersions({ ...caller, operationType: 'query', request: hasLeft });
    const other = backend.projectVersions({ ...callerWith(), operationType: 'query' });
    expect(await Promise.all([left, other])).toEqual([ok([]), ok([])]);
    expect(service.received).toHaveLength(1);
  });

  // As in https://github.com/manaflow-ai/subrouter/pull/122
  it('keeps the place of a read that others have joined', async () => {
    const { service, backend, caller } = await openScene();
    const first = held(json(200, { data: null, success: true }));
    service.on('GET /v2/Readers/groups/first', first.behaviour);
    service.on('GET /v2/Readers/groups/last', json(200, { data: null, success: true }));
    service.on(VERSIONS, found);
    let isEnded = false;
    const request = createRequestFacts({ isEnded: () => isEnded });
    const earlier = backend.readerGroups(callerWith(), ['first']);
    await vi.waitUntil(() => service.received.length === 1);
    const left = backend.projectVersions({ ...caller, operationType: 'query', request });
    const joined = backend.projectVersions({ ...callerWith(), operationType: 'query' });
    await setImmediate();
    const later = backend.readerGroups(callerWith(), ['last']);
    await setImmediate();
    isEnded = true;
    first.release();
    expect(await joined).toEqual({ ok: true, value: [] });
    await Promise.all([earlier, left, later]);
    const names = service.received.map(({ url }) => url.match(/first|ProjectVersions|last/u)?.[0]);
    expect(names).toEqual(['first', 'ProjectVersions', 'last']);
  });

  it('does not keep others from the verification of their common token', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, found);
    const left = backend.requireKnown({ ...caller, operationType: 'query', request: hasLeft });
    const other = backend.requireKnown({ ...callerWith(), operationType: 'mutation' });
    expect(await Promise.all([left, other])).toEqual([ok(undefined), ok(undefined)]);
    expect(service.received).toHaveLength(1);
  });
});

describe('a call that is rejected with 429', () => {
  it.each([
    ['seconds', () => ({ 'x-ratelimit-reset': '0' })],
    ['an epoch', () => ({ 'x-ratelimit-reset': `${Math.floor(Date.now() / 1000)}` })],
    ['a Retry-After in seconds', () => ({ 'retry-after': '0' })],
    ['a Retry-After as a date', () => ({ 'retry-after': new Date().toUTCString() })],
  ])('is sent again after the time that the response names: %s', { tags: 'long' }, async (_name, headers) => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, status(429, '', headers()), status(429, '', headers()), found);
    expect(await backend.projectVersions(caller)).toEqual({ ok: true, value: [] });
    expect(service.received).toHaveLength(3);
  });

  it.each([
    ['longer than the caller waits', { 'retry-after': '300' }, 300],
    ['for a time that is not named', {}, null],
    ['until something that is no time', { 'x-ratelimit-reset': 'soon' }, null],
  ])('is not sent again where it has to wait %s', async (_name, headers, retryAfterSeconds) => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, status(429, '', headers));
    expect(await backend.projectVersions(caller)).toMatchObject({
      ok: false,
      error: { kind: 'rate-limited', retryAfterSeconds },
    });
    expect(service.received).toHaveLength(1);
  });

  it('fails at the deadline where the service rejects it again and again', { tags: 'long' }, async () => {
    const { service, backend } = await openScene();
    vi.useFakeTimers({ toFake: ['performance'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const rejected = status(429, '', { 'retry-after': '0' });
    service.on(VERSIONS, rejected, rejected, (...call) => {
      vi.advanceTimersByTime(20_000);
      return rejected(...call);
    });
    expect(await backend.projectVersions(callerWith('t'))).toMatchObject({
      ok: false,
      error: { kind: 'rate-limited', retryAfterSeconds: 0 },
    });
    expect(service.received).toHaveLength(3);
  });

  it('is a write that is sent again as well, since it was not applied', async () => {
    const { service, backend, caller } = await openScene();
    const bulk = 'PUT /v2/Articles/bulkupdate';
    const response = json(200, { success: true, data: [{ article_id: 'a', success: true }] });
    service.on(bulk, status(429, '', { 'retry-after': '0' }), response);
    const result = await backend.bulkUpdateArticles(caller, [{ articleId: 'a' }]);
    expect(result).toMatchObject({ ok: true, value: { outcomes: [{ kind: 'updated' }] } });
  });
});

/** Calls that have these failures, and then work. */
function failing(failures: readonly CallFailure[]) {
  let calls = 0;
  const sendHttp: SendHttp = async () => {
    const failure = failures[calls];
    calls += 1;
    return failure ? err(failure) : ok({ httpStatus: 200, headers: {}, body: {} });
  };
  return { upstream: openPipeline({ baseUrl: 'http://service.test', sendHttp }), calls: () => calls };
}

describe('a call without a response', () => {
  const call = { kind: 'write', staleReads: 'articles', path: [] } as const;
  const refused: CallFailure = { kind: 'not-connected', error: unavailable() };
  const lost: CallFailure = { kind: 'unknown', reason: 'the connection was cut.' };

  it('is sent again where no connection came about', async () => {
    const { upstream, calls } = failing([refused, refused]);
    expect(await upstream.send(callerWith(), call)).toMatchObject({ ok: true });
    expect(calls()).toBe(3);
  });

  it('fails after three attempts', async () => {
    const { upstream, calls } = failing([refused, refused, refused, refused]);
    expect(await upstream.send(callerWith(), call)).toEqual(err(refused));
    expect(calls()).toBe(3);
  });

  it('is never sent again where it may have arrived', async () => {
    const { upstream, calls } = failing([lost]);
    expect(await upstream.send(callerWith(), call)).toEqual({ ok: false, error: lost });
    expect(calls()).toBe(1);
  });

  it('is unavailable at once where the gateway had no room for it', async () => {
    const { upstream, calls } = failing([CALL_QUEUE_FULL]);
    expect(await upstream.send(callerWith(), call)).toMatchObject({
      ok: false,
      error: { kind: 'not-begun', error: { kind: 'unavailable' } },
    });
    expect(calls()).toBe(1);
  });

  it('is not begun with no time left to be answered', async () => {
    const { upstream, calls } = failing([]);
    expect(await upstream.send(callerWith('t', 10), call)).toMatchObject({
      ok: false,
      error: { kind: 'not-begun', error: { kind: 'unavailable' } },
    });
    expect(calls()).toBe(0);
  });
});

describe('a call on a connection that the service just closes', () => {
  const bulk = 'PUT /v2/Articles/bulkupdate';

  it('is sent once more where it is a read', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, found, reset(), found);
    await backend.projectVersions(caller);
    expect(await backend.projectVersions(callerWith())).toEqual({ ok: true, value: [] });
    expect(service.received).toHaveLength(3);
  });

  it('is not sent a third time', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, found, reset());
    await backend.projectVersions(caller);
    expect(await backend.projectVersions(callerWith())).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    expect(service.received).toHaveLength(3);
  });

  it('is not sent again where the connection was new, since then the service itself fails', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, reset(), found);
    expect(await backend.projectVersions(caller)).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    expect(service.received).toHaveLength(1);
  });

  it('is not sent again where it is a write, whose outcome is then unknown', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, found);
    service.on(bulk, reset());
    await backend.projectVersions(caller);
    expect(await backend.bulkUpdateArticles(caller, [{ articleId: 'a' }])).toMatchObject({
      ok: true,
      value: { outcomes: [{ kind: 'unknown' }] },
    });
    expect([service.receivedOn(bulk).length, service.connections()]).toEqual([1, 1]);
  });
});

describe('the token', () => {
  it("is the caller's, and has no substitute", async () => {
    const { service, backend } = await openScene();
    service.on(VERSIONS, found);
    await backend.projectVersions(callerWith('theirs'));
    expect(await backend.projectVersions(callerWith(null))).toMatchObject({ error: { kind: 'unauthenticated' } });
    expect(service.received.map(({ headers }) => headers['api_token'])).toEqual(['theirs']);
  });

  it.each([
    ['none at all', null],
    ['one that no header can carry', 'a\nb'],
    ['one that is not Latin', 'ключ'],
  ])('is missing where there is %s', async (_name, apiToken) => {
    const { service, backend } = await openScene();
    const denied = { ok: false, error: { kind: 'unauthenticated' } };
    expect(backend.authenticate(callerWith(apiToken))).toMatchObject(denied);
    expect(await backend.projectVersions(callerWith(apiToken))).toMatchObject(denied);
    expect(await backend.rateLimit(callerWith(apiToken))).toMatchObject(denied);
    expect(service.received).toEqual([]);
  });

  it('is required before the input is checked', async () => {
    const { backend, caller } = await openScene();
    expect(backend.authenticate(caller)).toEqual({ ok: true, value: undefined });
  });
});

describe('the rate limit', () => {
  it('is known from the last response to this token, and costs no call', async () => {
    const { service, backend, caller } = await openScene();
    expect(await backend.rateLimit(caller)).toEqual({ ok: true, value: null });
    service.on(VERSIONS, json(200, { data: [] }, { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '41' }));
    await backend.projectVersions(caller);
    expect(await backend.rateLimit(caller)).toEqual({ ok: true, value: { limit: 60, remaining: 41, resetAt: null } });
    expect(await backend.rateLimit(callerWith('another'))).toEqual({ ok: true, value: null });
    expect(service.received).toHaveLength(1);
  });
});
