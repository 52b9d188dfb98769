import { measure, openSetup, runLoad, type Setup } from '../harness/setup.ts';
import { median } from '../harness/statistics.ts';
import { withResource } from '../harness/with-resource.ts';
import { MERCURIUS, OURS } from '../targets.ts';
import { type Pace, warmUpTarget } from './pace.ts';

/** The cost of one bulk update by the number of its items, as the median of the rounds. */
export interface GrowthRow {
  readonly target: string;
  readonly items: number;
  readonly cpuPerItem: number;
  /** Of the whole call, in milliseconds. */
  readonly p50: number;
}

type Sample = Awaited<ReturnType<typeof measure>>;

export const SIZES = [1, 10, 100, 1_000, 10_000] as const;
/** One caller, so that no requests are merged and a list of 10,000 items fills no queue. */
const CONNECTIONS = 1;

export async function measureGrowth(pace: Pace): Promise<readonly GrowthRow[]> {
  return withResource(openSetup({ targets: [OURS, MERCURIUS], latencyMs: 0, settings: {} }), async (setup) => {
    const rows: GrowthRow[] = [];
    for (const items of SIZES) rows.push(...(await measureSize(setup, items, pace)));
    return rows;
  });
}

async function measureSize(setup: Setup, items: number, pace: Pace): Promise<readonly GrowthRow[]> {
  const phase = { operation: 'bulk', items, connections: CONNECTIONS } as const;
  for (const targetProcess of setup.processes)
    await warmUpTarget(pace.warmUp, (milliseconds) => runLoad(setup.load, targetProcess, { ...phase, milliseconds }));
  const results = new Map<string, Sample[]>();
  for (let round = 0; round < pace.rounds; round += 1) {
    for (const targetProcess of setup.processes) {
      const { name } = targetProcess.target;
      const result = await measure(setup.load, targetProcess, { ...phase, milliseconds: pace.sampleMs });
      results.set(name, [...(results.get(name) ?? []), result]);
    }
  }
  return Array.from(results, ([target, measured]) => ({
    target,
    items,
    cpuPerItem: median(measured.map(({ cpuMicros, requests }) => cpuMicros / (requests * items))),
    p50: median(measured.map(({ p50 }) => p50)),
  }));
}
