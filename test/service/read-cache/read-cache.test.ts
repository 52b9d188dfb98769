import { describe, expect, it } from 'vitest';
import type { Backend } from '../../../src/core/backend.ts';
import { type Metrics, noMetrics } from '../../../src/core/metrics.ts';
import type { RestBackendOptions } from '../../../src/service/rest-backend.ts';
import { envelope, hang, held, json, reset, status } from '../../support/faulty-service.ts';
import { CACHE_MS, controlTime, openCacheScene, queryCaller, titleOf } from '../../support/read-cache-scene.ts';
import { callerWith, openScene } from '../../support/rest-scene.ts';
import { applyThen, unapplied } from '../../support/writable-service.ts';
import { describeLateRetry } from './late-retries.ts';

const VERSIONS = 'GET /v2/ProjectVersions';
const ARTICLE = 'GET /v2/Articles/a1/en';
const GROUPS = 'GET /v2/Readers/groups';

const retitle = (backend: Backend, title: string, apiToken = 'token-1') =>
  backend.bulkUpdateArticles(callerWith(apiToken), [{ articleId: 'a1', languageCode: 'en', title }]);

async function open() {
  const { service, knowledgeBase, backends } = await openCacheScene({});
  const [backend] = backends;
  if (backend === undefined) throw new Error('There is no gateway.');
  return { service, knowledgeBase, backend };
}

