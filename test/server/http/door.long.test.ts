import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Ended, openClient, post } from '../../support/article-readers.ts';
import { needs } from '../../support/needs.ts';
import { startGatewayProcess } from '../../support/process.ts';
import { EXPIRED_TOKEN, openTokenService, SPENT_TOKEN } from '../../support/token-service.ts';

const SLOWHTTPTEST = '/usr/bin/slowhttptest';
const NEEDS_SLOWHTTPTEST = needs(existsSync(SLOWHTTPTEST), `there is no ${SLOWHTTPTEST}`);

/** A gateway that was started just now, in front of a service that takes 50 ms. All is stopped after the test. */
async function openScene() {
  const service = await openTokenService(50);
  const cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-door-'));
  const gateway = await startGatewayProcess({ cwd, settings: { UPSTREAM_URL: service.url, LOG_LEVEL: 'warn' } });
  const port = Number(new URL(gateway.url).port);
  const client = openClient(port);
  onTestFinished(async () => {
    client.close();
    await gateway.stop('SIGKILL');
    await service[Symbol.asyncDispose]();
    await rm(cwd, { recursive: true });
  });
  return { port, client, url: gateway.url };
}

const wrong = (ended: readonly Ended[]) => ended.filter(({ isRight }) => !isRight);

describe('good clients of one address, right after a start', () => {
  it.each([
    [200, 1],
    [200, 200],
    [1_000, 1],
    [1_000, 20],
  ])('are all answered: %i requests at one time, of %i tokens', async (requests, tokens) => {
    const { client } = await openScene();
    const ended = await Promise.all(
      Array.from({ length: requests }, (_, at) => client.read(`good-${at % tokens}`, `article-${at}`)),
    );
    expect(wrong(ended)).toEqual([]);
  });

  it.each(['expired', 'spent', 'slow'])('are all answered beside 90 loops of a bad one: %s', async (kind) => {
    const { port, client } = await openScene();
    let isOver = false;
    const readSlowly = async () => {
      const response = await post({ port, token: 'slow', articleId: 'long' });
      for await (const _chunk of response) if (!isOver) await sleep(500);
    };
    const bad = Array.from({ length: 90 }, async () => {
      while (!isOver) {
        if (kind === 'slow') await readSlowly().catch(() => sleep(10));
        else await client.read(kind === 'expired' ? EXPIRED_TOKEN : SPENT_TOKEN, 'any');
      }
    });
    const good = Array.from({ length: 20 }, async (_, at) => {
      const ended: Ended[] = [];
      for (let sent = 0; sent < 10; sent += 1) ended.push(await client.read(`good-${at}`, `article-${at}-${sent}`));
      return ended;
    });
    expect(wrong((await Promise.all(good)).flat())).toEqual([]);
    isOver = true;
    client.close();
    await Promise.race([Promise.all(bad), sleep(1_000)]);
  });
});

/** The connections that a server of this machine holds: those of the states 1 and 4 (not read to the end) in Linux' table. */
function connectionsOf(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((row) => row.trim().split(/\s+/u));
  return rows.filter(([, address, , state]) => address?.endsWith(local) && (state === '01' || state === '04')).length;
}

describe('500 slow connections', NEEDS_SLOWHTTPTEST, () => {
  it.each([
    ['with headers', ['-H', '-i', '10'], '/graphql'],
    ['with bodies', ['-B', '-i', '10', '-s', '8192', '-t', 'POST', '-f', 'application/json'], '/graphql'],
    ['that read', ['-X', '-w', '512', '-y', '1024', '-n', '5', '-z', '32', '-k', '3'], '/schema.graphql'],
  ])(
    '%s hardly hold a connection after 20 s, and every good post beside them is answered',
    async (_name, mode, path) => {
      const { client, port, url } = await openScene();
      await client.read('good', 'article');
      const target = new URL(path, url).href;
      const child = spawn(SLOWHTTPTEST, ['-c', '500', '-r', '250', '-l', '30', ...mode, '-u', target]);
      onTestFinished(() => void child.kill('SIGKILL'));
      child.stdout.resume();
      const ended: Ended[] = [];
      // 20 s after the last of them has connected.
      const endsAt = performance.now() + 23_000;
      let most = 0;
      while (performance.now() < endsAt) {
        ended.push(await client.read('good', `article-${ended.length}`));
        most = Math.max(most, connectionsOf(port));
        await sleep(200);
      }
      expect(wrong(ended)).toEqual([]);
      expect(most).toBeGreaterThan(100);
      expect(connectionsOf(port)).toBeLessThanOrEqual(50);
    },
  );
});
