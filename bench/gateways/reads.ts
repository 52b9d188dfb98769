import { setTimeout as sleep } from 'node:timers/promises';
import { good } from '../../test/faults/good-service.ts';
import { type Figure, figure } from '../report/figures.ts';
import { inGatewayScene, inTurn } from './scene.ts';

const READS = 100;
const GATEWAY_COUNTS = [1, 4] as const;
/** Longer than all reads take to arrive. */
const LATENCY_MS = 500;
const GROUP = '{ readerGroup(groupId: "g1") { title } }';

/** Equal reads at once, through one gateway and through four. */
export async function measureReads(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const count of GATEWAY_COUNTS) figures.push(...(await measureAtOnce(count)));
  return figures;
}

const measureAtOnce = (count: number): Promise<readonly Figure[]> =>
  inGatewayScene({ count, isShared: count > 1 }, async ({ service, gateways }) => {
    service.onAny(async (response, request) => {
      await sleep(LATENCY_MS);
      await good()(response, request);
    });
    const next = inTurn(gateways);
    const answers = await Promise.all(Array.from({ length: READS }, () => next().send(GROUP)));
    const failed = answers.filter(({ body }) => body.errors);
    const name = count === 1 ? 'one gateway' : `${count} gateways`;
    return [
      figure(`calls for ${READS} equal reads at once, ${name}`, service.received.length, { atMost: count }),
      figure('  reads that failed', failed.length, { atMost: 0 }),
    ];
  });