describe('a read of a query', () => {
  it('is a call once, and again when the response is too old', async () => {
    const passTime = controlTime();
    const { service, backend } = await open();
    expect([await titleOf(backend, 'a1'), await titleOf(backend, 'a1')]).toEqual(['a1', 'a1']);
    passTime(CACHE_MS - 2_000);
    await titleOf(backend, 'a1');
    expect(service.receivedOn(ARTICLE)).toHaveLength(1);
    passTime(3_000);
    const caller = queryCaller();
    await titleOf(backend, 'a1', caller);
    expect(service.receivedOn(ARTICLE)).toHaveLength(2);
    expect(caller.summary.readCacheUse).toMatchObject({ hits: 0, calls: 1, kept: 1, reason: 'stale' });
  });

  it('counts its age from the moment when the call was sent', async () => {
    const passTime = controlTime();
    const { service, backend } = await open();
    const answer = held(json(200, envelope([])));
    service.on(VERSIONS, answer.behaviour);
    const first = backend.projectVersions(queryCaller());
    await expect.poll(() => service.receivedOn(VERSIONS)).toHaveLength(1);
    passTime(9_000);
    answer.release();
    await first;
    passTime(CACHE_MS - 8_000);
    await backend.projectVersions(queryCaller());
    expect(service.receivedOn(VERSIONS)).toHaveLength(2);
  });

  it('shares its call with 99 others, also with a token that the service has not accepted yet', async () => {
    const { service, backend } = await openScene({ readCacheMs: CACHE_MS, readCacheBytes: 1024 ** 2 });
    service.on(VERSIONS, json(200, envelope([])));
    const callers = Array.from({ length: 100 }, () => queryCaller());
    const results = await Promise.all(callers.map((caller) => backend.projectVersions(caller)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(service.received).toHaveLength(1);
    expect(callers.map(({ summary }) => summary.readCacheUse?.joined).filter((joined) => joined === 1)).toHaveLength(
      99,
    );
  });

  it('does not count as a call of its request', async () => {
    const { service, backends } = await openCacheScene({ maxReadCalls: 1 });
    const [backend] = backends;
    await backend?.projectVersions(queryCaller());
    const caller = queryCaller();
    expect(await backend?.projectVersions(caller)).toMatchObject({ ok: true });
    expect(await backend?.articles(caller, [{ articleId: 'a1', languageCode: 'en' }])).toMatchObject([{ ok: true }]);
    expect(caller.summary.readCalls).toBe(1);
    expect(service.received).toHaveLength(2);
  });

  it('is counted by its result, and what is kept by its bytes', async () => {
    const results: string[] = [];
    let keptBytes: () => number | null = () => null;
    const observe: Metrics['observe'] = (gauge, read) => {
      if (gauge === 'readCacheBytes') keptBytes = read;
    };
    const metrics = { ...noMetrics, countCachedRead: (result: string) => void results.push(result), observe };
    const { backends } = await openCacheScene({ metrics });
    const [backend] = backends;
    expect(keptBytes()).toBe(0);
    await backend?.projectVersions(queryCaller());
    expect(keptBytes()).toBeGreaterThan(100);
    await backend?.projectVersions(queryCaller());
    await backend?.projectVersions(queryCaller({ mayBeKept: false }));
    expect(results).toEqual(['miss', 'hit', 'bypass']);
  });

  it('shares nothing with another token', async () => {
    const { service, backend } = await open();
    await titleOf(backend, 'a1');
    await titleOf(backend, 'a1', queryCaller({ apiToken: 'token-2' }));
    expect(service.receivedOn(ARTICLE).map(({ headers }) => headers['api_token'])).toEqual(['token-1', 'token-2']);
  });

  it('is of no use after the service has refused the token', async () => {
    const { service, backend } = await open();
    await titleOf(backend, 'a1');
    service.on(VERSIONS, status(401));
    await backend.projectVersions(queryCaller());
    await titleOf(backend, 'a1');
    expect(service.receivedOn(ARTICLE)).toHaveLength(2);
  });

  it.each([
    ['an error', json(500, envelope(null))],
    ['a rejection', json(400, { success: false, errors: [{ description: 'No.' }] })],
    ['a 429', status(429)],
    ['no JSON', status(200, '<html>')],
    ['a message of a firewall', json(200, { message: 'Blocked.' })],
    ['a cut connection', reset()],
  ])('leaves nothing behind where the response is %s', async (_name, behaviour) => {
    const { service, backend } = await open();
    service.on(VERSIONS, behaviour, json(200, envelope([])));
    expect(await backend.projectVersions(queryCaller())).toMatchObject({ ok: false });
    expect(await backend.projectVersions(queryCaller({ waitMs: 120_000 }))).toMatchObject({ ok: true });
    expect(service.receivedOn(VERSIONS)).toHaveLength(2);
  });

  it.each([
    ['no-cache', { maxAgeMs: 0 }, { reason: 'request', kept: 1 }],
    ['a smaller max-age', { maxAgeMs: 4_000 }, { reason: 'request', kept: 1 }],
    ['no-store', { mayBeKept: false }, { reason: 'bypass', kept: 0 }],
  ])('is a call where the request says %s', async (_name, freshness, use) => {
    const passTime = controlTime();
    const { service, backend } = await open();
    await titleOf(backend, 'a1');
    passTime(5_000);
    const caller = queryCaller(freshness);
    await titleOf(backend, 'a1', caller);
    expect(service.receivedOn(ARTICLE)).toHaveLength(2);
    expect(caller.summary.readCacheUse).toMatchObject(use);
    await titleOf(backend, 'a1', queryCaller({ maxAgeMs: 6_000 }));
    expect(service.receivedOn(ARTICLE)).toHaveLength(2);
  });

  it('does not fail because the caller whose call it joined had too little time', async () => {
    const { service, backend } = await open();
    service.on(VERSIONS, hang(), json(200, envelope([])));
    const first = backend.projectVersions(queryCaller({ waitMs: 300 }));
    await expect.poll(() => service.receivedOn(VERSIONS)).toHaveLength(1);
    const others = Array.from({ length: 20 }, () => backend.projectVersions(queryCaller()));
    expect(await first).toMatchObject({ ok: false });
    expect((await Promise.all(others)).every(({ ok }) => ok)).toBe(true);
    expect(service.receivedOn(VERSIONS)).toHaveLength(2);
  });

  it('does not fail because other requests have made all calls that they may', async () => {
    const { service, backends } = await openCacheScene({ maxReadCalls: 1 });
    const [backend] = backends;
    service.on(VERSIONS, json(200, envelope([])));
    const exhausted = [queryCaller(), queryCaller(), queryCaller()];
    for (const [index, caller] of exhausted.entries())
      await backend?.articles(caller, [{ articleId: `a${index + 1}`, languageCode: 'en' }]);
    const results = [...exhausted, queryCaller()].map((caller) => backend?.projectVersions(caller));
    expect(await Promise.all(results)).toMatchObject([
      ...exhausted.map(() => ({ ok: false, error: { kind: 'too-costly' } })),
      { ok: true },
    ]);
    expect(service.receivedOn(VERSIONS)).toHaveLength(1);
  });

  it('does not fail because other requests have no time to wait for the rate limit', { tags: 'long' }, async () => {
    const { service, backend } = await open();
    const exhausted = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4' };
    service.on(VERSIONS, json(200, envelope([]), exhausted), json(200, envelope([])));
    await backend.projectVersions(callerWith());
    const short = [queryCaller({ waitMs: 2_000 }), queryCaller({ waitMs: 2_000 }), queryCaller({ waitMs: 2_000 })];
    const results = await Promise.all([...short, queryCaller()].map((caller) => backend.projectVersions(caller)));
    expect(results).toMatchObject([...short.map(() => ({ ok: false, error: { kind: 'rate-limited' } })), { ok: true }]);
    expect(service.receivedOn(VERSIONS)).toHaveLength(2);
  });

  it('waits for the call that it joined no longer than it has time', { tags: 'long' }, async () => {
    const { service, backend } = await open();
    service.on(VERSIONS, hang());
    const first = backend.projectVersions(queryCaller({ waitMs: 2_000 }));
    await expect.poll(() => service.receivedOn(VERSIONS)).toHaveLength(1);
    expect(await backend.projectVersions(queryCaller({ waitMs: 100 }))).toMatchObject({
      ok: false,
      error: { kind: 'unavailable', isOutOfTime: true },
    });
    expect(await first).toMatchObject({ ok: false });
    expect(service.receivedOn(VERSIONS)).toHaveLength(1);
  });
});

describe('a kept response', () => {
  it('is decoded once for all requests that it serves, and for those that joined its call', async () => {
    const { service, backend } = await open();
    service.on(VERSIONS, json(200, envelope([{ id: 'v1', version_code_name: 'First', language_versions: [] }])));
    const reads = [backend.projectVersions(queryCaller()), backend.projectVersions(queryCaller())];
    const [first, joined] = await Promise.all(reads);
    const later = await backend.projectVersions(queryCaller());
    expect(first).toMatchObject({ ok: true, value: [{ projectVersionId: 'v1', name: 'First' }] });
    expect([joined, later].map((result) => result === first)).toEqual([true, true]);
    expect(service.receivedOn(VERSIONS)).toHaveLength(1);
  });

  it('is decoded again where a request wants a newer one', async () => {
    const { service, backend } = await open();
    const versionNamed = (name: string) => json(200, envelope([{ id: 'v1', version_code_name: name }]));
    service.on(VERSIONS, versionNamed('First'), versionNamed('Second'));
    await backend.projectVersions(queryCaller());
    const newer = await backend.projectVersions(queryCaller({ maxAgeMs: 0 }));
    expect(newer).toMatchObject({ value: [{ name: 'Second' }] });
    expect(await backend.projectVersions(queryCaller())).toBe(newer);
  });
});

describe('what is no query', () => {
  it('is never from the cache: a mutation, a preview, a job', async () => {
    const { service, backend } = await open();
    await titleOf(backend, 'a1');
    const mutation = { ...queryCaller(), operationType: 'mutation' } as const;
    const updates = [{ articleId: 'a1', languageCode: 'en', title: 'new' }];
    await backend.articlesOfUpdates(mutation, updates, { withText: true, callsPerArticle: 0 });
    await titleOf(backend, 'a1', { ...callerWith(), isBackground: true });
    expect(service.receivedOn(ARTICLE)).toHaveLength(3);
  });
});

describe('a write', () => {
  it('is seen by the next query, and changes nothing for reader groups', async () => {
    const { service, backend } = await open();
    service.on(GROUPS, json(200, envelope([])));
    await titleOf(backend, 'a1');
    await backend.listReaderGroups(queryCaller(), { limit: 5 });
    await retitle(backend, 'new');
    expect([await titleOf(backend, 'a1'), await titleOf(backend, 'a1')]).toEqual(['new', 'new']);
    await backend.listReaderGroups(queryCaller(), { limit: 5 });
    expect(service.receivedOn(ARTICLE)).toHaveLength(2);
    expect(service.receivedOn(GROUPS)).toHaveLength(1);
  });

  it('of a group is seen by the next query, and changes nothing for articles', async () => {
    const { service, backend } = await open();
    service.on(GROUPS, json(200, envelope([])));
    service.on(`PUT /v2/Readers/groups/g1`, json(200, { success: true, result: false, errors: [] }));
    await titleOf(backend, 'a1');
    await backend.listReaderGroups(queryCaller(), { limit: 5 });
    const update = { groupId: 'g1', title: 'New', description: null, readerIds: [], invitedSsoUserIds: [] };
    await backend.updateReaderGroup(callerWith(), { ...update, accessScope: { level: 'PROJECT' } });
    await titleOf(backend, 'a1');
    await backend.listReaderGroups(queryCaller(), { limit: 5 });
    expect(service.receivedOn(ARTICLE)).toHaveLength(1);
    expect(service.receivedOn(GROUPS)).toHaveLength(2);
  });

  it('keeps a read that began before it from being used after it', async () => {
    const { service, knowledgeBase, backend } = await open();
    const old = held(json(200, envelope({ ...knowledgeBase.article('a1') })));
    service.on(ARTICLE, old.behaviour, json(200, envelope({ ...knowledgeBase.article('a1'), title: 'new' })));
    const early = titleOf(backend, 'a1');
    await expect.poll(() => service.receivedOn(ARTICLE)).toHaveLength(1);
    await retitle(backend, 'new');
    const late = await titleOf(backend, 'a1');
    old.release();
    expect([await early, late, await titleOf(backend, 'a1')]).toEqual(['a1', 'new', 'new']);
  });

  it('keeps all reads from the cache until its answer', async () => {
    const { service, knowledgeBase, backend } = await open();
    await titleOf(backend, 'a1');
    const answer = held(json(200, envelope([{ article_id: 'a1', success: true }])));
    knowledgeBase.onNextWrites(unapplied(answer.behaviour));
    const write = retitle(backend, 'new');
    await expect.poll(() => service.receivedOn('PUT /v2/Articles/bulkupdate')).toHaveLength(1);
    const caller = queryCaller();
    await titleOf(backend, 'a1', caller);
    expect(caller.summary.readCacheUse).toMatchObject({ hits: 0, reason: 'bypass', kept: 0 });
    answer.release();
    await write;
    await titleOf(backend, 'a1');
    await titleOf(backend, 'a1');
    expect(service.receivedOn(ARTICLE)).toHaveLength(3);
  });

  it.each([
    ['is cut', reset()],
    ['fails with 503', status(503)],
  ])('that %s keeps reads from the cache while it may still take effect', async (_name, behaviour) => {
    const passTime = controlTime();
    const { service, knowledgeBase, backend } = await open();
    knowledgeBase.onNextWrites(applyThen(behaviour));
    await retitle(backend, 'new');
    for (let time = 0; time < 18_000; time += 6_000) {
      await titleOf(backend, 'a1');
      passTime(6_000);
    }
    expect(service.receivedOn(ARTICLE)).toHaveLength(3);
    passTime(6_000);
    await titleOf(backend, 'a1');
    await titleOf(backend, 'a1');
    expect(service.receivedOn(ARTICLE)).toHaveLength(4);
  });
});

describe('without a time or bytes', () => {
  async function openWithout(options: Partial<RestBackendOptions>) {
    const { service, knowledgeBase, backends } = await openCacheScene({ readCacheMs: 0, ...options });
    const [backend] = backends;
    if (backend === undefined) throw new Error('There is no gateway.');
    return { service, knowledgeBase, backend };
  }

  it.each([{ readCacheMs: 0 }, { readCacheMs: CACHE_MS, readCacheBytes: 0 }])('keeps nothing: %o', async (options) => {
    const { service, backend } = await openWithout(options);
    const caller = queryCaller();
    await titleOf(backend, 'a1', caller);
    await titleOf(backend, 'a1');
    expect(service.receivedOn(ARTICLE)).toHaveLength(2);
    expect(caller.summary.readCacheUse).toMatchObject({ hits: 0, calls: 1, kept: 0 });
  });

  it('a read shares its call with those that begin before it is sent, and with no later one', async () => {
    const { service, backend } = await openWithout({});
    const answer = held(json(200, envelope([])));
    service.on(VERSIONS, answer.behaviour, answer.behaviour);
    const callers = Array.from({ length: 3 }, () => queryCaller());
    const reads = callers.map((caller) => backend.projectVersions(caller));
    await expect.poll(() => service.receivedOn(VERSIONS)).toHaveLength(1);
    const later = backend.projectVersions(queryCaller());
    await expect.poll(() => service.receivedOn(VERSIONS)).toHaveLength(2);
    answer.release();
    const results = await Promise.all([...reads, later]);
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(callers.map(({ summary }) => summary.readCacheUse?.joined)).toEqual([0, 1, 1]);
  });

  it('a read shares nothing with another token, and no failure for lack of calls', async () => {
    const { service, backend } = await openWithout({ maxReadCalls: 1 });
    const spent = queryCaller();
    await titleOf(backend, 'a1', spent);
    const callers = [spent, queryCaller(), queryCaller(), queryCaller({ apiToken: 'token-2' })];
    const results = await Promise.all(callers.map((caller) => backend.projectVersions(caller)));
    expect(results.map(({ ok }) => ok)).toEqual([false, true, true, true]);
    const tokens = service.receivedOn(VERSIONS).map(({ headers }) => headers['api_token']);
    expect(tokens.toSorted()).toEqual(['token-1', 'token-2']);
  });

  it('a read that begins after a write has ended sees it', async () => {
    const { backend } = await openWithout({});
    const before = titleOf(backend, 'a1');
    await retitle(backend, 'New');
    const after = await Promise.all([titleOf(backend, 'a1'), titleOf(backend, 'a1')]);
    await before;
    expect(after).toEqual(['New', 'New']);
  });
});

describeLateRetry(async () => [null]);
