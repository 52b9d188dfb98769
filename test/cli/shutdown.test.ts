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

/** So many clients write at the same time, each to an article of its own. */
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

interface Unanswered extends NodeJS.ErrnoException {
  /** Whether it was sent on a connection that had carried others. */
  readonly hadConnection?: boolean;
}

/** The whole answer; rejects where none came. */
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
  /** The last title that was acknowledged. */
  title: string;
  /** Answers that were anything but an update, and what took their place where none came. */
  readonly others: string[];
}

interface Events {
  readonly onAnswer: () => void;
  /** Nobody listens any more. */
  readonly onRefused: () => void;
}

/** Writes again and again until the gateway takes no more. */
async function writeUntilRefused(articleId: string, { onAnswer, onRefused }: Events): Promise<Written> {
  const written: Written = { title: 'Title', others: [] };
  for (let n = 1; ; n++) {
    const title = `${articleId} ${n}`;
    const answer = await retitle(articleId, title).catch((error: Unanswered) => error);
    if (answer instanceof Error) {
      if (answer.code === 'ECONNREFUSED') onRefused();
      // Nobody had told the client to leave it.
      if (answer.hadConnection) written.others.push(answer.message);
      return written;
    }
    if (answer.includes('"ArticleUpdated"')) written.title = title;
    else written.others.push(answer);
    onAnswer();
  }
}

/** A request for the readiness that lacks its last line, so that its connection is in use; the function sends it. */
function openProbe(): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.write('GET /health/ready HTTP/1.1\r\nHost: a\r\n', () => {
      resolve(() => {
        socket.write('\r\n');
        return text(socket);
      });
    });
  });
}

/** An empty database of the engine that this run is over. */
async function emptyDatabase(): Promise<string> {
  const postgresUrl = inject('postgresUrl');
  if (postgresUrl === undefined) return `sqlite:${join(cwd, 'kb.db')}`;
  const database = await createPostgresDatabase(postgresUrl);
  onTestFinished(database.drop);
  return database.url;
}

describe('SIGTERM during 200 concurrent mutations', () => {
  it.each(['1', '2'])('answers each write or leaves it undone, with WORKERS=%s', async (workers) => {
    const databaseUrl = await emptyDatabase();
    await fillWithArticles(databaseUrl, CLIENTS);
    gateway = await startGatewayProcess({ cwd, settings: { API_TOKEN, DATABASE_URL: databaseUrl, WORKERS: workers } });
    const probe = await openProbe();
    const underWay = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    let answers = 0;
    const events = {
      onAnswer: () => ++answers === 5 * CLIENTS && underWay.resolve(),
      onRefused: refused.resolve,
    };
    const clients = Array.from({ length: CLIENTS }, (_, n) => writeUntilRefused(`article-${n}`, events));
    await underWay.promise;
    const ended = gateway.stop();
    await refused.promise;
    expect(await probe()).toMatch(/^HTTP\/1\.1 503 .*The gateway is stopping/su);
    const { code, stderr } = await ended;
    const written = await Promise.all(clients);
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/"level":"(?:warn|error)"/u);
    expect(written.flatMap(({ others }) => others)).toEqual([]);
    expect(await titlesIn(databaseUrl)).toEqual(new Map(written.map(({ title }, n) => [`article-${n}`, title])));
  });
});
