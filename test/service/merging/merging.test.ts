import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { err } from '../../../src/core/base/result.ts';
import { unavailable } from '../../../src/core/errors.ts';
import { callerOf, openScene, turnsBetweenCalls, updated, updatesOf } from '../../core/writes/harness.ts';
import { Called, createStubBackend } from '../../core/writes/stub-backend.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const unsent = { ok: false, error: { kind: 'unavailable', message: expect.stringContaining('nothing was sent') } };

describe('merging', () => {
  it('sends a single request at once, and returns its result unchanged', async () => {
    const { gateway, calls, call } = openScene();
    const [caller, updates, answer] = [callerOf('1'), updatesOf('a'), updated('a')];
    const result = gateway.bulkUpdateArticles(caller, updates);
    expect(calls).toHaveLength(1);
    expect(call(0).caller).toBe(caller);
    expect(call(0).updates).toBe(updates);
    await call(0).resolve(answer);
    expect(await result).toBe(answer);
  });

  it('merges requests of the next turns when the first call is delayed', async () => {
    const { gateway, sent, call } = openScene({ delaysFirstCall: true });
    const first = gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a'));
    const second = gateway.bulkUpdateArticles(callerOf('2'), updatesOf('b'));
    expect(sent()).toEqual([]);
    await turnsBetweenCalls();
    expect(sent()).toEqual([['a', 'b']]);
    await call(0).resolve(updated('a', 'b'));
    expect([await first, await second]).toEqual([updated('a'), updated('b')]);
  });

  it('merges requests that arrive while a call is in flight, and gives each caller their own outcomes', async () => {
    const { gateway, sent, call } = openScene();
    void gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a'));
    const second = gateway.bulkUpdateArticles(callerOf('2'), updatesOf('b', 'c'));
    const third = gateway.bulkUpdateArticles(callerOf('3'), updatesOf('a'));
    expect(sent()).toEqual([['a']]);
    await call(0).resolve(updated('a'));
    expect(sent()).toEqual([['a'], ['b', 'c', 'a']]);
    await call(1).resolve(updated('b', 'c', 'a'));
    expect(await second).toEqual(updated('b', 'c'));
    expect(await third).toEqual(updated('a'));
  });

  it.each([0, 1])('keeps the lease of each caller in a merged call (late: %d)', async (late) => {
    const { gateway, call } = openScene();
    void gateway.bulkUpdateArticles(callerOf('first'), updatesOf('a'));
    for (const [n, id] of ['b', 'c'].entries())
      void gateway.bulkUpdateArticles({ ...callerOf(id), lease: { isExpired: () => n === late } }, updatesOf(id));
    await call(0).resolve(updated('a'));
    expect(call(1).caller.lease?.isExpired()).toBe(true);
  });

  it('sends those of a merged call without a late lease alone, where the call was not sent for one', async () => {
    const { gateway, sent, call } = openScene();
    let isLate = false;
    const leased = { ...callerOf('1'), lease: { isExpired: () => isLate } };
    void gateway.bulkUpdateArticles(callerOf('0'), updatesOf('a'));
    const late = gateway.bulkUpdateArticles(leased, updatesOf('b'));
    const other = gateway.bulkUpdateArticles(callerOf('2'), updatesOf('c'));
    await call(0).resolve(updated('a'));
    expect(sent()).toEqual([['a'], ['b', 'c']]);
    expect(call(1).caller.lease?.isExpired()).toBe(false);
    isLate = true;
    expect(call(1).caller.lease?.isExpired()).toBe(true);
    await call(1).resolve(err(unavailable('Fenced off; nothing was sent.')));
    expect(await late).toMatchObject(unsent);
    expect(sent()).toEqual([['a'], ['b', 'c'], ['c']]);
    await call(2).resolve(updated('c'));
    expect(await other).toEqual(updated('c'));
  });

  it('puts off a call with room for more as long as the backend asks, and takes what has come meanwhile', async () => {
    const { gateway, backend, sent } = openScene();
    const smallCallDelayMs = vi.fn(() => 100);
    Object.assign(backend, { smallCallDelayMs });
    for (const id of ['a', 'b', 'c']) void gateway.bulkUpdateArticles(callerOf(id), updatesOf(id));
    await turnsBetweenCalls();
    expect(sent()).toEqual([]);
    await expect.poll(sent).toEqual([['a', 'b', 'c']]);
    expect(smallCallDelayMs).toHaveBeenCalledTimes(1);
  });

  it('puts off neither a full call nor one whose time would be up', async () => {
    const { gateway, backend, sent } = openScene({ maxItems: 2 });
    Object.assign(backend, { smallCallDelayMs: () => 1_000 });
    for (const id of ['a', 'b', 'c']) void gateway.bulkUpdateArticles(callerOf(id), updatesOf(id));
    expect(sent()).toEqual([['a', 'b']]);
    await turnsBetweenCalls();
    expect(sent()).toEqual([['a', 'b']]);
    void gateway.bulkUpdateArticles(callerOf('d', 'other', 900), updatesOf('d'));
    await turnsBetweenCalls();
    expect(sent()).toEqual([['a', 'b'], ['d']]);
  });

  it('makes the merged call with the common token, the earliest deadline and an ID that each request knows', async () => {
    const { gateway, call } = openScene();
    const [second, third] = [callerOf('2', 'token', 1_000), callerOf('3', 'token', 900)];
    void gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a'));
    void gateway.bulkUpdateArticles(second, updatesOf('b'));
    void gateway.bulkUpdateArticles(third, updatesOf('c'));
    await call(0).resolve(updated('a'));
    const { request, ...caller } = call(1).caller;
    const merged = { apiToken: 'token', address: '', isMerged: true, trace: null };
    expect(caller).toEqual({ ...merged, deadline: third.deadline, requestTimeoutMs: 1_000 });
    for (const { summary } of [second, third]) expect(summary.mergedCalls).toEqual([request.id]);
  });

  it.each([
    ['with two tokens', 'one', 'other'],
    ['with a token and with that of the gateway', 'one', null],
  ])('never keeps calls waiting for each other %s', async (_, one, other) => {
    const { gateway, sent } = openScene();
    for (const token of [one, other, one, other]) void gateway.bulkUpdateArticles(callerOf('1', token), updatesOf('a'));
    expect(sent()).toEqual([['a'], ['a']]);
  });

  it.each<[string, readonly (readonly string[])[], readonly (readonly string[])[]]>([
    [
      'the same article',
      [['a'], ['b'], ['a'], ['c']],
      [
        ['a', 'b'],
        ['a', 'c'],
      ],
    ],
    ['articles that may be the same', [['a'], ['A']], [['a'], ['A']]],
    [
      'more items than one call takes',
      [['a', 'b'], ['c', 'd'], ['e']],
      [
        ['a', 'b'],
        ['c', 'd', 'e'],
      ],
    ],
    ['a list with an article twice', [['a'], ['b', 'b'], ['c']], [['a'], ['b', 'b'], ['c']]],
    ['items without an article ID', [['a', ''], ['']], [['a', ''], ['']]],
    ['more text than one call takes', [['a'], ['b'], ['c'.repeat(100)], ['d']], [['a', 'b'], ['c'.repeat(100)], ['d']]],
  ])('does not merge %s, and keeps the order', async (_, requests, expected) => {
    const { gateway, sent, call } = openScene({ maxItems: 3, maxChars: 200 });
    void gateway.bulkUpdateArticles(callerOf('0'), updatesOf('first'));
    for (const articleIds of requests) void gateway.bulkUpdateArticles(callerOf('1'), updatesOf(...articleIds));
    for (const articleIds of [['first'], ...expected]) await call(sent().length - 1).resolve(updated(...articleIds));
    expect(sent().slice(1)).toEqual(expected);
  });

  it('sends a large request concurrently with other calls, once no request is pending before it', async () => {
    const { gateway, sent, call } = openScene({ maxItems: 3 });
    const listed = gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a', 'b', 'c', 'd'));
    void gateway.bulkUpdateArticles(callerOf('2'), updatesOf('e'));
    void gateway.bulkUpdateArticles(callerOf('3'), updatesOf('f', 'g', 'h'));
    void gateway.bulkUpdateArticles(callerOf('4'), updatesOf('E'));
    void gateway.bulkUpdateArticles(callerOf('5'), updatesOf('j', 'k', 'l'));
    expect(sent()).toEqual([['a', 'b', 'c', 'd'], ['e'], ['f', 'g', 'h']]);
    await call(1).resolve(updated('e'));
    expect(sent().slice(3)).toEqual([['E'], ['j', 'k', 'l']]);
    await call(0).resolve(updated('a', 'b', 'c', 'd'));
    expect(await listed).toEqual(updated('a', 'b', 'c', 'd'));
  });

  it('sends full calls concurrently, and one that is not full when all have ended', async () => {
    const { gateway, sent, call } = openScene({ maxItems: 3 });
    const send = (...articleIds: readonly string[]) =>
      void gateway.bulkUpdateArticles(callerOf('1'), updatesOf(...articleIds));
    for (const articleIds of ['a', 'b', 'cd', 'ef', 'gh', 'i', 'j']) send(...articleIds);
    expect(sent()).toEqual([['a']]);
    await call(0).resolve(updated('a'));
    expect(sent().slice(1)).toEqual([
      ['b', 'c', 'd'],
      ['e', 'f'],
      ['g', 'h', 'i'],
    ]);
    send('k');
    await call(1).resolve(updated('b', 'c', 'd'));
    await call(3).resolve(updated('g', 'h', 'i'));
    expect(sent().slice(4)).toEqual([]);
    await call(2).resolve(updated('e', 'f'));
    expect(sent().slice(4)).toEqual([['j', 'k']]);
    for (const id of ['l', 'm', 'n']) send(id);
    expect(sent().slice(5)).toEqual([]);
  });

  it('holds back a batch that an article in flight keeps from being full, until the article is free', async () => {
    const { gateway, sent, call } = openScene({ maxItems: 3 });
    for (const articleIds of ['a', 'bc', 'd', 'ef', 'g', 'B', 'h', 'i'])
      void gateway.bulkUpdateArticles(callerOf('1'), updatesOf(...articleIds));
    await call(0).resolve(updated('a'));
    const full = [['a'], ['b', 'c', 'd'], ['e', 'f', 'g']];
    expect(sent()).toEqual(full);
    await call(1).resolve(updated('b', 'c', 'd'));
    expect(sent()).toEqual([...full, ['B', 'h', 'i']]);
  });

  it('holds back a batch that a caller with little time keeps from being full, until it has expired', async () => {
    const { gateway, sent, call } = openScene({ maxItems: 3 });
    const late: Promise<unknown>[] = [];
    for (const [id, waitMs] of [['a'], ['b'], ['c'], ['d'], ['e'], ['f', 50], ['g'], ['h']] as const)
      late.push(gateway.bulkUpdateArticles(callerOf(id, 'token', waitMs), updatesOf(id)));
    await call(0).resolve(updated('a'));
    const full = [['a'], ['b', 'c', 'd']];
    expect(sent()).toEqual(full);
    vi.advanceTimersByTime(50);
    expect(await late[5]).toMatchObject(unsent);
    expect(sent()).toEqual([...full, ['e', 'g', 'h']]);
  });

  it.each([
    ['a small request waits for a large one', ['a', 'b', 'c'], ['A']],
    ['a large request waits for a large one', ['a', 'b', 'c'], ['c', 'd', 'e']],
    ['a large request waits for a small one', ['a'], ['b', 'c', 'A']],
  ])('%s with the same article', async (_, before, after) => {
    const { gateway, sent, call } = openScene({ maxItems: 3 });
    void gateway.bulkUpdateArticles(callerOf('1'), updatesOf(...before));
    void gateway.bulkUpdateArticles(callerOf('2'), updatesOf(...after));
    expect(sent()).toEqual([before]);
    await call(0).resolve(updated(...before));
    expect(sent()).toEqual([before, after]);
  });

  it('limits the number of concurrent merged calls', async () => {
    const { gateway, sent, call } = openScene({ maxItems: 2 });
    void gateway.bulkUpdateArticles(callerOf('0'), updatesOf('first'));
    const ids = Array.from({ length: 20 }, (_, index) => `a${index}`);
    for (const id of ids) void gateway.bulkUpdateArticles(callerOf(id), updatesOf(id));
    await call(0).resolve(updated('first'));
    expect(sent().slice(1).flat()).toEqual(ids.slice(0, 8));
    expect(sent()).toHaveLength(5);
    await call(4).resolve(updated(...ids.slice(6, 8)));
    expect(sent().slice(5)).toEqual([ids.slice(8, 10)]);
  });

  it('sends large requests at once, whatever is in flight', () => {
    const { gateway, sent } = openScene({ maxItems: 1 });
    const ids = Array.from({ length: 20 }, (_, index) => `a${index}`);
    for (const id of ids) void gateway.bulkUpdateArticles(callerOf(id), updatesOf(id));
    expect(sent().flat()).toEqual(ids);
  });

  it.each([
    ['merges', [1_000, 500], [['b', 'c']]],
    ['merges', [500, 1_000], [['b', 'c']]],
    ['does not merge', [1_000, 499], [['b'], ['c']]],
    ['does not merge', [499, 1_000], [['b'], ['c']]],
  ] as const)('%s calls whose callers wait %j ms more', async (_, waits, expected) => {
    const { gateway, sent, call } = openScene();
    void gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a'));
    void gateway.bulkUpdateArticles(callerOf('2', 'token', waits[0]), updatesOf('b'));
    void gateway.bulkUpdateArticles(callerOf('3', 'token', waits[1]), updatesOf('c'));
    for (const articleIds of [['a'], ...expected]) await call(sent().length - 1).resolve(updated(...articleIds));
    expect(sent().slice(1)).toEqual(expected);
  });

  it('fails a request that expires while it is pending, with nothing sent', async () => {
    const { gateway, sent, call } = openScene();
    void gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a'));
    const second = gateway.bulkUpdateArticles(callerOf('2', 'token', 50), updatesOf('b'));
    vi.advanceTimersByTime(50);
    expect(await second).toMatchObject(unsent);
    await call(0).resolve(updated('a'));
    expect(sent()).toEqual([['a']]);
  });

  it('sends no expired request, even if the timer is late', async () => {
    const { gateway, sent, call } = openScene();
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['performance'] });
    void gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a'));
    const second = gateway.bulkUpdateArticles(callerOf('2', 'token', 1_000_000), updatesOf('b'));
    void gateway.bulkUpdateArticles(callerOf('3', 'token', 2_000_000), updatesOf('c'));
    vi.advanceTimersByTime(1_000_000);
    await call(0).resolve(updated('a'));
    expect(await second).toMatchObject(unsent);
    expect(sent()).toEqual([['a'], ['c']]);
    await call(1).resolve(updated('c'));
  });

  it('limits the pending items of a token', async () => {
    const { gateway, call, sent } = openScene({ maxPendingItems: 2 });
    void gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a'));
    void gateway.bulkUpdateArticles(callerOf('2'), updatesOf('b', 'c'));
    expect(await gateway.bulkUpdateArticles(callerOf('3'), updatesOf('d'))).toMatchObject(unsent);
    void gateway.bulkUpdateArticles(callerOf('4', 'other'), updatesOf('e'));
    await call(0).resolve(updated('a'));
    void gateway.bulkUpdateArticles(callerOf('5'), updatesOf('f'));
    await call(2).resolve(updated('b', 'c'));
    expect(sent()).toEqual([['a'], ['e'], ['b', 'c'], ['f']]);
  });

  it('sends the update of each token at once', async () => {
    const { gateway, sent } = openScene();
    for (const token of ['one', 'two', 'three'])
      void gateway.bulkUpdateArticles(callerOf(token, token), updatesOf(token));
    expect(sent()).toEqual([['one'], ['two'], ['three']]);
  });

  it('makes no calls after it was closed', async () => {
    const { gateway, backend, call, sent } = openScene();
    void gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a'));
    const second = gateway.bulkUpdateArticles(callerOf('2'), updatesOf('b'));
    await gateway.close();
    expect(backend.isClosed()).toBe(true);
    await call(0).resolve({ ok: false, error: unavailable() });
    expect(await second).toMatchObject(unsent);
    expect(sent()).toEqual([['a']]);
  });

  const others = Object.keys(createStubBackend(vi.fn())).filter(
    (name) => !['bulkUpdateArticles', 'close', 'isClosed'].includes(name),
  );

  it.each(others)('passes %s through', async (name) => {
    const { gateway } = openScene();
    const method: unknown = Reflect.get(gateway, name);
    if (typeof method !== 'function') throw new Error(`The gateway has no method ${name}.`);
    const args = name === 'checkReady' ? [] : ['one', 'two'];
    await expect((async () => Reflect.apply(method, gateway, args))()).rejects.toThrow(new Called(name, args));
  });
});

