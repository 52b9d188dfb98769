import { setTimeout as sleep } from 'node:timers/promises';
import { print } from 'graphql';
import { startDemoGateway } from '../../test/clients/demo-gateway.ts';
import { operationOf } from '../../test/clients/documents.ts';
import { SeededRandom } from '../../test/simulation/world/random.ts';
import { forwardedTo } from '../../test/support/faulty-service.ts';
import { type Figure, figure } from '../report/figures.ts';
import type { Size } from '../report/size.ts';
import { inGatewayScene, inTurn, type SendingGateway } from './scene.ts';

const CLIENTS = 50;
/** The share of the calls that the cache may leave. */
const MAX_SHARE = 1 / 20;
const GATEWAY_COUNTS = [1, 2, 4] as const;

const EDITION = { projectVersionId: 'fernlight-2', languageCode: 'en' };

/** What a page of reader groups and articles reads when it opens, and when its other view is opened. */
const OPENING: readonly (readonly [operation: string, variables: object])[] = [
  ['ProjectVersions', {}],
  ['ReaderGroups', { first: 5 }],
  ['Categories', EDITION],
  ['Articles', { ...EDITION, orderBy: 'ID', first: 10 }],
];

/** Many clients that open a page within half a minute, with the read cache and without it. */
export async function measurePage({ isFull, windowMs }: Size): Promise<readonly Figure[]> {
  const withinMs = isFull ? windowMs / 2 : windowMs;
  const without = await callsOf({ count: 4, withinMs, settings: { READ_CACHE_SECONDS: '0' } });
  const figures = [figure(`calls for ${CLIENTS} clients without a cache`, without)];
  for (const count of GATEWAY_COUNTS) {
    const calls = await callsOf({ count, withinMs, settings: {} });
    figures.push(
      figure(`with the default, ${count === 1 ? 'one gateway' : `${count} gateways`}`, calls, boundOf(count)),
    );
    figures.push(figure('  share', (100 * calls) / without, { unit: '%' }));
  }
  return figures;

  function boundOf(count: number) {
    // Each gateway has a cache of its own, and reads once what its clients ask for.
    const ownReads = (count * without) / CLIENTS;
    return { atMost: Math.floor(Math.max(MAX_SHARE * without, ownReads)) };
  }
}

interface Opening {
  readonly count: number;
  readonly withinMs: number;
  readonly settings: Readonly<Record<string, string>>;
}

async function callsOf({ count, withinMs, settings }: Opening): Promise<number> {
  const store = await startDemoGateway();
  try {
    const own = { UPSTREAM_API_TOKEN: store.target.token, ...settings };
    return await inGatewayScene({ count, isShared: count > 1, settings: own }, async ({ service, gateways }) => {
      service.onAny(forwardedTo(store.url));
      const next = inTurn(gateways);
      const random = new SeededRandom(1);
      const clients = Array.from({ length: CLIENTS }, async () => {
        await sleep(random.between(0, withinMs));
        await openPage(next);
      });
      await Promise.all(clients);
      return service.received.length;
    });
  } finally {
    await store.close();
  }
}

async function openPage(next: () => SendingGateway): Promise<void> {
  for (const [operation, variables] of OPENING) {
    const { body } = await next().send(print(operationOf(operation)), variables);
    if (body.errors) throw new Error(`${operation}: ${JSON.stringify(body.errors)}`);
  }
}
