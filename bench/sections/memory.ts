import { ask } from '../harness/rpc.ts';
import { openStage, putLoad } from '../harness/setup.ts';
import { MERCURIUS, OURS } from '../targets.ts';

/** The most memory that a fresh process held, in bytes. */
export interface MemoryRow {
  readonly subject: string;
  readonly idle: number;
  /** After one call of 10,000 items. */
  readonly oneCall: number;
  /** After twenty more, one after another. */
  readonly manyCalls: number;
}

const ITEMS = 10_000;
const MORE_CALLS = 20;

export async function measureMemory(): Promise<readonly MemoryRow[]> {
  await using stage = await openStage({ subjects: [OURS, MERCURIUS], latencyMs: 0, settings: {} });
  const rows: MemoryRow[] = [];
  for (const player of stage.players) {
    const peak = async () => (await ask(player.child, 'usage', null)).peakRssBytes;
    const call = (requestsPerConnection: number) =>
      putLoad(stage.load, player, {
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
    rows.push({ subject: player.subject.name, idle, oneCall, manyCalls: await peak() });
  }
  return rows;
}
