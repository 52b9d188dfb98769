import { print, require } from '../support/figures.ts';
import { canLock, canMount, onFullDisk, onReadOnlyFiles } from './disks.ts';
import { killAgainAndAgain } from './kills.ts';
import type { Faults } from './ledger.ts';
import { killGatewayAndPostgres } from './postgres-kills.ts';
import { canTrace, countSyncs } from './syncs.ts';
import type { TroubleReport } from './trouble.ts';

/*
 * `npm run test:crash [-- PART …]`: the crash tests at full length; the tests in this folder run a part of it. Prints
 * the figures of docs/reliability.md, and ends with 1 when one of them is out of its bounds.
 */
const MAX_START_MS = 5_000;
const PLAN = { kills: 24, writes: 6_000, longestLife: 4_000 };
const SYNCED_WRITES = 500;
const POSTGRES_PLAN = { kills: 50, writes: 4_000, longestLife: 4_000 };

function printFaults({ lost, torn, wentBack, invented }: Faults): void {
  print(`  lost ${lost}, torn ${torn}, reads of an earlier state ${wentBack}, values that nobody wrote ${invented}`);
  require('nothing lost, torn, undone or invented', lost + torn + wentBack + invented === 0);
}

async function kill(): Promise<void> {
  const report = await killAgainAndAgain({ ...PLAN, until: performance.now() + 120_000 });
  const { writes, items } = report.ledger.acknowledged;
  print(
    `kill -9: ${report.kills} times, half of them while it starts, ${writes} writes of ${items} items acknowledged, ${report.ledger.reads} reads`,
  );
  printFaults(report.ledger.faults);
  const slowest = Math.max(...report.startsMs);
  print(`  integrity_check and foreign_key_check after each: ${report.findings.join('; ') || 'ok'}`);
  print(`  restart: ${Math.round(slowest)} ms at most`);
  require(`${PLAN.kills} kills and ${PLAN.writes} writes`, report.kills >= PLAN.kills && writes >= PLAN.writes);
  require('integrity', report.findings.length === 0);
  require('a restart within 5 s', slowest < MAX_START_MS);
}

async function sync(): Promise<void> {
  if (!canTrace()) return print('fsync: not counted, since strace is not installed');
  const { writes, syncs } = await countSyncs(SYNCED_WRITES);
  print(`fsync: ${syncs} for ${writes} acknowledged serial writes`);
  require('an fsync for each write', writes === SYNCED_WRITES && syncs >= writes);
}

async function trouble(name: string, isPossible: boolean, run: () => Promise<TroubleReport>): Promise<void> {
  if (!isPossible) return print(`${name}: left out, since it needs Linux and root`);
  const { ledger, acknowledged, readiness, findings } = await run();
  const { before, during, after } = acknowledged;
  print(`${name}: writes acknowledged before ${before}, during ${during}, after ${after}`);
  print(`  outcomes during: ${[...ledger.refusals].map(([type, count]) => `${count} ${type}`).join(', ')}`);
  print(`  readiness: ${readiness.join(', ')}; integrity: ${findings.join('; ') || 'ok'}`);
  printFaults(ledger.faults);
  require('nothing acknowledged during, all after', during === 0 && after === before && findings.length === 0);
  require('readiness 200, 503, 200', readiness.join() === '200,503,200');
}

async function postgres(): Promise<void> {
  const report = await killGatewayAndPostgres({ ...POSTGRES_PLAN, until: performance.now() + 600_000 });
  const { acknowledged, reads, mixed, faults, refusals } = report.ledger;
  const rounds = Object.entries(report.pausesMs);
  print(
    `PostgreSQL: kill -9 ${report.kills} times, ${rounds.map(([name, { length }]) => `${name} ${length}`).join(', ')}`,
  );
  print(`  ${acknowledged.writes} writes of ${acknowledged.items} items acknowledged, ${reads} reads`);
  print(`  not acknowledged: ${[...refusals].map(([type, count]) => `${count} ${type}`).join(', ')}`);
  print(`  items read in two states while they were written: ${mixed}`);
  printFaults(faults);
  print(`  tables and indexes after each (amcheck): ${report.damage.join('; ') || 'ok'}`);
  const longest = rounds.map(([name, pauses]) => `${name} ${Math.round(Math.max(...pauses))} ms`);
  print(`  until a write was acknowledged again, at most: ${longest.join(', ')}`);
  const { kills, writes } = POSTGRES_PLAN;
  require(`${kills} kills and ${writes} writes`, report.kills >= kills && acknowledged.writes >= writes);
  require('integrity', report.damage.length === 0);
  require(`no other error in the logs: ${report.bugs[0]}`, report.bugs.length === 0);
}

const PARTS: ReadonlyMap<string, () => Promise<void>> = new Map([
  ['sqlite', kill],
  ['fsync', sync],
  ['full-disk', () => trouble('disk full', canMount(), onFullDisk)],
  ['read-only', () => trouble('read-only files', canLock(), onReadOnlyFiles)],
  ['postgres', postgres],
]);

const names = process.argv.slice(2);
const unknown = names.filter((name) => !PARTS.has(name));
if (unknown.length > 0) throw new Error(`There is no ${unknown.join()}. Parts: ${[...PARTS.keys()].join(', ')}.`);
for (const [name, part] of PARTS) if (names.length === 0 || names.includes(name)) await part();
