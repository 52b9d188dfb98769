import { measure, openStage, putLoad } from '../harness/setup.ts';
import { median } from '../harness/statistics.ts';
import { MERCURIUS, OURS } from '../targets.ts';
import type { Pace } from './pace.ts';

/** The cost of one bulk update by the number of its items: medians of rounds in turn. */
export interface GrowthRow {
  readonly subject: string;
  readonly items: number;
  readonly cpuPerItem: number;
  /** Of the whole call, in milliseconds. */
  readonly p50: number;
}

type Sample = Awaited<ReturnType<typeof measure>>;

export const SIZES = [1, 10, 100, 1_000, 10_000] as const;
/** One caller: nothing to gather, and no queue that a list of 10,000 could fill. */
const CONNECTIONS = 1;

export async function measureGrowth(pace: Pace): Promise<readonly GrowthRow[]> {
  await using stage = await openStage({ subjects: [OURS, MERCURIUS], latencyMs: 0, settings: {} });
  const rows: GrowthRow[] = [];
  for (const items of SIZES) {
    const stretch = { operation: 'bulk', items, connections: CONNECTIONS } as const;
    for (const player of stage.players) await putLoad(stage.load, player, { ...stretch, milliseconds: pace.warmUpMs });
    const results = new Map<string, Sample[]>();
    for (let round = 0; round < pace.rounds; round += 1) {
      for (const player of stage.players) {
        const { name } = player.subject;
        const result = await measure(stage.load, player, { ...stretch, milliseconds: pace.sampleMs });
        results.set(name, [...(results.get(name) ?? []), result]);
      }
    }
    for (const [subject, measured] of results) {
      const cpuPerItem = median(measured.map(({ cpuMicros, requests }) => cpuMicros / (requests * items)));
      rows.push({ subject, items, cpuPerItem, p50: median(measured.map(({ p50 }) => p50)) });
    }
  }
  return rows;
}
