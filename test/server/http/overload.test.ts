import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { MAX_REQUESTS } from '../../../src/core/base/limits.ts';
import { envelope, type FaultyService, held, json, openFaultyService } from '../../support/faulty-service.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { openBackendTo } from '../../support/rest-scene.ts';

let gateway: Gateway;
let service: FaultyService;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway.close();
  await service.close();
});

interface Client {
  send(bytes: Buffer): void;
  /** Resolves with the next answer, which comes in one piece; empty where the connection ends before it. */
  answer(): Promise<string>;
}

async function openClient(): Promise<Client> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return {
    send: (bytes) => socket.write(bytes),
    answer: () =>
      new Promise((resolve) => {
        socket.once('data', (data) => resolve(`${data}`)).once('close', () => resolve(''));
      }),
  };
}

const PAGE = 'https://app.example';
const headers = ['content-type: application/json', 'x-api-token: good', `origin: ${PAGE}`];
const QUERY = rawRequest({ method: 'POST', headers, body: '{"query":"{ projectVersions { id } }"}' });
const LIVE = rawRequest({ target: '/health/live' });
const FOUND = '{"data":{"projectVersions":[]}}';

it('refuses what comes beyond the bound, at once and without its body, and answers all others', async () => {
  service = await openFaultyService();
  const calls = held(json(200, envelope([])));
  service.onAny(calls.behaviour);
  const backend = openBackendTo(service);
  gateway = await startGateway({
    local: false,
    token: 'good',
    backend,
    corsOrigins: [PAGE],
    requestTimeoutMs: 200_000,
  });
  const waiting: Promise<string>[] = [];
  for (let sent = 0; sent < MAX_REQUESTS; sent += 1) {
    const client = await openClient();
    waiting.push(client.answer());
    client.send(QUERY);
  }
  // The last of them may not have begun yet.
  let refused = '';
  do {
    const late = await openClient();
    const answer = late.answer();
    late.send(QUERY.subarray(0, -5));
    refused = await Promise.race([answer, sleep(100, '')]);
  } while (refused === '');
  expect(refused).toMatch(/^HTTP\/1.1 503 .*\r\nretry-after: \d+\r\n/isu);
  expect(refused).toContain('The gateway has too many requests at the moment.');
  // Without it a page could not tell a refusal from a gateway that is gone.
  expect(refused).toContain(`access-control-allow-origin: ${PAGE}\r\n`);
  const probe = await openClient();
  const live = probe.answer();
  probe.send(LIVE);
  expect(await live).toContain('HTTP/1.1 200');
  calls.release();
  const answers = await Promise.all(waiting);
  expect(answers.filter((answer) => !answer.endsWith(FOUND))).toEqual([]);
});
