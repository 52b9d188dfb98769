import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { createPostgresDatabase } from '../support/postgres-database.ts';
import { type RunningGateway, startGatewayProcess } from '../support/process.ts';
import { API_TOKEN, fillWithArticles, titlesIn } from './many-articles.ts';

/** On a busy machine too, each write ends before the gateway gives it up. */
const ENOUGH_TIME = { REQUEST_TIMEOUT_MS: '120000', SHUTDOWN_GRACE_MS: '120000' };

/** The number of clients that write concurrently, each to an article of its own. */
const CLIENTS = 200;

let cwd: string;
let gateway: RunningGateway;
let agent: Agent;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-shutdown-'));
  agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
});

afterEach(async () => {
  agent.destroy();
  await gateway.stop('SIGKILL');
  await rm(cwd, { recursive: true });
});

const RETITLE = `mutation($articleId: ID!, $title: String!) {
  bulkUpdateArticles(input: { articles: [{ articleId: $articleId, title: $title }] }) {
    ... on BulkUpdateArticlesPayload { results { __typename } }
  }
}`;

interface RequestFailure extends NodeJS.ErrnoException {
  /** True when the request was sent on a reused connection. */
  readonly hadConnection?: boolean;
}

/** The body of the response. Rejects if there is none. */
function retitle(articleId: string, title: string): Promise<string> {
  const body = JSON.stringify({ query: RETITLE, variables: { articleId, title } });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    api_token: API_TOKEN,
  };
  return new Promise((resolve, reject) => {
    const sent = request(gateway.url, { method: 'POST', agent, headers }, (response) => {
      text(response).then(resolve, reject);
    });
    sent.on('error', (error) => reject(Object.assign(error, { hadConnection: sent.reusedSocket }))).end(body);
  });
}

interface Written {
  /** The last title that was confirmed. */
  title: string;
  /** Responses other than a successful update, and errors of requests without a response. */
  readonly others: string[];
}

interface Events {
  readonly onResponse: () => void;
  /** Called when the port is closed. */
  readonly onRefused: () => void;
}

/** Writes repeatedly until the gateway refuses connections. */
async function writeUntilRefused(articleId: string, { onResponse, onRefused }: Events): Promise<Written> {
  const written: Written = { title: 'Title', others: [] };
  for (let n = 1; ; n++) {
    const title = `${articleId} ${n}`;
    const response = await retitle(articleId, title).catch((error: RequestFailure) => error);
    if (response instanceof Error) {
      if (response.code === 'ECONNREFUSED') onRefused();
      // The gateway must not close a connection without `Connection: close` in the last response.
      if (response.hadConnection) written.others.push(response.message);
      return written;
    }
    if (response.includes('"ArticleUpdated"')) written.title = title;
    else written.others.push(response);
    onResponse();
  }
}

/**
 * Sends a request and, with it, the next one without its last line, so that the connection is in use once the first has
 * its response. The function sends the line, and returns the second response.
 */
async function openProbe(): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const head = 'GET /health/ready HTTP/1.1\r\nHost: a\r\n';
  socket.write(`${head}\r\n${head}`);
  await once(socket, 'data');
  return () => {
    socket.write('\r\n');
    return text(socket);
  };
}

/** An empty database of the engine of this test run. */
async function emptyDatabase(): Promise<string> {
  const postgresUrl = inject('postgresUrl');
  if (postgresUrl === undefined) return `sqlite:${join(cwd, 'kb.db')}`;
  const database = await createPostgresDatabase(postgresUrl);
  onTestFinished(database.drop);
  return database.url;
}

describe('SIGTERM during 200 concurrent mutations', () => {
  it('confirms each write or does not apply it', async () => {
    const databaseUrl = await emptyDatabase();
    await fillWithArticles(databaseUrl, CLIENTS);
    const settings = { API_TOKEN, DATABASE_URL: databaseUrl, ...ENOUGH_TIME };
    gateway = await startGatewayProcess({ cwd, settings });
    const inProgress = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    let responses = 0;
    const events = {
      onResponse: () => ++responses === 5 * CLIENTS && inProgress.resolve(),
      onRefused: refused.resolve,
    };
    const clients = Array.from({ length: CLIENTS }, (_, n) => writeUntilRefused(`article-${n}`, events));
    await inProgress.promise;
    const probe = await openProbe();
    const ended = gateway.stop();
    await refused.promise;
    expect(await probe()).toMatch(/^HTTP\/1\.1 503 .*The gateway is stopping/su);
    const { code, log } = await ended;
    const written = await Promise.all(clients);
    expect(code).toBe(0);
    expect(log).not.toMatch(/"level":"(?:warn|error)"/u);
    expect(written.flatMap(({ others }) => others)).toEqual([]);
    expect(await titlesIn(databaseUrl)).toEqual(new Map(written.map(({ title }, n) => [`article-${n}`, title])));
  });
});
