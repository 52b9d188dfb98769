import { ask } from '../harness/rpc.ts';
import { openStage, type Player, putLoad, type Stage, startLoad } from '../harness/setup.ts';
import { MERCURIUS, OURS } from '../targets.ts';
import type { Pace } from './pace.ts';

/** How others fare while a gateway is busy with large calls. Milliseconds. */
export interface FairnessRow {
  readonly subject: string;
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
/** Another client asks `{ __typename }`, and again this long after each answer. */
const SMALL = { operation: 'typename', items: 0, connections: 1, pauseMs: 10 } as const;

/** 100 calls of 1,000 items are in flight all the time. */
export async function measureFairness(pace: Pace): Promise<readonly FairnessRow[]> {
  await using stage = await openStage({ subjects: [OURS, MERCURIUS], latencyMs: 0, settings: {} });
  const rows: FairnessRow[] = [];
  for (const player of stage.players) rows.push(await measurePlayer(stage, player, pace));
  return rows;
}

async function measurePlayer(stage: Stage, player: Player, pace: Pace): Promise<FairnessRow> {
  await using bystander = await startLoad();
  await putLoad(stage.load, player, { ...LARGE, connections: 4, milliseconds: pace.warmUpMs });
  await putLoad(bystander, player, { ...SMALL, milliseconds: pace.warmUpMs });
  await ask(player.child, 'startLag', null);
  const milliseconds = 2 * pace.sampleMs;
  const [large, small] = await Promise.all([
    putLoad(stage.load, player, { ...LARGE, milliseconds }),
    putLoad(bystander, player, { ...SMALL, milliseconds }),
  ]);
  const lag = await ask(player.child, 'stopLag', null);
  const { peakRssBytes } = await ask(player.child, 'usage', null);
  return {
    subject: player.subject.name,
    loopLagP50: lag.p50,
    loopLagP99: lag.p99,
    loopLagMax: lag.max,
    smallQueryP50: small.p50,
    smallQueryP99: small.p99,
    smallQueryMax: small.max,
    largeCallsPerSecond: large.requests / large.seconds,
    peakRssBytes,
  };
}
