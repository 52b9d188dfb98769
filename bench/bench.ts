import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { atSectionEnd, describeRun } from './report/machine.ts';
import { type Run, SECTIONS, type Section, type WorkloadReport } from './report/report.ts';
import {
  fairnessTable,
  growthTable,
  localTable,
  memoryTable,
  overviewTable,
  profileTable,
  storeTable,
  type Table,
  toText,
  workloadTable,
} from './report/tables.ts';
import { burstsTable, latencyTable } from './report/waiting-tables.ts';
import { build, RESULTS_FOLDER } from './sections/build.ts';
import { measureBursts } from './sections/bursts.ts';
import { measureFairness } from './sections/fairness.ts';
import { measureGrowth } from './sections/growth.ts';
import { measureLatency } from './sections/latency.ts';
import { measureLocal } from './sections/local.ts';
import { measureMemory } from './sections/memory.ts';
import { FULL_PACE, QUICK_PACE } from './sections/pace.ts';
import { type ProfileRow, profileWorkload } from './sections/profiles.ts';
import { measureStore } from './sections/store.ts';
import { measureHarness, measureWorkload } from './sections/workloads.ts';
import { STORE_WORKLOADS } from './store-peers/workloads.ts';
import { TARGETS } from './targets.ts';
import { isRead, WORKLOADS, type Workload } from './workloads.ts';

const HELP = `npm run bench -- [--quick] [--sections LIST] [--workloads LIST] [--targets LIST]

  --quick       less than two minutes: one short round of everything
  --sections    of ${SECTIONS.join(',')}
  --workloads   of ${[...Object.values(WORKLOADS), ...STORE_WORKLOADS].map(({ name }) => name).join(',')}
  --targets     names, or the beginnings of names: kb-gateway,Mercurius (of the sections "workloads" and "reads")
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { quick: flag, help: flag, sections: text, workloads: text, targets: text } });

const pace = values.quick ? QUICK_PACE : FULL_PACE;
const selectByName = <T>(
  all: readonly T[],
  list: string | undefined,
  isNamed: (one: T, name: string) => boolean,
): T[] => all.filter((one) => list === undefined || list.split(',').some((name) => isNamed(one, name)));

const sections = selectByName(SECTIONS, values.sections, (section, name) => section === name);
const workloads = selectByName(Object.values(WORKLOADS), values.workloads, (workload, name) => workload.name === name);
const storeWorkloads = selectByName(STORE_WORKLOADS, values.workloads, (workload, name) => workload.name === name);
const reads = workloads.filter(({ operation }) => isRead(operation));
const otherWorkloads = workloads.filter(({ operation }) => !isRead(operation));
const targets = selectByName(TARGETS, values.targets, (target, start) => target.name.startsWith(start));

function show(title: string, table: Table): void {
  console.log(`\n${title}\n${toText(table)}`);
}

interface Measurement<Rows> {
  readonly run: Run;
  readonly measure: () => Promise<Rows>;
  readonly table: (rows: Rows) => Table;
}

async function section<Rows>(
  name: (typeof SECTIONS)[number],
  { run, measure, table }: Measurement<Rows>,
): Promise<Section<Rows> | undefined> {
  if (!sections.includes(name)) return undefined;
  const rows = await orReportFailure(name, measure);
  if (rows === undefined) return undefined;
  show(name, table(rows));
  return { run: atSectionEnd(run), rows };
}

/** Leaves the section out where none of its workloads was selected. */
const workloadSection = async (name: 'workloads' | 'reads', run: Run, selected: readonly Workload[]) =>
  selected.length === 0
    ? undefined
    : section(name, { run, measure: () => measureWorkloads(selected), table: overviewTable });

/** A part that fails does not stop the others, but the run ends with exit code 1. */
async function orReportFailure<T>(name: string, perform: () => Promise<T>): Promise<T | undefined> {
  try {
    return await perform();
  } catch (error) {
    console.error(`\n${name} failed:`, error);
    process.exitCode = 1;
    return undefined;
  }
}

async function measureWorkloads(selected: readonly Workload[]): Promise<readonly WorkloadReport[]> {
  const reports: WorkloadReport[] = [];
  for (const workload of selected) {
    const report = await orReportFailure(workload.name, () => reportOn(workload));
    if (report === undefined) continue;
    const harness =
      report.harnessRequestsPerSecond === null
        ? ''
        : `; the harness alone: ${Math.round(report.harnessRequestsPerSecond)} requests/s`;
    show(`${workload.name}: ${workload.title}${harness}`, workloadTable(report));
    reports.push(report);
  }
  return reports;
}

async function reportOn(workload: Workload): Promise<WorkloadReport> {
  const { name, title } = workload;
  const harnessRequestsPerSecond = await measureHarness(workload, pace);
  return { name, title, harnessRequestsPerSecond, rows: await measureWorkload(workload, { targets, pace }) };
}

async function measureProfiles(): Promise<readonly ProfileRow[]> {
  const rows: ProfileRow[] = [];
  for (const workload of workloads) rows.push(await profileWorkload(workload, pace));
  return rows;
}

async function main(): Promise<void> {
  build();
  const given = process.argv.slice(2);
  const run = describeRun(['npm run bench', ...(given.length > 0 ? ['--', ...given] : [])].join(' '));
  const startedAt = performance.now();
  console.log(`${run.machine}\n${run.versions}\nload average ${run.loadAverage.before.toFixed(2)}`);
  const report = {
    latency: await section('latency', { run, measure: () => measureLatency(pace), table: latencyTable }),
    bursts: await section('bursts', { run, measure: () => measureBursts(pace), table: burstsTable }),
    workloads: await workloadSection('workloads', run, otherWorkloads),
    reads: await workloadSection('reads', run, reads),
    growth: await section('growth', { run, measure: () => measureGrowth(pace), table: growthTable }),
    memory: await section('memory', { run, measure: measureMemory, table: memoryTable }),
    fairness: await section('fairness', { run, measure: () => measureFairness(pace), table: fairnessTable }),
    local: await section('local', { run, measure: () => measureLocal(pace), table: localTable }),
    store: await section('store', { run, measure: () => measureStore(storeWorkloads, pace), table: storeTable }),
    profiles: await section('profiles', { run, measure: measureProfiles, table: profileTable }),
  };
  const name = `${run.at.replaceAll(':', '-')}.json`;
  writeFileSync(join(RESULTS_FOLDER, name), `${JSON.stringify(report, null, 2)}\n`);
  console.log(`\n${Math.round((performance.now() - startedAt) / 1000)} s; figures in bench/results/${name}`);
}

if (values.help) console.log(HELP);
else await main();
