import { parseArgs } from 'node:util';
import { BULK_DOCUMENT } from './documents.ts';
import { bytesOf } from './harness/http-request.ts';
import { callMethod } from './harness/rpc.ts';
import { openSetup, type Setup, type TargetProcess } from './harness/setup.ts';
import { median } from './harness/statistics.ts';
import { withResource } from './harness/with-resource.ts';
import { graphqlArticle } from './inputs.ts';
import { buildGateway } from './sections/build.ts';
import { FULL_PACE, warmUpTarget } from './sections/pace.ts';
import { OURS, type Target } from './targets.ts';
import { WORKLOADS, type Workload } from './workloads.ts';

/*
 * `npm run bench:hidden -- [--rounds 10] [--workloads W1,W2,W3,W6]` measures what `KEEP_HIDDEN` costs an update that leaves
 * `hidden` out, once it is known whether its articles are hidden. The other workloads have no such update.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    workloads: { type: 'string', default: 'W1,W2,W3,W6' },
  },
});
const rounds = Number(values.rounds);
const names = values.workloads.split(',');

const TARGETS = ['off', 'on'].map(
  (keeps): Target => ({ ...OURS, name: `KEEP_HIDDEN=${keeps}`, env: { KEEP_HIDDEN: keeps } }),
);

interface Phase {
  readonly workload: Workload;
  readonly milliseconds: number;
}

/** The request of each connection, whose items leave `hidden` out. */
const requestsOf = ({ connections, items }: Workload): readonly (readonly string[])[] =>
  Array.from({ length: connections }, (_, connection) => {
    const articles = Array.from({ length: items }, (_item, index) => {
      const { hidden: _hidden, ...article } = graphqlArticle(connection, index);
      return article;
    });
    const body = { query: BULK_DOCUMENT, variables: { input: { articles } } };
    return [bytesOf({ method: 'POST', path: '/graphql', body, token: 'bench' }).toString()];
  });

async function putLoad({ load }: Setup, { port }: TargetProcess, phase: Phase) {
  const { workload, milliseconds } = phase;
  const marks = { '"ArticleUpdated"': workload.items };
  const connections = requestsOf(workload);
  const result = await callMethod(load.child, 'exchange', { port, milliseconds, connections, marks });
  if (result.failure !== null) throw new Error(result.failure);
  return result;
}

/** Microseconds of CPU for each request. */
async function cpuOf(setup: Setup, target: TargetProcess, workload: Workload): Promise<number> {
  const before = await callMethod(target.child, 'usage', null);
  const { requests } = await putLoad(setup, target, { workload, milliseconds: FULL_PACE.sampleMs });
  const after = await callMethod(target.child, 'usage', null);
  return (after.cpuMicros - before.cpuMicros) / requests;
}

async function measure(workload: Workload): Promise<void> {
  await withResource(openSetup({ ...workload, targets: TARGETS }), async (setup) => {
    for (const target of setup.processes)
      await warmUpTarget(FULL_PACE.warmUp, (milliseconds) => putLoad(setup, target, { workload, milliseconds }));
    const samples: number[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const sample: number[] = [];
      for (const target of setup.processes) sample.push(await cpuOf(setup, target, workload));
      samples.push(sample);
    }
    const of = (index: number) => samples.map((sample) => sample[index] ?? Number.NaN);
    const [off, on] = [of(0), of(1)];
    const ratio = median(on.map((cpu, round) => cpu / (off[round] ?? Number.NaN))).toFixed(2);
    // Other programs only add to it.
    const [leastOff, leastOn] = [Math.min(...off), Math.min(...on)];
    const least = `least ${leastOff.toFixed(1)} µs off, ${leastOn.toFixed(1)} µs on, ratio ${(leastOn / leastOff).toFixed(2)}`;
    console.log(`${workload.name}: median of the ratios ${ratio}; ${least}`);
  });
}

buildGateway();
for (const workload of Object.values(WORKLOADS)) if (names.includes(workload.name)) await measure(workload);
