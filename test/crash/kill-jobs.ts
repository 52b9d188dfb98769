import { parseArgs } from 'node:util';
import { startPostgres } from '../support/embedded-postgres.ts';
import { print, require } from '../support/figures.ts';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { type JobKillPlan, type JobKillReport, killWhileJobsRun } from './job-kills.ts';

/*
 * `npm run test:kill -- [--kills N] [--state sqlite|postgres]`: kills a gateway again and again while it runs jobs; the
 * tests in this folder do so a few times. Ends with 1 when a job does not end, when an item was sent twice, or when an
 * outcome is not what the service has in its ledger.
 */
const LONGEST_MS = 30 * 60_000;
/** The share of the kills that must come between a PUT and its answer. */
const MIN_IN_FLIGHT = 0.2;

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, state: { type: 'string', multiple: true } },
});
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1 || kills > 10_000) throw new Error('--kills must be from 1 to 10000.');

const RUNS: ReadonlyMap<string, (plan: JobKillPlan) => Promise<JobKillReport>> = new Map([
  ['sqlite', killWhileJobsRun],
  ['postgres', overPostgres],
]);

async function overPostgres(plan: JobKillPlan): Promise<JobKillReport> {
  const server = await startPostgres({});
  try {
    const { url } = await createPostgresDatabase(server.url);
    return await killWhileJobsRun({ ...plan, stateUrl: url });
  } finally {
    await server.stop();
  }
}

/** The most findings of a kind that are printed. */
const SHOWN = 10;

function requireNone(what: string, findings: readonly string[]): void {
  require(`${what}: ${findings.length}`, findings.length === 0);
  for (const finding of findings.slice(0, SHOWN)) print(`  ${finding}`);
}

function show(name: string, report: JobKillReport): void {
  const { audit, moments } = report;
  const { items, lostAnswers, resolved, unknown, published } = audit.counts;
  const parts = Object.entries(moments).map(([moment, count]) => `${moment} ${count}`);
  print(`${name}: kill -9 ${report.kills} times (${parts.join(', ')}), ${report.killsInFlight} between PUT and answer`);
  print(`  ${report.jobs} jobs of ${items} items; ${lostAnswers} answers lost, ${resolved} of them found by reading`);
  print(`  unknown in the end: ${unknown}; published: ${published}`);
  requireNone('items sent twice', audit.sentTwice);
  requireNone('outcomes that the ledger contradicts', audit.contradicted);
  requireNone('items before an earlier one of their article', audit.outOfOrder);
  requireNone('jobs that did not end, or whose counts are wrong', audit.miscounted);
  requireNone('surprises', report.surprises);
  require(`${kills} kills`, report.kills >= kills);
  require('kills between PUT and answer', report.killsInFlight >= kills * MIN_IN_FLIGHT);
}

const states = values.state ?? [...RUNS.keys()];
const unknownStates = states.filter((state) => !RUNS.has(state));
if (unknownStates.length > 0) throw new Error(`--state must be of ${[...RUNS.keys()].join(', ')}.`);
for (const state of states) {
  const report = await RUNS.get(state)?.({ kills, until: performance.now() + LONGEST_MS });
  if (report) show(state, report);
}
