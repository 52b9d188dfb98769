import { describe, expect, it } from 'vitest';
import { planRequests } from '../../bench/mixed-requests.ts';
import { serviceTime, waitForShared } from '../../bench/sections/latency.ts';

const call = (receivedAt: number, answeredAt: number, token = 'one') => ({
  token,
  subjects: [],
  isBulkUpdate: true,
  receivedAt,
  answeredAt,
});

describe('the time of the service', () => {
  it('counts calls that overlap once, and others one after another', () => {
    expect(serviceTime([call(80, 130), call(0, 50), call(10, 60), call(20, 40)])).toBe(110);
    expect(serviceTime([])).toBe(0);
  });
});

describe('the wait for a shared call', () => {
  const own = [call(51, 101)];
  const waitOf = (before: ReturnType<typeof call>) =>
    waitForShared({ sentAt: 20 }, { request: { token: 'one' }, own, calls: [before, ...own] });

  it('lasts until the call of the same token has ended that was under way', () => {
    expect(waitOf(call(0, 50))).toBe(30);
  });

  it('is none for calls of other tokens, for earlier ones and for those that went beside it', () => {
    expect([call(0, 50, 'two'), call(0, 19), call(0, 60), call(21, 50)].map(waitOf)).toEqual([0, 0, 0, 0]);
  });
});

describe('a plan of requests', () => {
  const plan = { dialect: 'graphql', from: 7, seconds: 20, perSecond: 50, tokens: ['a', 'b'], clients: 20 } as const;
  const requests = planRequests(plan);

  it('is the same each time, in order, with about as many requests as asked', () => {
    expect(planRequests(plan)).toEqual(requests);
    expect(requests.length).toBeGreaterThan(850);
    expect(requests.length).toBeLessThan(1_150);
    expect(requests.map(({ atMs }) => atMs)).toEqual(requests.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
  });

  it('reads and writes, with every token, and nothing twice', () => {
    expect(new Set(requests.map(({ kind }) => kind))).toEqual(new Set(['read', 'bulk', 'group']));
    expect(new Set(requests.map(({ token }) => token))).toEqual(new Set(plan.tokens));
    expect(new Set(requests.map(({ subject }) => subject)).size).toBe(requests.length);
  });
});
