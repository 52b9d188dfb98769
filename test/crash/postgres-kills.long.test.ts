import { describe, expect, it } from 'vitest';
import { NO_FAULTS } from './ledger.ts';
import { killGatewayAndPostgres } from './postgres-kills.ts';

/** A short part of `npm run test:crash -- postgres`, which ends after this time whatever it has reached. */
const LONGEST_MS = 180_000;

describe('a gateway and its PostgreSQL that are killed in turn while clients write', () => {
  it('keep every acknowledged write whole, and no read shows an earlier state', async () => {
    const until = performance.now() + LONGEST_MS;
    const plan = { kills: 8, writes: 100, longestLife: 600, until };
    const { ledger, kills, damage, bugs } = await killGatewayAndPostgres(plan);
    expect(ledger.faults).toEqual(NO_FAULTS);
    expect(damage).toEqual([]);
    expect(bugs).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(plan.kills);
    expect(ledger.acknowledged.writes).toBeGreaterThanOrEqual(plan.writes);
  });
});
