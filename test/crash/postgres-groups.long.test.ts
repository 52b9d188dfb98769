import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { killGroupWriters } from './group-kills.ts';

/** A short part of `npm run test:kill:groups`, which sends no further change after this time. */
const LONGEST_MS = 60_000;

describe('four gateways on one PostgreSQL that change members of one group while one of them is killed', () => {
  it('lose no change, send none twice, and undo none of each other', async () => {
    const { url: stateUrl, drop } = await createPostgresDatabase(inject('postgresUrl') ?? '');
    onTestFinished(drop);
    const report = await killGroupWriters({ changes: 40, kills: 1, stateUrl, until: performance.now() + LONGEST_MS });
    expect(report).toMatchObject({ contradicted: [], sentTwice: [], undoing: [], surprises: [], kills: 1 });
    expect(report.outcomes.unsent).toBe(0);
  });
});
