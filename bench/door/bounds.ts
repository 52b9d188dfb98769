import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { EXPENSIVE_READS, type Expensive } from '../../test/abuse/expensive-requests.ts';
import { startTarget, type Target, TOKEN } from '../../test/abuse/target.ts';
import { type Ended, openClient } from '../../test/support/article-readers.ts';
import { inScene, report, require } from './scene.ts';

const MAX_LIVE_MS = 500;
const BODIES = 150;
const MAX_MB = 512;
const POLL_MS = 10;
const SLOWHTTPTEST = '/usr/bin/slowhttptest';
const SLOW_MS = 25_000;
const MAX_POST_MS = 1_000;

const HEADERS = { 'content-type': 'application/json', 'x-api-token': TOKEN };

async function withTarget(work: (target: Target) => Promise<void>): Promise<void> {
  const target = await startTarget({ LOG_LEVEL: 'warn' });
  await work(target).finally(() => target.stop());
}

/** Sends a read by a process of its own, since reading the answer would hold the clock up. */
async function readByCurl(url: string, { body }: Expensive): Promise<string> {
  const headers = Object.entries(HEADERS).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const format = '%{http_code}, %{size_download} bytes';
  const sent = promisify(execFile)('curl', [
    '-s',
    '-o',
    '/dev/null',
    '-w',
    format,
    ...headers,
    '--data-binary',
    '@-',
    url,
  ]);
  sent.child.stdin?.end(body);
  return (await sent).stdout;
}

/** The longest wait for `/health/live` beside each of the heaviest reads that are allowed. */
export async function measureReads(): Promise<void> {
  await withTarget(async (target) => {
    const live = new URL('/health/live', target.url);
    for (const read of EXPENSIVE_READS) {
      let [worst, isOver] = [0, false];
      const watch = async () => {
        while (!isOver) {
          const since = performance.now();
          await (await fetch(live)).text();
          worst = Math.max(worst, performance.now() - since);
          await delay(POLL_MS);
        }
      };
      const watching = watch();
      const answer = await readByCurl(target.url, read);
      isOver = true;
      await watching;
      console.log(`${read.name}: ${answer}, /health/live waits ${worst.toFixed(0)} ms${require(worst <= MAX_LIVE_MS)}`);
    }
  });
}

const LARGE_BODIES = {
  'a text': `{"query":"query ($id: ID!) { node(id: $id) { id } }","variables":{"id":"${'x'.repeat(10_000_000)}"}}`,
  numbers: `{"query":"{ __typename }","variables":{"a":[${'1,'.repeat(4_990_000)}1]}}`,
  objects: `{"query":"{ __typename }","variables":{"a":[${`{"k":"${'y'.repeat(190)}"},`.repeat(49_000)}1]}}`,
};

/** 150 bodies of 10 MB at one time. */
export async function measureBodies(): Promise<void> {
  for (const [name, text] of Object.entries(LARGE_BODIES)) {
    await withTarget(async (target) => {
      const body = Buffer.from(text);
      // A connection that the client closes after the answer would be reset, with the answer unread.
      const agent = new Agent({ keepAlive: true });
      let [peak, isOver] = [0, false];
      const watch = async () => {
        while (!isOver) {
          peak = Math.max(peak, await target.memoryMb());
          await delay(POLL_MS);
        }
      };
      const watching = watch();
      const statuses = await Promise.all(Array.from({ length: BODIES }, () => postBody(target.url, body, agent)));
      isOver = true;
      await watching;
      agent.destroy();
      const counts = Object.entries(Object.groupBy(statuses, (status) => `${status}`));
      const shown = counts.map(([status, all]) => `${all?.length} × ${status}`).join(', ');
      console.log(`${BODIES} bodies of ${body.length} bytes (${name}): ${shown}, ${peak} MB${require(peak < MAX_MB)}`);
    });
  }
}

/** Resolves to the status; 0 where the connection ended before. */
async function postBody(url: string, body: Buffer, agent: Agent): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const headers = { ...HEADERS, 'content-length': body.length };
  const sent = request(url, { method: 'POST', headers, agent }, (response) => {
    response.resume().once('close', () => resolve(response.statusCode ?? 0));
  });
  sent.on('error', () => resolve(0)).end(body);
  return promise;
}

const SLOW = {
  headers: ['-H', '-i', '10'],
  bodies: ['-B', '-i', '10', '-s', '8192', '-t', 'POST', '-f', 'application/json'],
  reads: ['-X', '-w', '512', '-y', '1024', '-n', '5', '-z', '32', '-k', '3'],
};

/** Good posts beside 500 slow connections of slowhttptest. */
export async function measureSlow(): Promise<void> {
  if (!existsSync(SLOWHTTPTEST)) throw new Error(`There is no ${SLOWHTTPTEST}.`);
  for (const [name, mode] of Object.entries(SLOW)) {
    await inScene(5, async ({ port }) => {
      const client = openClient(port);
      await client.read('good', 'article');
      const target = `http://127.0.0.1:${port}/${name === 'reads' ? 'schema.graphql' : 'graphql'}`;
      const slow = spawn(SLOWHTTPTEST, ['-c', '500', '-r', '250', '-l', '30', ...mode, '-u', target], {
        stdio: 'ignore',
      });
      const ended: Ended[] = [];
      for (const endsAt = performance.now() + SLOW_MS; performance.now() < endsAt; await delay(50))
        ended.push(await client.read('good', `article-${ended.length}`));
      slow.kill();
      await once(slow, 'exit');
      client.close();
      report(`posts beside 500 slow ${name}`, ended, MAX_POST_MS);
    });
  }
}
