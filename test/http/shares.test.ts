import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RestBackendOptions } from '../../src/backend/rest/rest-backend.ts';
import { MemoryBudget } from '../../src/http/memory.ts';
import {
  type Behaviour,
  envelope,
  type FaultyService,
  held,
  json,
  openFaultyService,
  status,
} from '../support/faulty-service.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway.ts';
import { rawRequest } from '../support/raw-http.ts';
import { openBackendTo } from '../support/rest-scene.ts';

const MB = 1024 ** 2;
const VERSIONS = 'GET /v2/ProjectVersions';
const UPDATE = 'PUT /v2/Articles/bulkupdate';
const QUERY = JSON.stringify({ query: '{ projectVersions { id } }' });
const MUTATION = JSON.stringify({
  query: 'mutation { bulkUpdateArticles(input: { articles: [{ articleId: "a", title: "b" }] }) { __typename } }',
});

interface Scene {
  readonly service: FaultyService;
  readonly gateway: Gateway;
  readonly client: (token: string, options?: ClientOptions) => Client;
}

interface ClientOptions {
  /** The address that the client comes from. */
  readonly address?: string;
  readonly body?: string;
  /** The bytes of the body that are sent; all by default. */
  readonly sent?: number;
  /** True where nothing is sent before `send`. */
  readonly isHeld?: boolean;
}

interface Client {
  readonly connected: Promise<void>;
  send(): void;
  /** Null while there is no answer. */
  status(): number | null;
  /** The whole answer. */
  readonly answer: Promise<string>;
}

interface SceneOptions extends Partial<GatewayOptions> {
  readonly rest?: Partial<RestBackendOptions>;
}

/** A gateway in front of a service that accepts the tokens that begin with `good`, whose tests decide how it answers. */
async function openScene({ rest, ...settings }: SceneOptions = {}): Promise<Scene> {
  const service = await openFaultyService();
  const backend = openBackendTo(service, rest);
  const gateway = await startGateway({ backend, local: false, token: 'unused', requestTimeoutMs: 30_000, ...settings });
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await gateway.close();
    await service.close();
  });
  const client = (
    token: string,
    { address = '127.0.0.1', body = QUERY, sent, isHeld = false }: ClientOptions = {},
  ): Client => {
    const port = Number(new URL(gateway.url).port);
    const socket = connect({ port, host: '127.0.0.1', localAddress: address }).on('error', () => {});
    sockets.push(socket);
    const request = rawRequest({
      method: 'POST',
      // Else equal reads would share a call.
      headers: ['content-type: application/json', `api_token: ${token}`, 'cache-control: no-store'],
      body,
    });
    const send = () => {
      socket.write(sent === undefined ? request : request.subarray(0, request.length - body.length + sent));
    };
    if (!isHeld) send();
    const connected = new Promise<void>((resolve) => socket.once('connect', resolve));
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    const answer = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
    return { connected, send, answer, status: () => (received === '' ? null : Number(received.slice(9, 12))) };
  };
  return { service, gateway, client };
}

/** Lets the service answer the calls with some tokens in one way, and all others in another. */
const forTokens =
  (prefix: string, behaviour: Behaviour, others: Behaviour): Behaviour =>
  (response, request) =>
    (`${request.headers['api_token']}`.startsWith(prefix) ? behaviour : others)(response, request);

const found = json(200, envelope([]));
const updated = json(200, envelope([{ article_id: 'a', success: true }]));

/** Makes the service accept tokens. */
async function accept({ service, client }: Scene, ...tokens: readonly string[]): Promise<void> {
  service.on(VERSIONS, found);
  for (const token of tokens) expect(await client(token).answer).toContain('"projectVersions":[]');
}