describe('the write of a job', () => {
  const jobOf = (token = 'token') => ({ ...callerOf('job', token), isBackground: true });

  it('is sent alone and at once, and stands in no queue', async () => {
    const { gateway, sent, call } = openScene();
    void gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a'));
    void gateway.bulkUpdateArticles(callerOf('2'), updatesOf('b'));
    void gateway.bulkUpdateArticles(jobOf(), updatesOf('c'));
    expect(sent()).toEqual([['a'], ['c']]);
    await call(0).resolve(updated('a'));
    expect(sent()).toEqual([['a'], ['c'], ['b']]);
  });

  it.each([
    ['in flight', 'a'],
    ['pending', 'B'],
  ])('fails unsent where an update of its article is %s', async (_name, articleId) => {
    const { gateway, sent } = openScene();
    void gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a'));
    void gateway.bulkUpdateArticles(callerOf('2'), updatesOf('b'));
    expect(await gateway.bulkUpdateArticles(jobOf(), updatesOf('c', articleId))).toMatchObject({
      error: { kind: 'rate-limited', retryAfterSeconds: 1, message: expect.stringContaining('nothing was sent') },
    });
    expect(sent()).toEqual([['a']]);
  });

  it('is waited for by later updates of its articles, and by no others', async () => {
    const { gateway, sent, call } = openScene();
    void gateway.bulkUpdateArticles(jobOf(), updatesOf('a', 'b'));
    const same = gateway.bulkUpdateArticles(callerOf('1'), updatesOf('a'));
    expect(sent()).toEqual([['a', 'b']]);
    await call(0).resolve(updated('a', 'b'));
    expect(sent()).toEqual([['a', 'b'], ['a']]);
    await call(1).resolve(updated('a'));
    expect(await same).toEqual(updated('a'));
    void gateway.bulkUpdateArticles(jobOf(), updatesOf('a'));
    void gateway.bulkUpdateArticles(callerOf('2'), updatesOf('c'));
    expect(sent().slice(2)).toEqual([['a'], ['c']]);
  });
});
