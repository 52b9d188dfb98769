import { afterEach, describe, expect, it, vi } from 'vitest';
import { err, ok } from '../../../src/core/base/result.ts';
import { type Limits, mostOf } from '../../../src/core/base/semaphore.ts';
import { TokenRateLimit } from '../../../src/service/calls/rate-limit.ts';
import { CALL_QUEUE_FULL, type CallFailure } from '../../../src/service/calls/service-call.ts';
import { type TokenState, TokenStates } from '../../../src/service/calls/token-states.ts';
import { openSlots, takeSlot } from '../../support/call-pipeline.ts';
import { json, status } from '../../support/faulty-service.ts';
import { limitedTo } from '../../support/limited-service.ts';
import { callerWith, openScene } from '../../support/rest-scene.ts';

const VERSIONS = 'GET /v2/ProjectVersions';
const found = json(200, { data: [], success: true });

const response = (httpStatus: number, headers: Record<string, string>) => ok({ httpStatus, headers, body: {} });
const lost = err<CallFailure>({ kind: 'unknown', reason: 'the connection was cut.' });
const unsent = err(CALL_QUEUE_FULL);
const remaining = (count: number, more = {}) => response(200, { 'x-ratelimit-remaining': `${count}`, ...more });

describe('the rate limit of a token', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A rate limit after one response. */
  function rateLimitAfter(result: Parameters<TokenRateLimit['onResponse']>[0]): TokenRateLimit {
    const rateLimit = new TokenRateLimit();
    rateLimit.tryAcquire();
    rateLimit.onResponse(result);
    return rateLimit;
  }
  const allowedCalls = (rateLimit: TokenRateLimit) => {
    let calls = 0;
    while (calls < 100 && rateLimit.tryAcquire()) calls += 1;
    return calls;
  };

  it('does not exist where responses tell nothing', () => {
    const rateLimit = rateLimitAfter(response(200, {}));
    expect([allowedCalls(rateLimit), rateLimit.current()]).toEqual([100, null]);
  });

  it('is what remained after the last response, less the calls since then', () => {
    const rateLimit = rateLimitAfter(remaining(3));
    expect([allowedCalls(rateLimit), rateLimit.current()]).toEqual([3, { limit: null, remaining: 0, resetAt: null }]);
  });

  it('does not grow with a response that does not count the calls in flight', () => {
    const rateLimit = rateLimitAfter(remaining(10));
    for (let call = 0; call < 4; call += 1) rateLimit.tryAcquire();
    rateLimit.onResponse(remaining(9));
    expect(rateLimit.current()).toMatchObject({ remaining: 6 });
    rateLimit.onResponse(remaining(5));
    expect(rateLimit.current()).toMatchObject({ remaining: 5 });
  });

  it('grows when a response says so', () => {
    const rateLimit = rateLimitAfter(remaining(1));
    rateLimit.tryAcquire();
    rateLimit.onResponse(remaining(59));
    expect(allowedCalls(rateLimit)).toBe(59);
  });

  it('gets a call back that was never sent', () => {
    const rateLimit = rateLimitAfter(remaining(1));
    rateLimit.tryAcquire();
    rateLimit.onResponse(unsent);
    expect(rateLimit.current()).toMatchObject({ remaining: 1 });
    rateLimit.tryAcquire();
    rateLimit.onResponse(lost);
    expect(rateLimit.tryAcquire()).toBe(true);
  });

  it('is spread by calls that can wait, further apart when less remains, and not after a pause', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const rateLimit = rateLimitAfter(remaining(61));
    rateLimit.tryAcquire();
    expect(rateLimit.delayMs()).toBe(50);
    rateLimit.onResponse(remaining(10));
    expect(rateLimit.delayMs()).toBe(300);
    vi.advanceTimersByTime(299);
    expect(rateLimit.delayMs()).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(rateLimit.delayMs()).toBe(0);
    expect([new TokenRateLimit().delayMs(), rateLimitAfter(remaining(0)).delayMs()]).toEqual([0, 0]);
  });

  it.each([
    ['a 429 with Retry-After', response(429, { 'retry-after': '30' })],
    ['a 429 with a reset', response(429, { 'x-ratelimit-reset': '30' })],
    ['nothing that remains, and a reset', remaining(0, { 'x-ratelimit-reset': '30' })],
  ])('is exhausted by %s, until the reset', (_name, result) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const rateLimit = rateLimitAfter(result);
    expect([rateLimit.tryAcquire(), rateLimit.retryAfterSeconds(), rateLimit.blockedForMs()]).toEqual([
      false,
      30,
      30_000,
    ]);
    vi.advanceTimersByTime(30_000);
    expect(rateLimit.tryAcquire()).toBe(true);
  });

  it('allows one call at a time after the reset where the limit is not known', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const rateLimit = rateLimitAfter(response(429, { 'retry-after': '30' }));
    vi.advanceTimersByTime(30_000);
    expect(allowedCalls(rateLimit)).toBe(1);
    rateLimit.onResponse(remaining(7));
    expect(allowedCalls(rateLimit)).toBe(7);
  });

  it('is the limit after the reset where that is known', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const rateLimit = rateLimitAfter(response(429, { 'x-ratelimit-limit': '60', 'x-ratelimit-reset': '30' }));
    expect(rateLimit.current()).toEqual({ limit: 60, remaining: 0, resetAt: new Date(Date.now() + 30_000) });
    vi.advanceTimersByTime(30_000);
    expect(rateLimit.current()).toEqual({ limit: 60, remaining: 60, resetAt: null });
    expect(allowedCalls(rateLimit)).toBe(60);
  });

  it('allows one call a minute before a late reset, so that a wrong number shuts a token out for no hours', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const rateLimit = rateLimitAfter(response(429, { 'retry-after': '3600' }));
    expect([rateLimit.tryAcquire(), rateLimit.retryAfterSeconds()]).toEqual([false, 3600]);
    vi.advanceTimersByTime(60_000);
    expect([allowedCalls(rateLimit), rateLimit.retryAfterSeconds()]).toEqual([1, 3540]);
    rateLimit.onResponse(response(429, { 'retry-after': '3540' }));
    expect(rateLimit.tryAcquire()).toBe(false);
  });

  it.each([-3_600_000, 3_600_000])('is exhausted for the same time after a step of the clock of %i ms', (step) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const rateLimit = rateLimitAfter(response(429, { 'retry-after': '30' }));
    vi.setSystemTime(Date.now() + step);
    expect([rateLimit.tryAcquire(), rateLimit.blockedForMs(), rateLimit.retryAfterSeconds()]).toEqual([
      false,
      30_000,
      30,
    ]);
    expect(rateLimit.current()).toMatchObject({ resetAt: new Date(Date.now() + 30_000) });
    vi.advanceTimersByTime(30_000);
    expect(rateLimit.tryAcquire()).toBe(true);
  });

  it('is not exhausted by a 429 without a time', () => {
    expect(allowedCalls(rateLimitAfter(response(429, {})))).toBe(100);
  });

  it('pauses for a second after each 429 with no time to wait', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const rateLimit = new TokenRateLimit();
    const pauses = [1, 2, 3].map(() => {
      rateLimit.tryAcquire();
      rateLimit.onResponse(response(429, { 'retry-after': '0' }));
      const ms = rateLimit.blockedForMs();
      vi.advanceTimersByTime(ms);
      return ms;
    });
    expect(pauses).toEqual([1_000, 1_000, 1_000]);
  });
});

