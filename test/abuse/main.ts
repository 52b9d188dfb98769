import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { print, require } from '../support/figures.ts';
import { importChain } from './attacks/imports.ts';
import { tableOfAttacks } from './attacks/report.ts';
import { runAttacks } from './attacks/run.ts';
import { ATTACKS } from './attacks/table.ts';
import { startBystander } from './bystander.ts';
import { sendDistinctDocuments } from './distinct-documents.ts';
import { EXPENSIVE } from './expensive-requests.ts';
import { writeBesideHolder } from './held-lock.ts';
import { replay, runSearch } from './search/command.ts';
import { sendMutants } from './send-mutants.ts';
import { beSlow, SLOWNESS } from './slow-clients.ts';
import { startTarget, type Target, TOKEN } from './target.ts';
import { openTargets } from './targets/targets.ts';

/*
 * `npm run test:abuse`: what takes time and numbers, of which the tests beside it show a part. Prints the figures of
 * docs/reliability.md, and ends with 1 where one is not as it must be. Give it the names of parts to run only those.
 */
const MOST_STALL_MS = 1_000;
const SLOW = { clients: 500, mostMs: 30_000 };
const MOST_SLOW_MS = 20_000;
const MUTANTS = 20_000;
/** Let go of before writes give up, and after that. */
const HELD_MS = [3_000, 8_000];
const DOCUMENTS = 1_000_000;
/** In eight tenths of them: 0.1 kB a document. */
const MOST_GROWTH_MB = 80;
const MOST_MB = 600;
const MOST_IMPORT_MS = 5_000;

async function expensive(target: Target): Promise<void> {
  const bystander = await startBystander(target.url);
  const worst = { name: '', ms: 0 };
  let most = 0;
  for (const { name, body } of EXPENSIVE) {
    await bystander.worstMs();
    const headers = { 'content-type': 'application/json', api_token: TOKEN };
    const response = await fetch(target.url, { method: 'POST', headers, body });
    most = Math.max(most, (await response.text()).length);
    const ms = await bystander.worstMs();
    if (ms > worst.ms) Object.assign(worst, { name, ms });
    require(`${name}: ${response.status}`, response.status < 500);
    require(`${name}: another client waited ${ms} ms`, ms < MOST_STALL_MS);
  }
  await bystander.stop();
  print(`expensive requests: ${EXPENSIVE.length}; another client waited ${worst.ms} ms at most (${worst.name})`);
  print(`  largest answer ${Math.round(most / 1e6)} MB, memory afterwards ${await target.memoryMb()} MB`);
}

async function mutants(target: Target): Promise<void> {
  const { statuses, faults } = await sendMutants(target.url, MUTANTS);
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status || 'none'} ${count}`);
  print(`requests with wrong bytes: ${MUTANTS}, answered ${counts.join(', ')}`);
  for (const fault of faults.slice(0, 10)) print(`FAILED: ${fault}`);
  require('no answer of 500 or more, no trace of our code', faults.length === 0);
}

async function slow(target: Target): Promise<void> {
  for (const [name, slowness] of Object.entries(SLOWNESS)) {
    const { goneMs, worstOtherMs, mostMemoryMb } = await beSlow(target, slowness, SLOW);
    print(
      `${SLOW.clients} clients ${name}: gone after ${goneMs} ms, others waited ${worstOtherMs} ms at most, ${mostMemoryMb} MB`,
    );
    require(`${name}: gone within 20 s`, goneMs !== null && goneMs <= MOST_SLOW_MS);
    require(`${name}: others within 1 s`, worstOtherMs < MOST_STALL_MS);
  }
}

async function documents(target: Target): Promise<void> {
  const report = await sendDistinctDocuments(target, DOCUMENTS);
  const { leastInSecondTenthMb, leastInLastTenthMb, mostMb, seconds } = report;
  print(`distinct documents: ${report.documents} answered in ${seconds} s`);
  print(
    `  memory at its lowest: ${leastInSecondTenthMb} MB in the second tenth, ${leastInLastTenthMb} MB in the last; at most ${mostMb} MB`,
  );
  require('all answered', report.documents === DOCUMENTS);
  require('memory stays flat', leastInLastTenthMb - leastInSecondTenthMb < MOST_GROWTH_MB && mostMb < MOST_MB);
}

async function lock(target: Target): Promise<void> {
  for (const holdMs of HELD_MS) {
    const { outcomes, ms, worstOtherMs, worstReadinessMs, written } = await writeBesideHolder(target, holdMs);
    const ends = [...outcomes].map(([type, count]) => `${count} ${type}`).join(', ');
    print(`SQLite's lock held for ${holdMs} ms by another program: writes end as ${ends} after ${ms} ms`);
    print(`  others waited ${worstOtherMs} ms at most, readiness ${worstReadinessMs} ms; ${written} written`);
    require('others within 1 s', worstOtherMs < MOST_STALL_MS && worstReadinessMs < MOST_STALL_MS);
    require('written is what was acknowledged', written === (outcomes.get('UpdateReaderGroupPayload') ?? 0));
    require('each has one outcome', outcomes.size === 1);
  }
}

const PARTS = { expensive, mutants, slow, lock, documents };

async function runParts(names: readonly string[]): Promise<void> {
  for (const [name, part] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const target = await startTarget();
    await part(target);
    const complaints = target.log().match(/^(?!.*The store cannot be written).*"level":"error".*$/gmu) ?? [];
    require(`nothing logged as an error: ${complaints[0]}`, complaints.length === 0);
    await target.stop();
  }
}

async function chain(): Promise<void> {
  const ms = await importChain();
  print(`importing 20,000 categories, each in the next: ${ms} ms of CPU time`);
  require(`the import takes less than ${MOST_IMPORT_MS} ms`, ms < MOST_IMPORT_MS);
}

/** What has been done to gateways, by class; `--report FILE` writes them as a table. */
async function attacks(names: readonly string[], report: string | undefined): Promise<void> {
  const asked = Object.entries(ATTACKS).filter(([name]) => names.length === 0 || names.includes(name));
  const targets = await openTargets();
  try {
    const reports = await runAttacks(
      targets,
      asked.flatMap(([, attack]) => attack),
    );
    if (asked.some(([name]) => name === 'stalls')) await chain();
    if (report !== undefined) await writeFile(report, tableOfAttacks(reports));
  } finally {
    await targets.stop();
  }
}

const text = { type: 'string' } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: text, minutes: text, count: text, found: text, report: text, replay: text },
});
if (values.replay !== undefined) await replay(values.replay);
else if (positionals.includes('search')) await runSearch(values);
else {
  await runParts(positionals);
  if (positionals.length === 0 || positionals.some((name) => name in ATTACKS))
    await attacks(positionals, values.report);
}
process.exit();
