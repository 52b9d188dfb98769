import { setTimeout as delay } from 'node:timers/promises';
import { type Client, type Ended, openClient, post } from '../../test/support/article-readers.ts';
import { EXPIRED_TOKEN, SPENT_TOKEN } from '../../test/support/token-service.ts';
import { inScene, report } from './scene.ts';

const LATENCIES = [5, 500];
const BURSTS = [50, 200, 1_000];
const TOKENS = [1, 20, 200];
const BAD_LOOPS = 90;
const GOOD_CLIENTS = 20;
const BESIDE_MS = 12_000;
/** A bad client pauses before it reads on. */
const SLOW_READ_MS = 500;

const burst = (client: Client, requests: number, tokens: number): Promise<readonly Ended[]> =>
  Promise.all(Array.from({ length: requests }, (_, at) => client.read(`good-${at % tokens}`, `article-${at}`)));

async function measureBursts(latencyMs: number, requests: number, tokens: number): Promise<void> {
  await inScene(latencyMs, async ({ port }) => {
    const client = openClient(port);
    for (const state of ['cold', 'warm'])
      report(`${latencyMs} ms, ${tokens} tokens, ${state}`, await burst(client, requests, tokens));
    client.close();
  });
}

/** Loops of the bad client, each with one request at a time. */
const BAD = {
  expired: (client: Client) => client.read(EXPIRED_TOKEN, 'any'),
  spent: (client: Client) => client.read(SPENT_TOKEN, 'any'),
  'slow reads': async (_client: Client, port: number) => {
    const response = await post({ port, token: 'slow', articleId: 'long' }).catch(() => null);
    response?.on('error', () => {});
    for await (const _chunk of response ?? []) await delay(SLOW_READ_MS);
  },
} satisfies Record<string, (client: Client, port: number) => Promise<unknown>>;

async function measureBeside(latencyMs: number, name: keyof typeof BAD): Promise<void> {
  await inScene(latencyMs, async ({ port }) => {
    const client = openClient(port);
    const endsAt = performance.now() + BESIDE_MS;
    const loop = async (work: () => Promise<unknown>) => {
      while (performance.now() < endsAt) await work();
    };
    const bad = Array.from({ length: BAD_LOOPS }, () => loop(() => BAD[name](client, port).catch(() => null)));
    const ended: Ended[] = [];
    const good = Array.from({ length: GOOD_CLIENTS }, (_, at) =>
      loop(async () => {
        ended.push(await client.read(`good-${at}`, `article-${at}`));
        await delay(latencyMs);
      }),
    );
    await Promise.all(good);
    report(`${latencyMs} ms, ${GOOD_CLIENTS} good clients beside ${BAD_LOOPS} loops (${name})`, ended);
    client.close();
    await Promise.race([Promise.all(bad), delay(0)]);
  });
}

/** Bursts of good tokens from one address, cold and warm. */
export async function measureAllBursts(): Promise<void> {
  for (const latencyMs of LATENCIES)
    for (const requests of BURSTS) for (const tokens of TOKENS) await measureBursts(latencyMs, requests, tokens);
}

/** 20 good clients beside a bad one. */
export async function measureAllBeside(): Promise<void> {
  for (const latencyMs of LATENCIES)
    for (const name of ['expired', 'spent', 'slow reads'] as const) await measureBeside(latencyMs, name);
}
