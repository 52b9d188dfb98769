import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import { decodeBulkUpdate, encodeOutcomes } from '../../../src/service/v2/bulk-updates.ts';
import { decodePublishing } from '../../../src/service/v2/publications.ts';
import { envelope, type Received } from '../faulty-service.ts';
import { type Limit, type Limited, limitedTo } from '../limited-service.ts';
import { portOf } from '../ports.ts';
import { createServiceArticles, PROJECT_VERSIONS, type ServiceArticles } from './service-articles.ts';

/**
 * How a bulk update ends. The service applies it before `cut-after`, `hang-after` and `error-after`, leaves one of the
 * asked values out before `cut-partly`, and applies nothing before `cut-before` and `hang-before`, nor where it refuses
 * the call for its rate limit.
 */
export type Fate =
  | 'answer'
  | 'cut-before'
  | 'cut-after'
  | 'cut-partly'
  | 'hang-before'
  | 'hang-after'
  | 'error-after'
  | 'refuse';

/** An item of a bulk update that the service has read. The title of an item names it. */
export interface RecordedItem {
  readonly title: string;
  /** The number of its PUT, from 1. */
  readonly put: number;
  readonly fate: Fate;
  readonly effect: 'whole' | 'part' | 'none';
  /** True once the answer that has its outcome was handed to the connection. */
  wasAnswered: boolean;
}

export interface RecordingServiceOptions {
  readonly articles: number;
  /** The rate limit; none without it. */
  readonly limit?: Limit;
  /** Milliseconds until a bulk update that was applied is answered. */
  readonly latencyMs?: () => number;
  readonly fateOf?: (put: number, updates: readonly ArticleUpdate[]) => Fate;
}

/** A service on a real port that keeps a ledger of every item that it got. */
export interface RecordingService {
  readonly url: string;
  readonly articles: ServiceArticles;
  /** Each time that an item was read, refused PUTs left out, by title. */
  readonly ledger: ReadonlyMap<string, readonly RecordedItem[]>;
  /** How often a version was to be published, by `publicationKeyOf`. */
  readonly publications: ReadonlyMap<string, number>;
  /** The PUTs that were read whole. */
  readonly puts: () => number;
  /** The writes that have not ended, those whose body has not arrived included. */
  readonly inFlight: () => number;
  readonly reads: () => number;
  /** The calls that got a 429 for the rate limit. */
  readonly refused: () => number;
  /** The calls that a token has left. */
  readonly remaining: (token: string) => number;
  /** Requests that a gateway should not send, and errors of the service itself. */
  readonly surprises: readonly string[];
  /** Resolves at the next PUT, once its body has been read and before it is answered, or when the time is up. */
  nextPut(withinMs: number): Promise<void>;
  /** The same for the next call that publishes. */
  nextPublication(withinMs: number): Promise<void>;
  /** Resolves at the next read, or when the time is up. */
  nextRead(withinMs: number): Promise<void>;
  setFates(fateOf: (put: number, updates: readonly ArticleUpdate[]) => Fate): void;
  close(): Promise<void>;
}

const BULK_UPDATE = '/v2/Articles/bulkupdate';
const BULK_PUBLISH = '/v2/Articles/bulkpublish/en';

export const publicationKeyOf = (articleId: string, versionNumber: number): string => `${articleId}, v${versionNumber}`;

/** The service has no limit that a test without one could reach. */
const NO_LIMIT: Limit = { calls: 1_000_000, windowMs: 60_000 };

interface State {
  readonly articles: ServiceArticles;
  readonly ledger: Map<string, RecordedItem[]>;
  readonly publications: Map<string, number>;
  readonly latencyMs: () => number;
  readonly surprises: string[];
  readonly listeners: Readonly<Record<'put' | 'publication' | 'read', Set<() => void>>>;
  fateOf: (put: number, updates: readonly ArticleUpdate[]) => Fate;
  puts: number;
  inFlight: number;
  reads: number;
}

