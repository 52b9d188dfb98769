import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { killWhileJobsRun } from './job-kills.ts';

/** A short part of `npm run test:kill`, which makes no further kill after this time. */
const LONGEST_MS = 100_000;

describe('a gateway with its state in PostgreSQL that is killed again and again while it runs jobs', () => {
  it('sends no item twice, claims nothing that the service contradicts, and ends every job', async () => {
    const { url: stateUrl, drop } = await createPostgresDatabase(inject('postgresUrl') ?? '');
    onTestFinished(drop);
    const report = await killWhileJobsRun({ kills: 6, stateUrl, until: performance.now() + LONGEST_MS });
    expect(report.surprises).toEqual([]);
    expect(report.audit).toMatchObject({ sentTwice: [], contradicted: [], outOfOrder: [], miscounted: [] });
    expect(report).toMatchObject({ kills: 6, jobs: 6 });
    expect(report.killsInFlight).toBeGreaterThan(0);
    expect(report.audit.counts.published).toBeGreaterThan(0);
  });
});
