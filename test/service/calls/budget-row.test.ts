import { describe, expect, it } from 'vitest';
import { rateLimitState } from '../../../src/service/calls/rate-limit.ts';
import { decodeBudgetRow } from '../../../src/service/calls/shared-budget.ts';

const NOW = 1_800_000_000_000;

const sharer = (endsAt: number) => ({ inFlight: 1, waitingSince: NOW - 50, endsAt });
const state = { ...rateLimitState.parse({}), limit: 60, remaining: 0, resetAt: NOW + 20_000, updatedAt: NOW };
const row = { writtenAt: NOW, state, sharers: { a: sharer(NOW + 2_000), b: sharer(NOW + 5) } };
const text = JSON.stringify(row);

describe('the row of a token', () => {
  it('is read as it was written, with the times that lie before all others', () => {
    expect(decodeBudgetRow(text, NOW)).toEqual(row);
  });

  it('drops gateways whose time has ended', () => {
    expect(Object.keys(decodeBudgetRow(text, NOW + 10)?.sharers ?? {})).toEqual(['a']);
  });

  it('is none where the clock was set back, but not where an update has read the clock late', () => {
    expect(decodeBudgetRow(text, NOW - 3_600_000)).toBeNull();
    expect(decodeBudgetRow(text, NOW - 30)?.state.resetAt).toBe(NOW + 20_000);
  });

  it.each(['', 'x', '[]', '{}', '{"state":1,"sharers":{}}', '{"writtenAt":1,"state":{},"sharers":{"a":1}}'])(
    'is none where the text is %j',
    (other) => {
      expect(decodeBudgetRow(other, NOW)).toBeNull();
    },
  );
});
