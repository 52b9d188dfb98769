import { callMethod } from '../harness/rpc.ts';
import { openSetup, runLoad, type Setup, startLoad, type TargetProcess } from '../harness/setup.ts';
import { withResource } from '../harness/with-resource.ts';
import { MERCURIUS, OURS } from '../targets.ts';
import type { Pace } from './pace.ts';

/** The latency of small queries, in milliseconds, while a gateway handles large calls. */
export interface FairnessRow {
  readonly target: string;
  readonly loopLagP50: number;
  readonly loopLagP99: number;
  readonly loopLagMax: number;
  readonly smallQueryP50: number;
  readonly smallQueryP99: number;
  readonly smallQueryMax: number;
  readonly largeCallsPerSecond: number;
  readonly peakRssBytes: number;
}

const LARGE = { operation: 'bulk', items: 1_000, connections: 100 } as const;
/** A client that sends `{ __typename }` with a pause after each response. */
const SMALL = { operation: 'typename', items: 0, connections: 1, pauseMs: 10 } as const;

/** Keeps 100 calls of 1,000 items in flight. */
export async function measureFairness(pace: Pace): Promise<readonly FairnessRow[]> {
  return withResource(openSetup({ targets: [OURS, MERCURIUS], latencyMs: 0, settings: {} }), async (setup) => {
    const rows: FairnessRow[] = [];
    for (const targetProcess of setup.processes) rows.push(await measureTarget(setup, targetProcess, pace));
    return rows;
  });
}

async function measureTarget(setup: Setup, targetProcess: TargetProcess, pace: Pace): Promise<FairnessRow> {
  return withResource(startLoad(), async (smallLoad) => {
    await runLoad(setup.load, targetProcess, { ...LARGE, connections: 4, milliseconds: pace.warmUp.milliseconds });
    await runLoad(smallLoad, targetProcess, { ...SMALL, milliseconds: pace.warmUp.milliseconds });
    await callMethod(targetProcess.child, 'startLag', null);
    const milliseconds = 2 * pace.sampleMs;
    const [large, small] = await Promise.all([
      runLoad(setup.load, targetProcess, { ...LARGE, milliseconds }),
      runLoad(smallLoad, targetProcess, { ...SMALL, milliseconds }),
    ]);
    const lag = await callMethod(targetProcess.child, 'stopLag', null);
    const { peakRssBytes } = await callMethod(targetProcess.child, 'usage', null);
    return {
      target: targetProcess.target.name,
      loopLagP50: lag.p50,
      loopLagP99: lag.p99,
      loopLagMax: lag.max,
      smallQueryP50: small.p50,
      smallQueryP99: small.p99,
      smallQueryMax: small.max,
      largeCallsPerSecond: large.requests / large.seconds,
      peakRssBytes,
    };
  });
}
