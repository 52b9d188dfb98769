import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../harness/statistics.ts';
import { type Figure, figure, none } from '../report/figures.ts';
import type { Size } from '../report/size.ts';
import { Connections } from './connection.ts';
import { Mix } from './mix.ts';
import { type Behind, inOverloadScene } from './scene.ts';

const CLIENTS = 64;
const NEW_CONNECTIONS = 64;
const WARM_UP_MS = 3_000;
const MAX_RATIO = 4;

/** New connections while other clients keep the gateway busy with reads. */
export const measureConnections =
  (behind: Behind) =>
  ({ isFull }: Size): Promise<readonly Figure[]> =>
    inOverloadScene(behind, async ({ gateway: { port } }) => {
      const mix = new Mix();
      const failed: string[] = [];
      const read = async (connections: Connections): Promise<number> => {
        const { bytes, end } = mix.nextRead();
        const begun = performance.now();
        const ending = await new Promise<string>((resolve) => {
          connections.send(bytes, (answer) => resolve(end(answer)));
        });
        if (ending !== 'answered') failed.push(ending);
        return performance.now() - begun;
      };
      const usual: number[] = [];
      const busy = new Connections(port);
      let isEnded = false;
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (!isEnded) usual.push(await read(busy));
      });
      await sleep(WARM_UP_MS);
      usual.length = 0;
      const slowest: number[] = [];
      for (let round = 0; round < (isFull ? 20 : 5); round += 1) {
        await sleep(500);
        const fresh = new Connections(port);
        const firsts = await Promise.all(Array.from({ length: NEW_CONNECTIONS }, () => read(fresh)));
        slowest.push(Math.max(...firsts));
        fresh.close();
      }
      isEnded = true;
      await Promise.all(clients);
      busy.close();
      return figuresOf({ usualMs: median(usual), slowestMs: median(slowest), failed, isFull });
    });

interface Measured {
  readonly usualMs: number;
  /** The median over all rounds. */
  readonly slowestMs: number;
  readonly failed: readonly string[];
  readonly isFull: boolean;
}

const figuresOf = ({ usualMs, slowestMs, failed, isFull }: Measured): readonly Figure[] => [
  figure(`an answer on one of ${CLIENTS} busy connections, median`, usualMs, { unit: 'ms' }),
  figure(`the last first answer of ${NEW_CONNECTIONS} new connections`, slowestMs, { unit: 'ms' }),
  figure('  times the median', slowestMs / usualMs, isFull ? { atMost: MAX_RATIO } : {}),
  none('reads that failed', failed),
];
