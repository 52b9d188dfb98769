import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ok } from '../../../src/base/result.ts';
import { RequestRecord } from '../../../src/domain/callers/request-record.ts';
import { MemoryBudget } from '../../../src/http/memory.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../support/gateway.ts';

type MemoryLimits = ConstructorParameters<typeof MemoryBudget>[0];

const KB = 1024;
const MB = 1024 * KB;
const SHARES: MemoryLimits = { largeInputs: 4 * MB, largeResponses: 2 * MB, small: 4 * MB };
const MAX_TOTAL = 10 * MB;

let gateway: Gateway;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await gateway.close();
});

async function start(shares: Partial<MemoryLimits> = {}, settings: Partial<GatewayOptions> = {}) {
  const memory = new MemoryBudget({ ...SHARES, ...shares });
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

const promising = (bytes: number, token = TOKEN) => [`Content-Length: ${bytes}`, `api_token: ${token}`];

async function waitUntil(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 500) throw new Error('The condition did not come true.');
    await pause(10);
  }
}

const statusOf = ({ received }: Upload) => Number(received().split(' ')[1]);

describe('the memory for bodies', () => {
  it.each(['graphql', 'facade'] as const)(
    'is refused over %s beyond its limit, while small requests are served',
    async (target) => {
      const memory = await start();
      const uploads = await Promise.all(
        Array.from({ length: 8 }, () => upload(target, 10 * MB - 1, promising(10 * MB))),
      );
      await waitUntil(() => uploads.some((one) => one.received() !== ''));
      expect(memory.total).toBeLessThan(MAX_TOTAL);
      const [refused] = uploads.filter((one) => one.received() !== '');
      expect(refused?.received()).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: \d+\r\n/isu);
      expect(refused?.received()).toContain(target === 'facade' ? '"success":false' : '"code":"UNAVAILABLE"');
      expect((await gateway.send('{ projectVersions { id } }')).status).toBe(200);
    },
  );

  it('is not charged for a Content-Length', async () => {
    const memory = await start();
    await Promise.all(Array.from({ length: 100 }, () => upload('graphql', 1, promising(10 * MB))));
    await waitUntil(() => memory.total >= 100 * 20 * KB);
    const large = await gateway.send('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: ['x'.repeat(MB)] });
    expect(large.status).toBe(200);
  });

  it('is released when clients disconnect', async () => {
    const memory = await start();
    const uploads = await Promise.all(Array.from({ length: 3 }, () => upload('graphql', MB - 1, promising(MB))));
    await waitUntil(() => memory.total >= 3 * MB);
    for (const { socket } of uploads) socket.destroy();
    await waitUntil(() => memory.total === 0);
  });

  it('has a smaller limit for untrusted callers', async () => {
    await start({}, { backend: { ...(await openFixtureStore()) } });
    const uploads = await Promise.all(
      Array.from({ length: 6 }, (_, index) => upload('graphql', 512 * KB - 1, promising(512 * KB, `made up ${index}`))),
    );
    await waitUntil(() => uploads.some((one) => one.received() !== ''));
    const large = await gateway.send('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: ['x'.repeat(MB)] });
    expect(large.status).toBe(200);
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
    const readerIds = Array.from({ length: 10_000 }, (_, index) => `reader ${index}`);
    const input = { groupId: 'g1', title: 'x', accessScope, readerIds };
    const held = gateway.send(mutation, { input });
    await waitUntil(() => memory.total > MB);
    const statuses: number[] = [];
    const others = [1, 2, 3].map(async () => statuses.push((await gateway.send(mutation, { input })).status));
    await waitUntil(() => statuses.length > 0);
    expect(statuses[0]).toBe(503);
    permit();
    expect((await held).status).toBe(200);
    await Promise.all(others);
    await waitUntil(() => memory.total === 0);
  });

  it('is exhausted with 503 for every request but health checks', async () => {
    await start({ largeInputs: 0, small: 30 * KB });
    await upload('graphql', 1, promising(100));
    await waitUntil(() => sockets[0]?.bytesWritten !== 0);
    await pause(50);
    const refused = await fetch(`${gateway.url}/graphql`, { headers: { api_token: TOKEN } });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect((await fetch(`${gateway.url}/health/live`)).status).toBe(200);
  });
});

describe('a body above 1 MB', () => {
  const large = (token: string | null) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== null && { api_token: token }) },
    body: JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(MB) } }),
  });

  it.each([null, 'made up'])('with the token %s is refused before it has arrived', async (token) => {
    await start({ largeInputs: 16 * MB });
    const refused = await fetch(`${gateway.url}/graphql`, large(token));
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    const headers = ['Content-Length: 2000000', ...(token === null ? [] : [`api_token: ${token}`])];
    const promised = await upload('graphql', 0, headers);
    await waitUntil(() => promised.received() !== '');
    expect(statusOf(promised)).toBe(401);
    const chunked = await upload('graphql', 0, ['Transfer-Encoding: chunked']);
    for (let sent = 0; sent <= MB; sent += 64 * KB) chunked.socket.write(`10000\r\n${' '.repeat(64 * KB)}\r\n`);
    await waitUntil(() => chunked.received() !== '');
    expect(statusOf(chunked)).toBe(401);
  });

  it('is parsed once the service has accepted the token, which is verified only once', async () => {
    const store = await openFixtureStore();
    const verifiedTokens: (string | null)[] = [];
    let isAccepted = false;
    const backend = {
      ...store,
      tokenVerdicts: { isAccepted: () => isAccepted, watch: () => () => {} },
      requireKnown: async ({ apiToken }: Parameters<typeof store.requireKnown>[0]) => {
        verifiedTokens.push(apiToken);
        isAccepted = true;
        return ok(undefined);
      },
    };
    await start({ largeInputs: 40 * MB }, { backend });
    for (const _ of [1, 2]) expect((await fetch(`${gateway.url}/graphql`, large(TOKEN))).status).toBe(200);
    expect(verifiedTokens).toEqual([TOKEN]);
  });
});

describe('the memory for responses', () => {
  it('is taken from the oldest slow response', async () => {
    const memory = await start({ largeResponses: 100 * KB });
    const owners = [1, 2].map(() => memory.beginRequest(new RequestRecord()));
    const dropped: number[] = [];
    const add = (index: number, isRefusable: boolean) =>
      owners[index]?.tryAddResponse(80 * KB, () => dropped.push(index), isRefusable);
    expect(add(0, true)).toBe(true);
    expect(add(1, true)).toBe(false);
    expect(dropped).toEqual([]);
    expect(add(1, false)).toBe(true);
    expect(dropped).toEqual([0]);
    for (const owner of owners) owner?.end();
    expect(memory.total).toBe(0);
  });
});