describe('a call beyond the rate limit', () => {
  it('fails as rate-limited with the seconds, unsent, where its caller does not wait that long', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, json(200, { data: [] }, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' }));
    service.on('PUT /v2/Articles/bulkupdate', found);
    await backend.projectVersions(caller);
    const limited = { ok: false, error: { kind: 'rate-limited', retryAfterSeconds: 30 } };
    expect(await backend.projectVersions(callerWith())).toMatchObject(limited);
    expect(await backend.bulkUpdateArticles(caller, [{ articleId: 'a' }])).toMatchObject(limited);
    expect(service.received).toHaveLength(1);
    expect(await backend.rateLimit(caller)).toMatchObject({ value: { remaining: 0, resetAt: expect.any(Date) } });
  });

  it('does not delay other tokens', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, status(429, '', { 'retry-after': '30' }), found);
    await backend.projectVersions(caller);
    expect(await backend.projectVersions(callerWith('another'))).toMatchObject({ ok: true });
  });

  it('is sent in order after the reset, and none is rejected', { tags: 'long' }, async () => {
    const { service, backend } = await openScene();
    const limited = limitedTo({ calls: 3, windowMs: 1_000 }, found);
    service.on(VERSIONS, limited.behaviour);
    await backend.projectVersions(callerWith());
    const done: number[] = [];
    await Promise.all(
      Array.from({ length: 8 }, async (_, call) => {
        await backend.projectVersions(callerWith());
        done.push(call);
      }),
    );
    expect([limited.windows, limited.refused()]).toEqual([[3, 3, 3], 0]);
    expect(done.map((call) => Math.floor((call + 1) / 3))).toEqual([0, 0, 1, 1, 1, 2, 2, 2]);
  });
});

