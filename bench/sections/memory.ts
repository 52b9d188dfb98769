import { callMethod } from '../harness/rpc.ts';
import { openSetup, runLoad } from '../harness/setup.ts';
import { withResource } from '../harness/with-resource.ts';
import { MERCURIUS, OURS } from '../targets.ts';

/** The highest resident set size of a new process, in bytes. */
export interface MemoryRow {
  readonly target: string;
  readonly idle: number;
  /** After one call of 10,000 items. */
  readonly oneCall: number;
  /** After twenty more, one after another. */
  readonly manyCalls: number;
}

const ITEMS = 10_000;
const MORE_CALLS = 20;

export async function measureMemory(): Promise<readonly MemoryRow[]> {
  return withResource(openSetup({ targets: [OURS, MERCURIUS], latencyMs: 0, settings: {} }), async (setup) => {
    const rows: MemoryRow[] = [];
    for (const targetProcess of setup.processes) {
      const peak = async () => (await callMethod(targetProcess.child, 'usage', null)).peakRssBytes;
      const call = (requestsPerConnection: number) =>
        runLoad(setup.load, targetProcess, {
          operation: 'bulk',
          items: ITEMS,
          connections: 1,
          milliseconds: Number.MAX_SAFE_INTEGER,
          requestsPerConnection,
        });
      const idle = await peak();
      await call(1);
      const oneCall = await peak();
      await call(MORE_CALLS);
      rows.push({ target: targetProcess.target.name, idle, oneCall, manyCalls: await peak() });
    }
    return rows;
  });
}
