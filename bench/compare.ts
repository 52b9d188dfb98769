import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY } from './harness/processes.ts';
import { median } from './harness/statistics.ts';
import { buildGateway } from './sections/build.ts';
import { FULL_PACE } from './sections/pace.ts';
import { measureWorkload } from './sections/workloads.ts';
import { OURS, type Target } from './targets.ts';
import { WORKLOADS } from './workloads.ts';

/*
 * `npm run bench:compare -- FOLDER [--workloads W1,W3] [--rounds 20]` compares this gateway with that of another checkout,
 * which has to be built. Both are measured in turn in each round, so that disturbances of the machine affect both.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { workloads: { type: 'string' }, rounds: { type: 'string', default: '5' } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name the folder of the other checkout.');
const names = values.workloads?.split(',');
const pace = { ...FULL_PACE, rounds: Number(values.rounds), extraRounds: 0 };

const targetOf = (name: string, repository: string): Target => ({
  ...OURS,
  name,
  args: () => [join(repository, 'dist/main.js'), 'serve'],
});

const targets = [targetOf('this', REPOSITORY), targetOf('other', resolve(folder))];

buildGateway();
console.log('CPU µs per request: this, the other, and the median of the ratios of each round with their range');
for (const workload of Object.values(WORKLOADS).filter(({ name }) => names?.includes(name) ?? true)) {
  const [ours, other] = await measureWorkload(workload, { targets, pace });
  if (ours === undefined || other === undefined) throw new Error(`${workload.name} was not measured.`);
  const ratios = ours.cpuOfRounds
    .map((cpu, round) => cpu / (other.cpuOfRounds[round] ?? Number.NaN))
    .toSorted((a, b) => a - b);
  const shown = [median(ratios), ratios[0] ?? 0, ratios.at(-1) ?? 0].map((ratio) => ratio.toFixed(2));
  console.log(
    `${workload.name}: ${ours.cpuPerRequest.toFixed(0)}, ${other.cpuPerRequest.toFixed(0)}, ${shown[0]} (${shown[1]} to ${shown[2]})`,
  );
}
