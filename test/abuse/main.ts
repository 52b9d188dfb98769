import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { print, require } from '../support/figures.ts';
import { importChain, importMarks } from './attacks/imports.ts';
import { tableOfAttacks } from './attacks/report.ts';
import { runAttacks } from './attacks/run.ts';
import { ATTACKS } from './attacks/table.ts';
import { startBystander } from './bystander.ts';
import { sendDistinctDocuments } from './distinct-documents.ts';
import { EXPENSIVE } from './expensive-requests.ts';
import { writeWhileLocked } from './held-lock.ts';
import { replay, runSearch } from './search/command.ts';
import { sendMutants } from './send-mutants.ts';
import { runSlowClients, SLOW_BEHAVIOURS } from './slow-clients.ts';
import { startTarget, type Target, TOKEN } from './target.ts';
import { openTargets } from './targets/targets.ts';

/*
 * `npm run test:abuse [-- PART …]`: the abuse that takes time and large numbers; the tests in this folder run a part of
 * it. Prints the figures of docs/reliability.md, and ends with 1 when one of them is out of its bounds.
 */
const MAX_STALL_MS = 1_000;
const SLOW = { clients: 500, maxMs: 30_000 };
const MAX_SLOW_MS = 20_000;
const MUTANTS = 20_000;
/** The first ends before writes give up, the second after that. */
const HELD_MS = [3_000, 8_000];
const DOCUMENTS = 1_000_000;
/** The growth over eight tenths of the documents: 0.1 kB for each. */
const MAX_GROWTH_MB = 80;
const MAX_MB = 600;
const MAX_IMPORT_MS = 5_000;

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
    require(`${name}: another client waited ${ms} ms`, ms < MAX_STALL_MS);
  }
  await bystander.stop();
  print(`expensive requests: ${EXPENSIVE.length}; another client waited ${worst.ms} ms at most (${worst.name})`);
  print(`  largest response ${Math.round(most / 1e6)} MB, memory afterwards ${await target.memoryMb()} MB`);
}

async function mutants(target: Target): Promise<void> {
  const { statuses, faults } = await sendMutants(target.url, MUTANTS);
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status || 'none'} ${count}`);
  print(`requests with wrong bytes: ${MUTANTS}, responses ${counts.join(', ')}`);
  for (const fault of faults.slice(0, 10)) print(`FAILED: ${fault}`);
  require('no response of 500 or more, no trace of code', faults.length === 0);
}

async function slow(target: Target): Promise<void> {
  for (const [name, slowness] of Object.entries(SLOW_BEHAVIOURS)) {
    const { goneMs, worstOtherMs, maxMemoryMb } = await runSlowClients(target, slowness, SLOW);
    print(
      `${SLOW.clients} clients ${name}: disconnected after ${goneMs} ms, others waited ${worstOtherMs} ms at most, ${maxMemoryMb} MB`,
    );
    require(`${name}: disconnected within 20 s`, goneMs !== null && goneMs <= MAX_SLOW_MS);
    require(`${name}: others within 1 s`, worstOtherMs < MAX_STALL_MS);
  }
}

async function documents(target: Target): Promise<void> {
  const report = await sendDistinctDocuments(target, DOCUMENTS);
  const { minInSecondTenthMb, minInLastTenthMb, maxMb, seconds } = report;
  print(`distinct documents: ${report.documents} answered in ${seconds} s`);
  print(
    `  memory at its lowest: ${minInSecondTenthMb} MB in the second tenth, ${minInLastTenthMb} MB in the last; at most ${maxMb} MB`,
  );
  require('all answered', report.documents === DOCUMENTS);
  require('memory stays constant', minInLastTenthMb - minInSecondTenthMb < MAX_GROWTH_MB && maxMb < MAX_MB);
}

async function lock(target: Target): Promise<void> {
  for (const holdMs of HELD_MS) {
    const { outcomes, ms, worstOtherMs, worstReadinessMs, written } = await writeWhileLocked(target, holdMs);
    const ends = [...outcomes].map(([type, count]) => `${count} ${type}`).join(', ');
    print(`SQLite's lock held for ${holdMs} ms by another program: writes end as ${ends} after ${ms} ms`);
    print(`  others waited ${worstOtherMs} ms at most, readiness ${worstReadinessMs} ms; ${written} written`);
    require('others within 1 s', worstOtherMs < MAX_STALL_MS && worstReadinessMs < MAX_STALL_MS);
    require('exactly the acknowledged writes are stored', written === (outcomes.get('UpdateReaderGroupPayload') ?? 0));
    require('all writes have the same outcome', outcomes.size === 1);
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

async function imports(): Promise<void> {
  const times = {
    '20,000 categories, each in the next': await importChain(),
    'long runs of marks': await importMarks(),
  };
  for (const [what, ms] of Object.entries(times)) {
    print(`importing ${what}: ${ms} ms of CPU time`);
    require(`the import of ${what} takes less than ${MAX_IMPORT_MS} ms`, ms < MAX_IMPORT_MS);
  }
}

/** The attacks by class; `--report FILE` writes their costs as a table. */
async function attacks(names: readonly string[], report: string | undefined): Promise<void> {
  const chosen = Object.entries(ATTACKS).filter(([name]) => names.length === 0 || names.includes(name));
  const targets = await openTargets();
  try {
    const reports = await runAttacks(
      targets,
      chosen.flatMap(([, attack]) => attack),
    );
    if (chosen.some(([name]) => name === 'stalls')) await imports();
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
