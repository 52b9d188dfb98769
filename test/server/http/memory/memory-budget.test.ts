import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { MemoryBudget, RequestMemory } from '../../../../src/server/http/memory.ts';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../../support/gateway.ts';

type MemoryLimits = NonNullable<ConstructorParameters<typeof MemoryBudget>[0]>;

const KB = 1024;
const MB = 1024 * KB;
const LIMITS: MemoryLimits = { maxBytes: 4 * MB, reservedBytes: 4 * MB };
const MAX_HELD = 8 * MB;

let gateway: Gateway;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await gateway.close();
});

async function start(limits: MemoryLimits = {}, settings: Partial<GatewayOptions> = {}) {
  const memory = new MemoryBudget({ ...LIMITS, ...limits });
  const backend = settings.backend ?? (await openFixtureStore());
  gateway = await startGateway({ local: true, token: TOKEN, ...settings, backend, memory });
  return memory;
}

interface Upload {
  readonly socket: Socket;
  /** The response so far. */
  received(): string;
}

const TARGETS = { graphql: 'POST /graphql', facade: 'PUT /v2/articles/bulkupdate' };

/** Declares a body and sends some bytes of it. */
async function upload(target: keyof typeof TARGETS, sent: number, headers: readonly string[]): Promise<Upload> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  const head = [`${TARGETS[target]} HTTP/1.1`, 'Host: a', 'Content-Type: application/json', ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await new Promise((resolve) => socket.write(Buffer.alloc(sent, ' '), resolve));
  return { socket, received: () => received };
}

const promising = (bytes: number) => [`Content-Length: ${bytes}`, `api_token: ${TOKEN}`];

async function waitUntil(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 500) throw new Error('The condition did not come true.');
    await pause(10);
  }
}

describe('the memory for bodies', () => {
  it.each(['graphql', 'facade'] as const)(
    'is refused over %s beyond its limit, while small requests are served',
    async (target) => {
      const memory = await start();
      const uploads = await Promise.all(
        Array.from({ length: 8 }, () => upload(target, 10 * MB - 1, promising(10 * MB))),
      );
      await waitUntil(() => uploads.some((one) => one.received() !== ''));
      expect(memory.held).toBeLessThan(MAX_HELD);
      const [refused] = uploads.filter((one) => one.received() !== '');
      expect(refused?.received()).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: \d+\r\n/isu);
      expect(refused?.received()).toContain(target === 'facade' ? '"success":false' : '"code":"UNAVAILABLE"');
      expect((await gateway.send('{ projectVersions { id } }')).status).toBe(200);
    },
  );

  it('is not charged for a Content-Length', async () => {
    const memory = await start({ maxBytes: 8 * MB });
    await Promise.all(Array.from({ length: 100 }, () => upload('graphql', 1, promising(10 * MB))));
    await waitUntil(() => memory.held >= 100);
    const large = await gateway.send('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: ['x'.repeat(MB)] });
    expect(large.status).toBe(200);
  });

  it('is released when clients disconnect', async () => {
    const memory = await start();
    const uploads = await Promise.all(Array.from({ length: 3 }, () => upload('graphql', MB - 1, promising(MB))));
    await waitUntil(() => memory.held >= 3 * MB);
    for (const { socket } of uploads) socket.destroy();
    await waitUntil(() => memory.held === 0);
  });

  it('is charged for parsed values until the operation ends', async () => {
    const store = await openFixtureStore();
    const { promise: permitted, resolve: permit } = Promise.withResolvers<void>();
    const backend = {
      ...store,
      updateReaderGroup: async (...args: Parameters<typeof store.updateReaderGroup>) => {
        await permitted;
        return store.updateReaderGroup(...args);
      },
    };
    const memory = await start({}, { backend });
    const mutation = 'mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { __typename } }';
    const accessScope = { level: 'PROJECT' };
    const readerIds = Array.from({ length: 15_000 }, (_, index) => `reader ${index}`);
    const input = { groupId: 'g1', title: 'x', accessScope, readerIds };
    const held = gateway.send(mutation, { input });
    await waitUntil(() => memory.held > MB);
    const statuses: number[] = [];
    const others = [1, 2, 3].map(async () => statuses.push((await gateway.send(mutation, { input })).status));
    await waitUntil(() => statuses.length > 0);
    expect(statuses[0]).toBe(503);
    permit();
    expect((await held).status).toBe(200);
    await Promise.all(others);
    await waitUntil(() => memory.held === 0);
  });

  it('is refused to a body that fills it, whose connection serves the next request', async () => {
    await start({ maxBytes: MB });
    const { socket, received } = await upload('graphql', 10 * MB, promising(10 * MB));
    await waitUntil(() => received().includes('"code":"UNAVAILABLE"'));
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');
    await waitUntil(() => received().includes('"status":"live"'));
  });

  it('is exhausted with 503 for every body, not for health checks', async () => {
    await start({ maxBytes: 0, reservedBytes: 0 });
    const headers = { 'content-type': 'application/json', api_token: TOKEN };
    const refused = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: '{"query":"{a}"}' });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
  });
});

describe('the memory for responses', () => {
  it('is refused to reads beyond its limit, and never to the answer of a write', () => {
    const memory = new MemoryBudget({ maxBytes: 120 * KB, reservedBytes: 4 * MB });
    const [first, second] = [new RequestMemory(memory), new RequestMemory(memory)];
    expect(first.charge(80 * KB)).toBe(true);
    expect([second.charge(80 * KB), second.wasRefused]).toEqual([false, true]);
    expect(second.charge(80 * KB, false)).toBe(true);
    expect(memory.held).toBe(160 * KB);
    for (const one of [first, second]) one.end();
    expect(memory.held).toBe(0);
  });
});
