import { describe, expect, it } from 'vitest';
import { killWhileJobsRun } from './job-kills.ts';
import { loseAnswers } from './lost-answers.ts';

/** A short part of `npm run test:kill`, which makes no further kill after this time. */
const LONGEST_MS = 100_000;

describe('a gateway that is killed again and again while it runs jobs', () => {
  it('sends no item twice, claims nothing that the service contradicts, and ends every job', async () => {
    const report = await killWhileJobsRun({ kills: 6, until: performance.now() + LONGEST_MS });
    expect(report.surprises).toEqual([]);
    expect(report.audit).toMatchObject({ sentTwice: [], contradicted: [], outOfOrder: [], miscounted: [] });
    expect(report).toMatchObject({ kills: 6, jobs: 6 });
    expect(report.killsInFlight).toBeGreaterThan(0);
    expect(report.audit.counts.published).toBeGreaterThan(0);
  });
});

describe('a job over a service that loses its answers', () => {
  it('finds by reading what was applied, and never claims an update that was not whole', async () => {
    const { audit, surprises } = await loseAnswers({ items: 100, longestMs: 200_000 });
    expect(surprises).toEqual([]);
    expect(audit).toMatchObject({ sentTwice: [], contradicted: [], outOfOrder: [], miscounted: [] });
    expect(audit.counts.resolved).toBe(audit.counts.lostAnswers);
  });
});
