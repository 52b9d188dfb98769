import { describe, expect, it } from 'vitest';
import { rateLimitState } from '../../../../src/backend/rest/calls/rate-limit.ts';
import {
  type BudgetSharer,
  decodeBudgetRow,
  encodeBudgetRow,
} from '../../../../src/backend/rest/calls/shared-budget.ts';

const NOW = 1_800_000_000_000;

const sharer = (endsAt: number): BudgetSharer => ({ inFlight: 1, waitingSince: NOW - 50, endsAt });
const state = { ...rateLimitState.parse({}), limit: 60, remaining: 0, resetAt: NOW + 20_000, updatedAt: NOW };

describe('the row of a token', () => {
  it('is read as it was written, with the times that lie before all others', () => {
    const row = { state, sharers: new Map([['a', sharer(NOW + 2_000)]]) };
    expect(decodeBudgetRow(encodeBudgetRow(row, NOW), NOW + 10)).toEqual(row);
  });

  it('drops gateways whose time has ended, and keeps 64 at most', () => {
    const sharers = new Map(Array.from({ length: 100 }, (_, index) => [`${index}`, sharer(NOW + index)]));
    const text = encodeBudgetRow({ state, sharers }, NOW);
    expect(text.length).toBeLessThan(8_000);
    expect(decodeBudgetRow(text, NOW)?.sharers.size).toBe(64);
    expect([...(decodeBudgetRow(text, NOW + 97)?.sharers.keys() ?? [])]).toEqual(['98', '99']);
  });

  it('moves along with a clock that was set back, but not with updates that read the clock late', () => {
    const text = encodeBudgetRow({ state, sharers: new Map([['a', sharer(NOW + 2_000)]]) }, NOW);
    const hour = 3_600_000;
    const row = decodeBudgetRow(text, NOW - hour);
    expect(row?.state.resetAt).toBe(NOW - hour + 20_000);
    expect(row?.sharers.get('a')).toEqual({ inFlight: 1, waitingSince: NOW - hour - 50, endsAt: NOW - hour + 2_000 });
    expect(decodeBudgetRow(text, NOW - 30)?.state.resetAt).toBe(NOW + 20_000);
  });

  it.each(['', 'x', '[]', '{}', '{"state":1,"sharers":{}}'])('is none where the text is %j', (text) => {
    expect(decodeBudgetRow(text, NOW)).toBeNull();
  });

  it('reads members of another shape as not known', () => {
    const text = '{"state":{"limit":"60","remaining":1e999},"sharers":{"a":1,"b":{"inFlight":"2"}},"writtenAt":null}';
    expect(decodeBudgetRow(text, NOW)).toEqual({ state: rateLimitState.parse({}), sharers: new Map() });
  });
});
