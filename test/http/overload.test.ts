import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { rawRequest } from '../support/raw-http.ts';

/** More than may wait for their turn, and those that begin at once. */
const CLIENTS = 1_400;
/** The last clients send a head, and a part of its body. */
const INCOMPLETE = 100;

let gateway: Gateway;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway.close();
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
const headers = ['content-type: application/json', `api_token: ${TOKEN}`, `origin: ${PAGE}`];
const QUERY = rawRequest({ method: 'POST', headers, body: '{"query":"{ __typename }"}' });
const LIVE = rawRequest({ target: '/health/live' });

it('refuses what too many others wait before, at once and without its body, and answers the others', async () => {
  gateway = await startGateway({ local: true, token: TOKEN, backend: await openFixtureStore(), corsOrigins: [PAGE] });
  const clients: Client[] = [];
  for (let opened = 0; opened < CLIENTS; opened += 1) clients.push(await openClient());
  const probe = await openClient();
  const order: string[] = [];
  const answers = clients.map(async (client) => {
    const answer = await client.answer();
    order.push(answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3));
    return answer;
  });
  const isLive = probe.answer().then((answer) => order.push(`live ${answer.slice(9, 12)}`));
  for (const [index, client] of clients.entries())
    client.send(index < CLIENTS - INCOMPLETE ? QUERY : QUERY.subarray(0, -5));
  probe.send(LIVE);
  const all = await Promise.all(answers);
  await isLive;
  const refused = all.filter((answer) => answer.startsWith('HTTP/1.1 503'));
  for (const answer of refused) {
    expect(answer).toMatch(/\r\nretry-after: \d+\r\n/iu);
    expect(answer).toContain('The gateway has too many requests at the moment.');
    // Without it a page could not tell a refusal from a gateway that is gone.
    expect(answer).toContain(`access-control-allow-origin: ${PAGE}\r\n`);
  }
  expect(refused.length).toBeGreaterThanOrEqual(INCOMPLETE);
  expect(all.filter((answer) => answer.endsWith('{"data":{"__typename":"Query"}}'))).toHaveLength(
    CLIENTS - refused.length,
  );
  // Neither those that are refused nor the health check wait for the others.
  expect(order.lastIndexOf('503')).toBeLessThan(order.lastIndexOf('200'));
  expect(order.indexOf('live 200')).toBeLessThan(order.lastIndexOf('200'));
});
