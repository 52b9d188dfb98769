import { describe, expect, it } from 'vitest';
import { killWhileJobsRun } from './job-kills.ts';

/** A short part of `npm run test:kill`, which makes no further kill after this time. */
const LONGEST_MS = 100_000;

describe('a gateway that is killed again and again while it runs jobs', () => {
  it('sends no item twice, claims nothing that the service contradicts, and ends every job', async () => {
    const report = await killWhileJobsRun({ kills: 5, until: performance.now() + LONGEST_MS });
    expect(report.surprises).toEqual([]);
    expect(report.audit).toMatchObject({ sentTwice: [], contradicted: [], outOfOrder: [], miscounted: [] });
    expect(report).toMatchObject({ kills: 5, jobs: 5 });
    expect(report.killsInFlight).toBeGreaterThan(0);
  });
});