/** Waits for something that happens whatever the machine does. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries += 1) {
    if (tries > 2_000) throw new Error('It did not come true.');
    await sleep(5);
  }
}

const NETWORKS = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6'];

const refusedOf = (clients: readonly Client[]) => clients.filter(({ status: statusOf }) => statusOf() === 503);

describe('strangers at the limit leave room for an accepted caller', () => {
  it('with requests in progress, requests that wait, and calls to the service', async () => {
    const scene = await openScene();
    const { service, client } = scene;
    await accept(scene, 'good');
    const strangers = held(status(401));
    service.on(VERSIONS, forTokens('good', found, strangers.behaviour));
    const before = service.received.length;
    const clients = NETWORKS.flatMap((address) =>
      Array.from({ length: 90 }, (_, index) => client(`made-up ${address} ${index}`, { address })),
    );
    // Of each network at most 16 are in and 62 wait; of all 64 and 250.
    await until(() => refusedOf(clients).length >= 450 - 64 - 250 && service.received.length - before >= 64);
    expect(service.received.length - before).toBe(64);
    expect(await client('good').answer).toContain('"projectVersions":[]');
    strangers.release();
    await Promise.all(clients.map(({ answer }) => answer));
  });

  it('with connections that come all at once', async () => {
    const scene = await openScene();
    const { service, client } = scene;
    await accept(scene, 'good');
    service.on(VERSIONS, forTokens('good', found, status(401)));
    const strangers = Array.from({ length: 1_200 }, (_, index) =>
      client(`made-up ${index}`, { body: '{}', isHeld: true }),
    );
    await Promise.all(strangers.map(({ connected }) => connected));
    for (const stranger of strangers) stranger.send();
    const callers = Array.from({ length: 20 }, () => client('good'));
    const answers = await Promise.all(callers.map(({ answer }) => answer));
    expect(answers.filter((answer) => !answer.includes('"projectVersions":[]'))).toEqual([]);
    await Promise.all(strangers.map(({ answer }) => answer));
    expect(refusedOf(strangers).length).toBeGreaterThan(0);
  });

  it('with bodies', async () => {
    const memory = new MemoryBudget({ largeInputs: 8 * MB, largeResponses: 2 * MB, small: 4 * MB });
    const scene = await openScene({ memory });
    await accept(scene, 'good');
    const strangers = NETWORKS.map((address) =>
      scene.client('made up', { address, body: ' '.repeat(MB), sent: MB - 1 }),
    );
    await until(() => refusedOf(strangers).length === strangers.length - 2);
    const body = JSON.stringify({ query: '{ projectVersions { id } }', variables: { a: 'x'.repeat(MB) } });
    expect(await scene.client('good', { body }).answer).toContain('"projectVersions":[]');
  });

  it('with updates that are merged', async () => {
    const scene = await openScene();
    const { service, client } = scene;
    await accept(scene, 'good');
    const strangers = held(status(401));
    service.on(UPDATE, forTokens('good', updated, strangers.behaviour));
    const clients = Array.from({ length: 90 }, (_, index) => client(`made-up ${index}`, { body: MUTATION }));
    await until(() => refusedOf(clients).length >= 90 - 16 - 62 && service.receivedOn(UPDATE).length >= 16);
    expect(await client('good', { body: MUTATION }).answer).toContain('BulkUpdateArticlesPayload');
    expect(service.receivedOn(UPDATE)).toHaveLength(17);
    strangers.release();
    await Promise.all(clients.map(({ answer }) => answer));
  });
});

describe('one accepted caller at the limit leaves room for another', () => {
  it('with requests in progress, and calls to the service', async () => {
    const scene = await openScene();
    const { service, client } = scene;
    await accept(scene, 'good one', 'good other');
    const calls = held(found);
    service.on(VERSIONS, forTokens('good one', calls.behaviour, found));
    const before = service.received.length;
    const clients = Array.from({ length: 300 }, () => client('good one'));
    await until(() => service.received.length - before === 240);
    expect(await client('good other').answer).toContain('"projectVersions":[]');
    expect(service.received.length - before).toBe(241);
    calls.release();
    await Promise.all(clients.map(({ answer }) => answer));
  });

  it('with bodies', async () => {
    const memory = new MemoryBudget({ largeInputs: 16 * MB, largeResponses: 2 * MB, small: 4 * MB });
    const scene = await openScene({ memory });
    await accept(scene, 'good one', 'good other');
    const uploads = Array.from({ length: 20 }, () => scene.client('good one', { body: ' '.repeat(MB), sent: MB - 1 }));
    await until(() => refusedOf(uploads).length > 0);
    const body = JSON.stringify({ query: '{ projectVersions { id } }', variables: { a: 'x'.repeat(MB / 2) } });
    expect(await scene.client('good other', { body }).answer).toContain('"projectVersions":[]');
  });
});

describe('a stranger', () => {
  it('waits no longer once the service has accepted the token', async () => {
    const { service, client } = await openScene();
    const [newcomer, strangers] = [held(found), held(status(401))];
    service.on(VERSIONS, forTokens('good', newcomer.behaviour, strangers.behaviour));
    const first = client('good');
    await until(() => service.received.length === 1);
    const others = Array.from({ length: 15 }, (_, index) => client(`made-up ${index}`));
    await until(() => service.received.length === 16);
    const waiting = Array.from({ length: 5 }, () => client('good'));
    newcomer.release();
    const answers = await Promise.all([first, ...waiting].map(({ answer }) => answer));
    expect(answers.filter((answer) => answer.includes('"projectVersions":[]'))).toHaveLength(6);
    strangers.release();
    await Promise.all(others.map(({ answer }) => answer));
  });

  it('gives its place back as soon as the service accepts the token', async () => {
    const { service, client } = await openScene();
    const changed = held(json(200, { result: false, success: true }));
    service.on(VERSIONS, found);
    service.on(UPDATE, updated);
    service.on('PUT /v2/Readers/groups/g', changed.behaviour);
    const group = 'groupId: "g", title: "t", description: null, readerIds: [], invitedSsoUserIds: []';
    const query = `mutation {
      bulkUpdateArticles(input: { articles: [{ articleId: "a", title: "b" }] }) { __typename }
      updateReaderGroup(input: { ${group}, accessScope: { level: NONE } }) { __typename }
    }`;
    const writers = Array.from({ length: 16 }, (_, index) =>
      client(`good ${index}`, { body: JSON.stringify({ query }) }),
    );
    await until(() => service.receivedOn(UPDATE).length === 16);
    expect(await client('made up').answer).toContain('"projectVersions":[]');
    changed.release();
    await Promise.all(writers.map(({ answer }) => answer));
  });

  it('is refused for the rest of the minute where the service has refused 100 tokens of its network', async () => {
    const scene = await openScene();
    const { service, client } = scene;
    await accept(scene, 'good');
    service.on(VERSIONS, forTokens('good', found, status(401)));
    const before = service.received.length;
    for (let tried = 0; tried < 100; tried += 1) await client(`made-up ${tried}`).answer;
    const refused = await client('another').answer;
    expect(refused).toMatch(/^HTTP\/1\.1 429 .*\r\nretry-after: \d+\r\n/isu);
    expect(service.received.length - before).toBe(100);
    expect(await client('good').answer).toContain('"projectVersions":[]');
    expect(await client('good new', { address: '127.0.0.2' }).answer).toContain('"projectVersions":[]');
  });

  it('of a client whose identity is not known yet holds no large body', async () => {
    const memory = new MemoryBudget({ largeInputs: 8 * MB, largeResponses: 2 * MB, small: 4 * MB });
    const identified = Promise.withResolvers<never>();
    const clients = { apiToken: 'good', identify: () => identified.promise };
    const { client } = await openScene({ memory, clients });
    client('', { body: ' '.repeat(4 * MB), sent: 2 * MB });
    await until(() => memory.total >= 64 * 1024);
    await sleep(50);
    expect(memory.total).toBeLessThan(MB / 2);
    identified.reject(new Error('The test is over.'));
  });
});
