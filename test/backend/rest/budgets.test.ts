import { afterEach, describe, expect, it, vi } from 'vitest';
import { Budget } from '../../../src/backend/rest/budget.ts';
import { type Budgets, createBudgets } from '../../../src/backend/rest/budgets.ts';
import type { CallFailure } from '../../../src/backend/rest/request-error.ts';
import { err, ok } from '../../../src/domain/result.ts';
import { json, status } from '../../support/faulty-service.ts';
import { limitedTo } from '../../support/limited-service.ts';
import { callerWith, openScene } from '../../support/rest-scene.ts';

const VERSIONS = 'GET /v2/ProjectVersions';
const found = json(200, { data: [], success: true });

const answered = (httpStatus: number, headers: Record<string, string>) => ok({ httpStatus, headers, body: {} });
const lost = err<CallFailure>({ kind: 'unknown', reason: 'the connection was cut.' });
const unsent = err<CallFailure>({ kind: 'not-begun', reason: 'too many calls wait for it already.' });
const remaining = (count: number, more = {}) => answered(200, { 'x-ratelimit-remaining': `${count}`, ...more });

describe('the budget of a token', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A budget that an answer told something. */
  function budgetAfter(sent: Parameters<Budget['settle']>[0]): Budget {
    const budget = new Budget();
    budget.spend();
    budget.settle(sent);
    return budget;
  }
  const spendable = (budget: Budget) => {
    let calls = 0;
    while (calls < 100 && budget.spend()) calls += 1;
    return calls;
  };

  it('has no end where the service tells nothing', () => {
    const budget = budgetAfter(answered(200, {}));
    expect([spendable(budget), budget.known()]).toEqual([100, null]);
  });

  it('is what the last answer left, less what is under way', () => {
    const budget = budgetAfter(remaining(3));
    expect([spendable(budget), budget.known()]).toEqual([3, { limit: null, remaining: 0, resetAt: null }]);
  });

  it('is not taken for larger by an answer that does not count what is under way', () => {
    const budget = budgetAfter(remaining(10));
    for (let call = 0; call < 4; call += 1) budget.spend();
    budget.settle(remaining(9));
    expect(budget.known()).toMatchObject({ remaining: 6 });
    budget.settle(remaining(5));
    expect(budget.known()).toMatchObject({ remaining: 5 });
  });

  it('is larger again once an answer says so', () => {
    const budget = budgetAfter(remaining(1));
    budget.spend();
    budget.settle(remaining(59));
    expect(spendable(budget)).toBe(59);
  });

  it('gets back what a call did not use that was never sent', () => {
    const budget = budgetAfter(remaining(1));
    budget.spend();
    budget.settle(unsent);
    expect(budget.known()).toMatchObject({ remaining: 1 });
    budget.spend();
    budget.settle(lost);
    expect(budget.spend()).toBe(true);
  });

  it('is spread by calls that can wait, the less is left the further apart, and none waits after a pause', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const budget = budgetAfter(remaining(61));
    budget.spend();
    expect(budget.gapMs()).toBe(50);
    budget.settle(remaining(10));
    expect(budget.gapMs()).toBe(300);
    vi.advanceTimersByTime(299);
    expect(budget.gapMs()).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(budget.gapMs()).toBe(0);
    expect([new Budget().gapMs(), budgetAfter(remaining(0)).gapMs()]).toEqual([0, 0]);
  });

  it.each([
    ['a 429 with Retry-After', answered(429, { 'retry-after': '30' })],
    ['a 429 with a reset', answered(429, { 'x-ratelimit-reset': '30' })],
    ['nothing that remains, and a reset', remaining(0, { 'x-ratelimit-reset': '30' })],
  ])('is closed by %s, until the reset', (_name, sent) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const budget = budgetAfter(sent);
    expect([budget.spend(), budget.secondsToWait(), budget.closedForMs()]).toEqual([false, 30, 30_000]);
    vi.setSystemTime(Date.now() + 30_000);
    expect(budget.spend()).toBe(true);
  });

  it('is asked for by one call at a time after the reset where the limit is not known', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const budget = budgetAfter(answered(429, { 'retry-after': '30' }));
    vi.setSystemTime(Date.now() + 30_000);
    expect(spendable(budget)).toBe(1);
    budget.settle(remaining(7));
    expect(spendable(budget)).toBe(7);
  });

  it('is the limit after the reset where that is known', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const budget = budgetAfter(answered(429, { 'x-ratelimit-limit': '60', 'x-ratelimit-reset': '30' }));
    expect(budget.known()).toEqual({ limit: 60, remaining: 0, resetAt: new Date(Date.now() + 30_000) });
    vi.setSystemTime(Date.now() + 30_000);
    expect(budget.known()).toEqual({ limit: 60, remaining: 60, resetAt: null });
    expect(spendable(budget)).toBe(60);
  });

  it('is asked for once a minute where it is closed for longer, so that a wrong number shuts out nobody for hours', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const budget = budgetAfter(answered(429, { 'retry-after': '3600' }));
    expect([budget.spend(), budget.secondsToWait()]).toEqual([false, 3600]);
    vi.setSystemTime(Date.now() + 60_000);
    expect([spendable(budget), budget.secondsToWait()]).toEqual([1, 3540]);
    budget.settle(answered(429, { 'retry-after': '3540' }));
    expect(budget.spend()).toBe(false);
  });

  it('is not closed by a 429 that does not say for how long', () => {
    expect(spendable(budgetAfter(answered(429, {})))).toBe(100);
  });

  it('waits twice as long after each 429 that says not to wait', () => {
    const budget = new Budget();
    const pauses = [1, 2, 3].map(() => {
      vi.useFakeTimers({ toFake: ['Date'] });
      budget.spend();
      budget.settle(answered(429, { 'retry-after': '0' }));
      const ms = budget.closedForMs();
      vi.setSystemTime(Date.now() + ms);
      return ms;
    });
    expect(pauses).toEqual([100, 200, 400]);
  });
});