export async function openRecordingService(options: RecordingServiceOptions): Promise<RecordingService> {
  const state: State = {
    articles: createServiceArticles(options.articles),
    ledger: new Map(),
    publications: new Map(),
    latencyMs: options.latencyMs ?? (() => 0),
    surprises: [],
    listeners: { put: new Set(), publication: new Set(), read: new Set() },
    fateOf: options.fateOf ?? (() => 'answer'),
    puts: 0,
    inFlight: 0,
    reads: 0,
  };
  const limited = limitedTo(options.limit ?? NO_LIMIT, (response, request) => respond(state, response, request));
  const server = createServer((message, response) => void handle(state, limited, { message, response }));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    articles: state.articles,
    ledger: state.ledger,
    publications: state.publications,
    puts: () => state.puts,
    inFlight: () => state.inFlight,
    reads: () => state.reads,
    refused: limited.refused,
    remaining: limited.remaining,
    surprises: state.surprises,
    nextPut: (withinMs) => next(state.listeners.put, withinMs),
    nextPublication: (withinMs) => next(state.listeners.publication, withinMs),
    nextRead: (withinMs) => next(state.listeners.read, withinMs),
    setFates: (fateOf) => {
      state.fateOf = fateOf;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

async function handle(state: State, limited: Limited, { message, response }: Exchange): Promise<void> {
  const { method = '', url = '', headers } = message;
  if (method !== 'GET') {
    state.inFlight += 1;
    response.once('close', () => {
      state.inFlight -= 1;
    });
  }
  const text = await textOf(message);
  // The client has ended in the middle of its request.
  if (text === null) return;
  try {
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    await limited.behaviour(response, { method, url, headers, headerNames: [], body });
  } catch (error) {
    state.surprises.push(`${method} ${url}: ${error}`);
    response.destroy();
  }
}

async function textOf(message: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of message) chunks.push(chunk);
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString();
}

async function respond(state: State, response: ServerResponse, request: Received): Promise<void> {
  const { pathname, searchParams } = new URL(request.url, 'http://service');
  if (request.method === 'PUT' && pathname === BULK_UPDATE) return update(state, response, request.body);
  if (request.method === 'POST' && pathname === BULK_PUBLISH) return publish(state, response, request.body);
  const data = request.method === 'GET' ? read(state.articles, pathname, searchParams) : undefined;
  if (data === undefined) state.surprises.push(`${request.method} ${request.url}`);
  else state.reads += 1;
  emit(state.listeners.read);
  if (data === undefined) response.writeHead(404).end();
  else if (data === null) send(response, 400, envelope(null, { success: false, errors: [NOT_FOUND] }));
  else send(response, 200, envelope(data));
}

const NOT_FOUND = { description: 'The article Id does not exist.', error_code: '400' };

/** Undefined for a path that the service does not have, null for a thing that it does not have. */
function read(articles: ServiceArticles, pathname: string, query: URLSearchParams): unknown {
  const [, version, resource, id, part] = pathname.split('/').map(decodeURIComponent);
  if (version !== 'v2') return undefined;
  if (resource === 'Articles' && id) return articles.readArticle(id);
  if (resource !== 'ProjectVersions') return undefined;
  if (id === undefined) return PROJECT_VERSIONS;
  if (part === 'categories') return articles.readTree();
  if (part !== 'articles') return undefined;
  const limit = Number(query.get('hitsPerPage')) || 1_000;
  return articles.readList({ first: Number(query.get('page') ?? 0) * limit, limit });
}

/** The headers of a 429: see docs/service.md, "Rate limits". */
const REFUSED = { 'x-ratelimit-remaining': '0', 'x-ratelimit-limit': '60', 'x-ratelimit-reset': '1' };

const EFFECTS = {
  answer: 'whole',
  'cut-before': 'none',
  'cut-after': 'whole',
  'cut-partly': 'part',
  'hang-before': 'none',
  'hang-after': 'whole',
  'error-after': 'whole',
  refuse: 'none',
} as const satisfies Record<Fate, RecordedItem['effect']>;

async function update(state: State, response: ServerResponse, body: unknown): Promise<void> {
  const updates = decodeBulkUpdate(body);
  if (!updates.ok) throw new Error(`The service can't read the items: ${JSON.stringify(updates.error)}`);
  const fate = state.fateOf(state.puts + 1, updates.value);
  if (fate === 'refuse') return void response.writeHead(429, REFUSED).end();
  state.puts += 1;
  const items = updates.value.map((item) => record(state, fate, item));
  emit(state.listeners.put);
  await sleep(state.latencyMs());
  if (fate === 'hang-before' || fate === 'hang-after') return;
  if (fate === 'error-after') return void response.writeHead(502).end('<html>');
  if (fate !== 'answer') return void response.socket?.resetAndDestroy();
  if (response.destroyed) return;
  const outcomes = updates.value.map(({ articleId }, index) => {
    const isApplied = items[index]?.effect === 'whole';
    const details = isApplied ? null : 'The article does not exist.';
    return { kind: isApplied ? ('updated' as const) : ('failed' as const), articleId, details };
  });
  for (const item of items) item.wasAnswered = true;
  send(response, 200, envelope(encodeOutcomes(outcomes)));
}

async function publish(state: State, response: ServerResponse, body: unknown): Promise<void> {
  const sent = decodePublishing(body, 'en');
  if (!sent.ok) throw new Error(`The service can't read what is published: ${JSON.stringify(sent.error)}`);
  const outcomes = sent.value.items.map(({ articleId, versionNumber }) => {
    const key = publicationKeyOf(articleId, versionNumber ?? 0);
    state.publications.set(key, (state.publications.get(key) ?? 0) + 1);
    const isDone = state.articles.publish(articleId, versionNumber ?? 0);
    return { kind: isDone ? ('updated' as const) : ('failed' as const), articleId, details: null };
  });
  emit(state.listeners.publication);
  await sleep(state.latencyMs());
  if (!response.destroyed) send(response, 200, envelope(encodeOutcomes(outcomes)));
}

function record({ articles, ledger, puts }: State, fate: Fate, update: ArticleUpdate): RecordedItem {
  const title = update.title ?? '';
  const effect = EFFECTS[fate];
  const isApplied = effect !== 'none' && articles.apply(update, effect === 'part' ? leftOutOf(update) : []);
  // A member that was left out may have been there before.
  const applied = articles.isAs(update) ? 'whole' : 'part';
  const item: RecordedItem = { title, put: puts, fate, effect: isApplied ? applied : 'none', wasAnswered: false };
  const earlier = ledger.get(title);
  if (earlier) earlier.push(item);
  else ledger.set(title, [item]);
  return item;
}

/** The title stays, since it tells the items of a ledger apart. */
const leftOutOf = ({ hidden, order }: ArticleUpdate) => {
  if (order !== undefined) return ['order'] as const;
  return hidden === undefined ? (['content'] as const) : (['hidden'] as const);
};

function send(response: ServerResponse, httpStatus: number, body: unknown): void {
  response.writeHead(httpStatus, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function next(listeners: Set<() => void>, withinMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  listeners.add(resolve);
  const timer = setTimeout(resolve, withinMs);
  await promise;
  clearTimeout(timer);
}

function emit(listeners: Set<() => void>): void {
  const waiting = [...listeners];
  listeners.clear();
  for (const resolve of waiting) resolve();
}
