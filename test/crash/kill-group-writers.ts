import { parseArgs } from 'node:util';
import { startPostgres } from '../support/embedded-postgres.ts';
import { print, require } from '../support/figures.ts';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { type GroupKillReport, killGroupWriters } from './group-kills.ts';

/*
 * `npm run test:kill:groups -- [--changes N] [--kills N]`: changes the members of one group through four gateways with
 * one PostgreSQL, and kills the one that writes it again and again; a test in this folder does so in short.
 * Ends with 1 when an acknowledged change is missing, when a change was sent twice, or when one undid another.
 */
const LONGEST_MS = 10 * 60_000;

const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '10' },
  },
});
const [changes, kills] = [Number(values.changes), Number(values.kills)];
if (!Number.isInteger(changes) || changes < 1 || changes > 4_000) throw new Error('--changes must be from 1 to 4000.');
if (!Number.isInteger(kills) || kills < 0 || kills * 20 > changes)
  throw new Error('--kills must be a whole number, at most a twentieth of --changes.');

/** The most findings of a kind that are printed. */
const SHOWN = 10;

function requireNone(name: string, findings: readonly string[]): void {
  require(`${name}: ${findings.length}`, findings.length === 0);
  for (const finding of findings.slice(0, SHOWN)) print(`  ${finding}`);
}

function show(report: GroupKillReport, seconds: number): void {
  const { acknowledged, unknown, unsent } = report.outcomes;
  print(`kill -9 ${report.kills} times, each between a PUT and its answer; ${Math.round(seconds)} s`);
  print(`  changes: ${acknowledged} acknowledged, ${unknown} unknown, ${unsent} not sent`);
  requireNone('changes of which the group shows the contrary', report.contradicted);
  requireNone('changes sent twice', report.sentTwice);
  requireNone('PUTs that undid the change of another', report.undoing);
  requireNone('surprises', report.surprises);
  require(`${kills} kills`, report.kills === kills);
  require(`${changes} changes with an outcome`, acknowledged + unknown === changes);
}

const server = await startPostgres({});
try {
  const { url: stateUrl } = await createPostgresDatabase(server.url);
  const startedAt = performance.now();
  const report = await killGroupWriters({ changes, kills, stateUrl, until: startedAt + LONGEST_MS });
  show(report, (performance.now() - startedAt) / 1_000);
} finally {
  await server.stop();
}
