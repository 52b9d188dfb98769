import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeRun } from './report/machine.ts';
import { type Report, SECTIONS, type Section, type WorkloadReport } from './report/report.ts';
import {
  fairnessTable,
  growthTable,
  localTable,
  memoryTable,
  overviewTable,
  profileTable,
  type Table,
  toText,
  workloadTable,
} from './report/tables.ts';
import { buildPeers, RESULTS_FOLDER } from './sections/build.ts';
import { measureFairness } from './sections/fairness.ts';
import { measureGrowth } from './sections/growth.ts';
import { measureLocal } from './sections/local.ts';
import { measureMemory } from './sections/memory.ts';
import { FULL_PACE, QUICK_PACE } from './sections/pace.ts';
import { type ProfileRow, profileWorkload } from './sections/profiles.ts';
import { measureRig, measureWorkload } from './sections/workloads.ts';
import { SUBJECTS } from './subjects.ts';
import { WORKLOADS, type Workload } from './workloads.ts';

const HELP = `npm run bench -- [--quick] [--sections LIST] [--workloads LIST] [--subjects LIST]

  --quick       a look in less than two minutes: one short round of everything
  --sections    of ${SECTIONS.join(',')}
  --workloads   of ${Object.keys(WORKLOADS).join(',')}
  --subjects    names, or the beginnings of names: kb-gateway,Mercurius
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { quick: flag, help: flag, sections: text, workloads: text, subjects: text } });

const pace = values.quick ? QUICK_PACE : FULL_PACE;
const isAmong = (list: string | undefined, name: string) => list === undefined || list.split(',').includes(name);
const subjects = SUBJECTS.filter(
  ({ name }) => !values.subjects || values.subjects.split(',').some((start) => name.startsWith(start)),
);
const workloads = Object.values(WORKLOADS).filter(({ name }) => isAmong(values.workloads, name));
const run = describeRun(
  ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' '),
);

function show(title: string, table: Table): void {
  console.log(`\n${title}\n${toText(table)}`);
}

async function section<Rows>(
  name: keyof Report,
  { measure, table }: { measure: () => Promise<Rows>; table: (rows: Rows) => Table },
): Promise<Section<Rows> | undefined> {
  if (!isAmong(values.sections, name)) return undefined;
  const rows = await unlessItFails(name, measure);
  if (rows === undefined) return undefined;
  show(name, table(rows));
  return { run, rows };
}

/** The rest is worth having where a part fails, but the run has failed. */
async function unlessItFails<T>(name: string, perform: () => Promise<T>): Promise<T | undefined> {
  try {
    return await perform();
  } catch (error) {
    console.error(`\n${name} failed:`, error);
    process.exitCode = 1;
    return undefined;
  }
}

async function measureWorkloads(): Promise<readonly WorkloadReport[]> {
  const reports: WorkloadReport[] = [];
  for (const workload of workloads) {
    const report = await unlessItFails(workload.name, () => reportOn(workload));
    if (report === undefined) continue;
    const rig =
      report.rigRequestsPerSecond === null
        ? ''
        : `; the rig alone: ${Math.round(report.rigRequestsPerSecond)} requests/s`;
    show(`${workload.name}: ${workload.title}${rig}`, workloadTable(report));
    reports.push(report);
  }
  return reports;
}

async function reportOn(workload: Workload): Promise<WorkloadReport> {
  const { name, title } = workload;
  const rigRequestsPerSecond = await measureRig(workload, pace);
  return { name, title, rigRequestsPerSecond, rows: await measureWorkload(workload, { subjects, pace }) };
}

async function measureProfiles(): Promise<readonly ProfileRow[]> {
  const rows: ProfileRow[] = [];
  for (const workload of workloads) rows.push(await profileWorkload(workload, pace));
  return rows;
}

async function main(): Promise<void> {
  buildPeers();
  const begun = performance.now();
  console.log(`${run.machine}\n${run.versions}\nload average ${run.loadAverage.toFixed(2)}`);
  const report = {
    workloads: await section('workloads', { measure: measureWorkloads, table: overviewTable }),
    growth: await section('growth', { measure: () => measureGrowth(pace), table: growthTable }),
    memory: await section('memory', { measure: measureMemory, table: memoryTable }),
    fairness: await section('fairness', { measure: () => measureFairness(pace), table: fairnessTable }),
    local: await section('local', { measure: () => measureLocal(pace), table: localTable }),
    profiles: await section('profiles', { measure: measureProfiles, table: profileTable }),
  };
  const file = join(RESULTS_FOLDER, `${run.at.replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  console.log(`\n${Math.round((performance.now() - begun) / 1000)} s; figures in ${file}`);
}

if (values.help) console.log(HELP);
else await main();