describe('a call beyond the budget', () => {
  it('is rate-limited with the seconds, before anything is sent, where its caller does not wait that long', async () => {
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

  it('holds no other token up', async () => {
    const { service, backend, caller } = await openScene();
    service.on(VERSIONS, status(429, '', { 'retry-after': '30' }), found);
    await backend.projectVersions(caller);
    expect(await backend.projectVersions(callerWith('another'))).toMatchObject({ ok: true });
  });

  it('is sent in its turn once the budget is whole again, and the service refuses none', async () => {
    const { service, backend } = await openScene();
    const limited = limitedTo({ calls: 3, windowMs: 300 }, found);
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

describe('the budgets', () => {
  const until = (ms: number) => performance.now() + ms;
  const note = async (budgets: Budgets, token: string, sent: Parameters<Budget['settle']>[0]) => {
    const turn = await budgets.take(token, until(1_000));
    if (turn.ok) turn.value.settle(sent);
  };

  it('are remembered of the thousand tokens that were used last', async () => {
    const budgets = createBudgets();
    for (const token of ['first', 'second']) await note(budgets, token, remaining(10));
    for (let token = 0; token < 998; token += 1) await note(budgets, `${token}`, remaining(10));
    await note(budgets, 'first', remaining(9));
    await note(budgets, 'one more', remaining(10));
    expect([budgets.of('first'), budgets.of('second')]).toEqual([expect.anything(), null]);
  });

  it('are waited for by a thousand calls at most', async () => {
    const budgets = createBudgets();
    await note(budgets, 't', remaining(0, { 'x-ratelimit-reset': '0.2' }));
    const waiting = Array.from({ length: 1_000 }, () => budgets.take('t', until(600)));
    expect(await budgets.take('t', until(60_000))).toMatchObject({ ok: false, error: { kind: 'rate-limited' } });
    const turns = await Promise.all(waiting);
    expect(turns.filter(({ ok: mayGo }) => mayGo)).toHaveLength(1);
  });

  it('go on after callers who gave up waiting', async () => {
    const budgets = createBudgets();
    await note(budgets, 't', remaining(0, { 'x-ratelimit-reset': '0.4' }));
    const [short, long] = await Promise.all([budgets.take('t', until(200)), budgets.take('t', until(2_000))]);
    expect([short.ok, long.ok]).toEqual([false, true]);
  });
});
