import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, type Ended, openClient, post } from '../../test/support/article-readers.ts';
import { freePort } from '../../test/support/ports.ts';
import { EXPIRED_TOKEN, openTokenService, SPENT_TOKEN } from '../../test/support/token-service.ts';
import { REPOSITORY, startProcess } from '../harness/processes.ts';
import { withResource } from '../harness/with-resource.ts';

/*
 * `npm run bench:door`: bursts of good tokens from one address, cold and warm, and 20 good clients beside a bad one, over a
 * service that takes 5 and 500 ms. Ends with 1 where one good request was not answered.
 */

const LATENCIES = [5, 500];
const BURSTS = [50, 200, 1_000];
const TOKENS = [1, 20, 200];
const BAD_LOOPS = 90;
const GOOD_CLIENTS = 20;
const BESIDE_MS = 12_000;
/** A bad client pauses before it reads on. */
const SLOW_READ_MS = 500;

/** The gateway on a core of its own, in front of a new service; this process has the clients and the service. */
async function inScene(latencyMs: number, work: (port: number) => Promise<void>): Promise<void> {
  return withResource(new AsyncDisposableStack(), async (stack) => {
    const service = stack.use(await openTokenService(latencyMs));
    const port = await freePort();
    const env = { UPSTREAM_URL: service.url, PORT: `${port}`, LOG_LEVEL: 'warn', READ_CACHE_SECONDS: '0' };
    stack.use(await startProcess({ role: 'gateway', args: [join(REPOSITORY, 'src/main.ts'), 'serve'], env, port }));
    await work(port);
  });
}

function report(name: string, ended: readonly Ended[]): void {
  const wrong = ended.filter(({ isRight }) => !isRight);
  const times = ended.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const statuses = [...new Set(wrong.map(({ status }) => status))].join(', ');
  const slowest = Math.round(times.at(-1) ?? 0);
  const median = Math.round(times[Math.floor(times.length / 2)] ?? 0);
  console.log(
    `${name}: ${ended.length} requests, ${wrong.length} not answered${wrong.length > 0 ? ` (${statuses})` : ''}, ` +
      `median ${median} ms, slowest ${slowest} ms`,
  );
  if (wrong.length > 0 || ended.length === 0) process.exitCode = 1;
}

const burst = (client: Client, requests: number, tokens: number): Promise<readonly Ended[]> =>
  Promise.all(Array.from({ length: requests }, (_, at) => client.read(`good-${at % tokens}`, `article-${at}`)));

async function measureBursts(latencyMs: number, requests: number, tokens: number): Promise<void> {
  await inScene(latencyMs, async (port) => {
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
  await inScene(latencyMs, async (port) => {
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

for (const latencyMs of LATENCIES) {
  for (const requests of BURSTS) for (const tokens of TOKENS) await measureBursts(latencyMs, requests, tokens);
  for (const name of ['expired', 'spent', 'slow reads'] as const) await measureBeside(latencyMs, name);
}
process.exit();
