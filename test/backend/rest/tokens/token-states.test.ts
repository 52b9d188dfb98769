import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Budgets, createBudgets } from '../../../../src/backend/rest/budgets.ts';
import type { CallFailure } from '../../../../src/backend/rest/http/request.ts';
import { Budget } from '../../../../src/backend/rest/rate-limit/rate-limit.ts';
import { err, ok } from '../../../../src/domain/result.ts';
import { json, status } from '../../../support/faulty-service.ts';
import { limitedTo } from '../../../support/limited-service.ts';
import { callerWith, openScene } from '../../../support/rest-scene.ts';

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
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const budget = budgetAfter(sent);
    expect([budget.spend(), budget.secondsToWait(), budget.closedForMs()]).toEqual([false, 30, 30_000]);
    vi.advanceTimersByTime(30_000);
    expect(budget.spend()).toBe(true);
  });

  it('is asked for by one call at a time after the reset where the limit is not known', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const budget = budgetAfter(answered(429, { 'retry-after': '30' }));
    vi.advanceTimersByTime(30_000);
    expect(spendable(budget)).toBe(1);
    budget.settle(remaining(7));
    expect(spendable(budget)).toBe(7);
  });

  it('is the limit after the reset where that is known', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const budget = budgetAfter(answered(429, { 'x-ratelimit-limit': '60', 'x-ratelimit-reset': '30' }));
    expect(budget.known()).toEqual({ limit: 60, remaining: 0, resetAt: new Date(Date.now() + 30_000) });
    vi.advanceTimersByTime(30_000);
    expect(budget.known()).toEqual({ limit: 60, remaining: 60, resetAt: null });
    expect(spendable(budget)).toBe(60);
  });

  it('is asked for once a minute where it is closed for longer, so that a wrong number shuts out nobody for hours', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const budget = budgetAfter(answered(429, { 'retry-after': '3600' }));
    expect([budget.spend(), budget.secondsToWait()]).toEqual([false, 3600]);
    vi.advanceTimersByTime(60_000);
    expect([spendable(budget), budget.secondsToWait()]).toEqual([1, 3540]);
    budget.settle(answered(429, { 'retry-after': '3540' }));
    expect(budget.spend()).toBe(false);
  });

  it.each([-3_600_000, 3_600_000])('is closed no longer and no shorter after a step of the clock of %i ms', (step) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const budget = budgetAfter(answered(429, { 'retry-after': '30' }));
    vi.setSystemTime(Date.now() + step);
    expect([budget.spend(), budget.closedForMs(), budget.secondsToWait()]).toEqual([false, 30_000, 30]);
    expect(budget.known()).toMatchObject({ resetAt: new Date(Date.now() + 30_000) });
    vi.advanceTimersByTime(30_000);
    expect(budget.spend()).toBe(true);
  });

  it('is not closed by a 429 that does not say for how long', () => {
    expect(spendable(budgetAfter(answered(429, {})))).toBe(100);
  });

  it('waits twice as long after each 429 that says not to wait', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const budget = new Budget();
    const pauses = [1, 2, 3].map(() => {
      budget.spend();
      budget.settle(answered(429, { 'retry-after': '0' }));
      const ms = budget.closedForMs();
      vi.advanceTimersByTime(ms);
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
  /** Makes a call, of which that becomes. */
  const note = async (budgets: Budgets, token: string, sent: Parameters<Budget['settle']>[0]) => {
    const state = budgets.hold(token);
    if (await state.queue.enter(until(1_000))) {
      state.note(sent);
      state.queue.budget.settle(sent);
    }
    budgets.letGo(state);
  };
  const refused = answered(401, {});
  const limited = answered(429, { 'retry-after': '30' });

  it('are remembered of the tokens that were accepted last', async () => {
    const budgets = createBudgets({ maxTokens: 3 });
    for (const token of ['first', 'second', 'third', 'first', 'fourth']) await note(budgets, token, remaining(10));
    const known = ['first', 'second', 'third', 'fourth'].filter((token) => budgets.find(token)?.isAccepted);
    expect(known).toEqual(['first', 'third', 'fourth']);
  });

  it('are pushed out by no number of tokens that the service does not accept', async () => {
    const budgets = createBudgets();
    await note(budgets, 'real', remaining(10));
    await note(budgets, 'limited', limited);
    for (let token = 0; token < 2_000; token += 1)
      await note(budgets, `made-up-${token}`, token % 2 ? refused : limited);
    expect(budgets.find('real')?.queue.budget.known()).toMatchObject({ remaining: 10 });
    expect(budgets.find('made-up-1')).toBeUndefined();
    // What limits a stranger is remembered of a few.
    expect(['limited', 'made-up-1998'].map((token) => budgets.find(token) !== undefined)).toEqual([false, true]);
  });

  it('are forgotten of a token that the service refuses', async () => {
    const budgets = createBudgets();
    await note(budgets, 'gone', answered(200, {}));
    await note(budgets, 'gone', refused);
    expect(budgets.find('gone')).toBeUndefined();
  });

  it('are waited for by a thousand calls at most, and one token leaves room for others', async () => {
    const budgets = createBudgets();
    const closed = remaining(0, { 'x-ratelimit-reset': '0.2' });
    for (const token of ['t', 'other']) await note(budgets, token, closed);
    const [one, other] = [budgets.hold('t').queue, budgets.hold('other').queue];
    const waiting = Array.from({ length: 938 }, () => one.enter(until(600)));
    expect(await one.enter(until(60_000))).toBe(false);
    const others = Array.from({ length: 62 }, () => other.enter(until(600)));
    expect(await other.enter(until(60_000))).toBe(false);
    expect((await Promise.all(waiting)).filter((mayGo) => mayGo)).toHaveLength(1);
    expect((await Promise.all(others)).filter((mayGo) => mayGo)).toHaveLength(1);
  });

  it('go on after callers who gave up waiting', async () => {
    const budgets = createBudgets();
    await note(budgets, 't', remaining(0, { 'x-ratelimit-reset': '0.4' }));
    const { enter } = budgets.hold('t').queue;
    expect(await Promise.all([enter(until(200)), enter(until(2_000))])).toEqual([false, true]);
  });
});
