import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';
import { runGateway } from '../support/process.ts';
import { canLock, canMount, onFullDisk, onReadOnlyFiles } from './disks.ts';
import { inFolder } from './gateways.ts';
import { killAgainAndAgain } from './kills.ts';
import { DATABASE, makeDatabase, SETTINGS } from './knowledge.ts';
import { NO_FAULTS } from './ledger.ts';
import { canTrace, countSyncs } from './syncs.ts';
import type { TroubleReport } from './trouble.ts';

/** A short part of `npm run test:crash`, which ends after this time whatever it has reached. */
const LONGEST_MS = 180_000;

const NEEDS_TRACE = needs(canTrace(), 'strace is not installed or not permitted');
const NEEDS_MOUNT = needs(canMount(), 'only root may mount disks, and only on Linux');
const NEEDS_LOCK = needs(canLock(), 'only root may make files immutable, and only on Linux');

describe.concurrent('a store whose process is killed again and again while it is written to', () => {
  it('keeps every acknowledged write whole, and no read shows an earlier state', async () => {
    const until = performance.now() + LONGEST_MS;
    const { ledger, kills, findings } = await killAgainAndAgain({ kills: 6, writes: 200, longestLife: 800, until });
    expect(ledger.faults).toEqual(NO_FAULTS);
    expect(findings).toEqual([]);
    expect([...ledger.refusals]).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(6);
    expect(ledger.acknowledged.writes).toBeGreaterThanOrEqual(200);
  });

  it('syncs each write to the disk before it is acknowledged', NEEDS_TRACE, async () => {
    const { writes, syncs } = await countSyncs(30);
    expect(writes).toBe(30);
    expect(syncs).toBeGreaterThanOrEqual(30);
  });
});

/** Asserts that nothing was written or acknowledged meanwhile, and that the same process continued afterwards. */
function expectRecovery({ ledger, acknowledged, readiness, findings }: TroubleReport): void {
  expect(ledger.faults).toEqual(NO_FAULTS);
  expect(findings).toEqual([]);
  expect(acknowledged.before).toBeGreaterThan(0);
  expect(acknowledged.during).toBe(0);
  expect(acknowledged.after).toBe(acknowledged.before);
  expect(readiness).toEqual([200, 503, 200]);
}

describe.concurrent('a store that cannot be written', () => {
  it('reports a full disk, and continues once there is space', NEEDS_MOUNT, async () => {
    const report = await onFullDisk();
    expectRecovery(report);
    expect([...report.ledger.refusals.keys()]).toEqual(['ServiceUnavailableError']);
  });

  it(
    'reports unknown outcomes when its files become read-only, and continues once they are writable',
    NEEDS_LOCK,
    async () => {
      const report = await onReadOnlyFiles();
      expectRecovery(report);
      expect([...report.ledger.refusals.keys()].sort()).toEqual(['ArticleUpdateUnknown', 'OutcomeUnknownError']);
    },
  );

  it('does not start on a read-only disk, and says why', NEEDS_MOUNT, () =>
    inFolder(async (cwd) => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', cwd]);
      try {
        await makeDatabase(cwd);
        const before = readFileSync(join(cwd, DATABASE));
        execFileSync('mount', ['-o', 'remount,ro', cwd]);
        const { code, stderr } = await runGateway([], { cwd, settings: { ...SETTINGS, PORT: '0' } });
        expect(code).toBe(1);
        expect(stderr).toMatch(/^kb-gateway: .*(?:cannot be written|cannot be opened).*\n$/u);
        expect(readFileSync(join(cwd, DATABASE)).equals(before)).toBe(true);
      } finally {
        execFileSync('umount', ['-l', cwd]);
      }
    }),
  );
});
