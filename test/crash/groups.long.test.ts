import { describe, expect, it } from 'vitest';
import { killGroupWriters } from './group-kills.ts';

/** A short part of `npm run test:kill:groups`, which sends no further change after this time. */
const LONGEST_MS = 60_000;

describe('four gateways on one SQLite file that change members of one group while one of them is killed', () => {
  it('lose no change, send none twice, and undo none of each other', async () => {
    const report = await killGroupWriters({ changes: 40, kills: 1, until: performance.now() + LONGEST_MS });
    expect(report).toMatchObject({ contradicted: [], sentTwice: [], undoing: [], surprises: [], kills: 1 });
    expect(report.outcomes.unsent).toBe(0);
  });
});
