import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Behaviour, hang, held, json, reset, status } from '../../support/faulty-service.ts';
import { accept, callerWith, openAcceptedScene } from '../../support/rest-scene.ts';

const VERSIONS = 'GET /v2/ProjectVersions';
const found = json(200, { data: [], success: true });

/** A backend whose log is kept. */
async function openWithLog(timeoutMs = 60_000) {
  const lines: string[] = [];
  const scene = await openAcceptedScene({
    timeoutMs,
    log: (level, message) => {
      if (/the service (?:fails|answers again)/u.test(message)) lines.push(`${level} ${message}`);
    },
  });
  const read = (token = 'token-1', waitMs = 20_000) => scene.backend.projectVersions(callerWith(token, waitMs));
  const readOneByOne = async (count: number) => {
    for (let call = 0; call < count; call += 1) await read();
  };
  return { ...scene, lines, read, readOneByOne };
}

const OPENED = 'warn the service fails: one call at a time tries it';
const CLOSED = 'info the service answers again';

describe('the circuit breaker', () => {
  it.each([
    ['5xx', status(503), 60_000],
    ['a reset', reset(), 60_000],
    ['silence', hang(), 1_000],
  ])('opens after five failures in a row: %s', async (_name, behaviour, timeoutMs) => {
    const { service, backend, lines, read } = await openWithLog(timeoutMs);
    service.on(VERSIONS, behaviour);
    await Promise.all(Array.from({ length: 4 }, () => read()));
    expect([lines, await backend.checkReady()]).toEqual([[], { ok: true, value: undefined }]);
    await Promise.all(Array.from({ length: 3 }, () => read()));
    expect([lines, await backend.checkReady()]).toEqual([
      [OPENED],
      { ok: false, error: expect.stringMatching(/^Calls of the service fail\. The latest/u) },
    ]);
  });

  it('opens where nothing listens', async () => {
    const { service, lines, readOneByOne } = await openWithLog();
    await service.close();
    await readOneByOne(2);
    expect(lines).toEqual([OPENED]);
  });

  it.each([
    ['400', status(400)],
    ['429', status(429)],
    ['a response that is no JSON', status(200, '<html>')],
  ])('does not open for a response that is no failure of the service: %s', async (_name, behaviour) => {
    const { service, lines, readOneByOne } = await openWithLog();
    service.on(VERSIONS, behaviour);
    await readOneByOne(10);
    expect([lines, service.received.length]).toEqual([[], 10]);
  });

  it('counts failures in a row only', async () => {
    const { service, lines, readOneByOne } = await openWithLog();
    service.on(VERSIONS, ...Array.from({ length: 20 }, (_, call) => (call % 5 === 4 ? found : status(500))));
    await readOneByOne(20);
    expect(lines).toEqual([]);
  });

  it('lets one call at a time through while it is open, and rejects the others at once, unsent', async () => {
    const { service, read, readOneByOne } = await openWithLog();
    service.on(VERSIONS, status(500));
    await readOneByOne(5);
    const { behaviour, release } = held(status(500));
    service.on(VERSIONS, behaviour);
    const probe = read();
    while (service.received.length < 6) await sleep(1);
    const others = await Promise.all(Array.from({ length: 50 }, () => read()));
    expect(others).toEqual(others.map(() => ({ ok: false, error: expect.objectContaining({ kind: 'unavailable' }) })));
    expect(service.received).toHaveLength(6);
    release();
    await probe;
    await readOneByOne(3);
    expect(service.received).toHaveLength(9);
  });

  it('closes with the first call that succeeds', async () => {
    const { service, backend, read, readOneByOne, lines } = await openWithLog();
    service.on(VERSIONS, status(500));
    await readOneByOne(7);
    service.on(VERSIONS, found);
    expect(await read()).toEqual({ ok: true, value: [] });
    const answers = await Promise.all(Array.from({ length: 50 }, () => read()));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect([lines, await backend.checkReady()]).toEqual([[OPENED, CLOSED], { ok: true, value: undefined }]);
  });

  it('rejects a write as provably unsent', { tags: 'long' }, async () => {
    const { service, backend, readOneByOne } = await openWithLog(1_000);
    service.on(VERSIONS, hang());
    service.on('PUT /v2/Articles/bulkupdate', hang());
    await Promise.all(Array.from({ length: 5 }, () => readOneByOne(1)));
    const probe = backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a' }]);
    const other = await backend.bulkUpdateArticles(callerWith(), [{ articleId: 'b' }]);
    expect(other).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    expect(await probe).toMatchObject({ ok: true, value: { outcomes: [{ kind: 'unknown' }] } });
    expect(service.receivedOn('PUT /v2/Articles/bulkupdate').map(({ body }) => body)).toEqual([[{ article_id: 'a' }]]);
  });

  it('rejects no read where nothing but writes has failed', { tags: 'long' }, async () => {
    const { service, backend, lines, read } = await openWithLog(1_000);
    const write = () => backend.bulkUpdateArticles(callerWith(), [{ articleId: 'a' }]);
    service.on('PUT /v2/Articles/bulkupdate', ...Array.from({ length: 5 }, () => status(500)), hang());
    for (let call = 0; call < 5; call += 1) await write();
    expect(lines).toContain(OPENED);
    service.on(VERSIONS, found);
    const probe = write();
    while (service.receivedOn('PUT /v2/Articles/bulkupdate').length < 6) await sleep(1);
    const answers = await Promise.all(Array.from({ length: 5 }, () => read()));
    expect(answers).toEqual(answers.map(() => ({ ok: true, value: [] })));
    await probe;
  });

  it('counts failures of calls that are in flight when it opens only once', async () => {
    const { service, readOneByOne, lines } = await openWithLog();
    const { behaviour, release } = held(status(500));
    service.on(VERSIONS, behaviour);
    const reads = Array.from({ length: 30 }, () => readOneByOne(1));
    while (service.received.length < 30) await sleep(1);
    release();
    await Promise.all(reads);
    expect(lines).toEqual([OPENED]);
  });

  it('does not open for calls that were cut off by the time of their callers', async () => {
    const { service, read, lines } = await openWithLog();
    service.on(VERSIONS, hang());
    await Promise.all(Array.from({ length: 20 }, () => read('token-1', 100)));
    service.on(VERSIONS, found);
    expect([await read(), lines]).toEqual([{ ok: true, value: [] }, []]);
  });

  it('opens for no other token where the calls of one fail', async () => {
    const { service, backend, read, readOneByOne, lines } = await openWithLog();
    await accept({ service, backend }, 'other');
    const { behaviour, release } = held(status(502));
    const sick: Behaviour = (response, request) =>
      (request.headers['api_token'] === 'token-1' ? behaviour : found)(response, request);
    service.on(VERSIONS, status(502), status(502), status(502), status(502), status(502), sick);
    await readOneByOne(5);
    const probe = read();
    while (service.received.length < 6) await sleep(1);
    expect(await read()).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    const others = await Promise.all(Array.from({ length: 5 }, () => read('other')));
    expect(others).toEqual(others.map(() => ({ ok: true, value: [] })));
    release();
    await probe;
    expect(lines).toEqual([OPENED, CLOSED]);
  });

  it('opens for everybody where the calls of two fail', async () => {
    const { service, backend, read, readOneByOne } = await openWithLog();
    await accept({ service, backend }, 'other');
    service.on(VERSIONS, status(500));
    await readOneByOne(4);
    await read('other');
    service.on(VERSIONS, hang());
    void read('other', 5_000);
    while (service.received.length < 6) await sleep(1);
    expect(await read('other')).toMatchObject({ ok: false, error: { kind: 'unavailable' } });
    expect(service.received).toHaveLength(6);
  });

  it('stays closed for accepted tokens, and does not affect readiness, where untrusted calls fail', async () => {
    const { service, backend, read } = await openWithLog();
    const sick: Behaviour = (response, request) =>
      (request.headers['api_token'] === 'token-1' ? found : status(502))(response, request);
    service.on(VERSIONS, sick);
    for (let call = 0; call < 10; call += 1) await backend.projectVersions(callerWith(`made-up-${call}`));
    expect(await backend.checkReady()).toMatchObject({ ok: true });
    const answers = await Promise.all(Array.from({ length: 50 }, () => read()));
    expect(answers.every(({ ok }) => ok)).toBe(true);
  });

  it('stays closed for others where the calls of one accepted token and of untrusted tokens fail', async () => {
    const { service, backend, read } = await openWithLog();
    await accept({ service, backend }, 'other');
    const sick: Behaviour = (response, request) =>
      (request.headers['api_token'] === 'other' ? found : status(502))(response, request);
    service.on(VERSIONS, sick);
    await read();
    for (let call = 0; call < 10; call += 1) await backend.projectVersions(callerWith(`made-up-${call}`));
    const answers = await Promise.all(Array.from({ length: 50 }, () => read('other')));
    expect(answers.every(({ ok }) => ok)).toBe(true);
  });

  it('goes on after a step of the clock back', async () => {
    const { service, read, readOneByOne } = await openWithLog();
    service.on(VERSIONS, status(500));
    await readOneByOne(5);
    service.on(VERSIONS, found);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await read()).toEqual({ ok: true, value: [] });
  });
});