describe('the states of tokens', () => {
  const open = (options: { readonly maxTokens?: number } = {}, waiting?: Limits) => {
    const slots = openSlots(waiting);
    return Object.assign(new TokenStates({ ...options, slots }), { slots });
  };
  type States = ReturnType<typeof open>;
  /** Waits for a call for so long. */
  const acquire = ({ slots }: States, { key, budget }: TokenState, ms: number) =>
    takeSlot(slots, { key, deadline: budget.deadlineOf(performance.now() + ms, false), gate: budget });
  /** Notes the result of a call. */
  const note = async (tokenStates: States, token: string, result: Parameters<TokenRateLimit['onResponse']>[0]) => {
    const state = tokenStates.acquire(token);
    if (await acquire(tokenStates, state, 1_000)) state.onResponse(result);
    tokenStates.release(state);
  };
  const rejected = response(401, {});
  const limited = response(429, { 'retry-after': '30' });

  it('are kept of the tokens that were accepted last', async () => {
    const tokenStates = open({ maxTokens: 3 });
    for (const token of ['first', 'second', 'third', 'first', 'fourth']) await note(tokenStates, token, remaining(10));
    const accepted = ['first', 'second', 'third', 'fourth'].filter((token) => tokenStates.find(token)?.isAccepted);
    expect(accepted).toEqual(['first', 'third', 'fourth']);
  });

  it('are not pushed out by untrusted tokens, however many', async () => {
    const tokenStates = open();
    await note(tokenStates, 'real', remaining(10));
    await note(tokenStates, 'limited', limited);
    for (let token = 0; token < 2_000; token += 1)
      await note(tokenStates, `made-up-${token}`, token % 2 ? rejected : limited);
    expect(tokenStates.find('real')?.budget.current()).toMatchObject({ remaining: 10 });
    expect(tokenStates.find('made-up-1')).toBeUndefined();
    // Of untrusted tokens, only a few rate limits are kept.
    expect(['limited', 'made-up-1998'].map((token) => tokenStates.find(token) !== undefined)).toEqual([false, true]);
  });

  it('are those of no known token once the service has refused it', async () => {
    const tokenStates = open();
    await note(tokenStates, 'gone', response(200, {}));
    await note(tokenStates, 'gone', rejected);
    // It is asked for once more, and a second refusal is remembered.
    expect(tokenStates.find('gone')).toBeUndefined();
    await note(tokenStates, 'gone', rejected);
    expect(tokenStates.find('gone')).toMatchObject({ isAccepted: false, isKnown: false, refusal: { ok: true } });
  });

  it('let a thousand calls wait at most, and one token leaves room for others', async () => {
    const tokenStates = open({}, mostOf(1_000));
    const closed = remaining(0, { 'x-ratelimit-reset': '0.2' });
    for (const token of ['t', 'other']) await note(tokenStates, token, closed);
    const [one, other] = [tokenStates.acquire('t'), tokenStates.acquire('other')];
    const waiting = Array.from({ length: 937 }, () => acquire(tokenStates, one, 600));
    expect(await acquire(tokenStates, one, 60_000)).toBe(false);
    const others = Array.from({ length: 63 }, () => acquire(tokenStates, other, 600));
    expect(await acquire(tokenStates, other, 60_000)).toBe(false);
    expect((await Promise.all(waiting)).filter((isGranted) => isGranted)).toHaveLength(1);
    expect((await Promise.all(others)).filter((isGranted) => isGranted)).toHaveLength(1);
  });

  it('serve the next caller after one that stopped waiting', async () => {
    const tokenStates = open();
    await note(tokenStates, 't', remaining(0, { 'x-ratelimit-reset': '0.4' }));
    const state = tokenStates.acquire('t');
    const calls = [200, 2_000].map((ms) => acquire(tokenStates, state, ms));
    expect(await Promise.all(calls)).toEqual([false, true]);
  });
});
