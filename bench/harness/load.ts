import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { findProblem, requestBytes } from '../workloads.ts';
import { type Message, MessageReader } from './message-reader.ts';
import { type ExchangeJob, handleMethod, type LoadJob, type LoadResult, type Marks } from './rpc.ts';
import { percentile } from './statistics.ts';

// The load generator: closed loop, keep-alive, one request in flight on each connection. Every connection updates
// or reads articles (or a group) of its own, as separate clients do. Bodies are built before the clock starts.

/** A response that takes longer than this fails the run, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 60_000;

interface Tally {
  readonly latencies: number[];
  failure: string | null;
}

interface Load extends Pick<LoadJob, 'port' | 'milliseconds' | 'pauseMs' | 'requestsPerConnection'> {
  /** The requests that each connection sends in turn. */
  readonly connections: readonly (readonly Buffer[])[];
  /** Null when the response is correct. The first response of each connection is checked as a whole. */
  readonly findProblem: (response: Message, place: { connection: number; isFirst: boolean }) => string | null;
}

const loadOf = (job: LoadJob): Load => ({
  ...job,
  connections: Array.from({ length: job.connections }, (_, number) => [requestBytes(job, number)]),
  findProblem: (response, { connection, isFirst }) => findProblem(response, { job, connection, whole: isFirst }),
});

const loadOfExchange = ({ connections, marks, ...job }: ExchangeJob): Load => ({
  ...job,
  pauseMs: 0,
  requestsPerConnection: Number.POSITIVE_INFINITY,
  connections: connections.map((requests) => requests.map((request) => Buffer.from(request))),
  findProblem: (response, { isFirst }) => findMissingMark(response, isFirst ? marks : {}),
});

/** Null when the response is a success and has the marks. */
function findMissingMark({ startLine, body }: Message, marks: Marks): string | null {
  const text = body.toString();
  const missing = Object.entries(marks).find(([mark, times]) => text.split(mark).length - 1 !== times);
  if (startLine.startsWith('HTTP/1.1 200 ') && missing === undefined) return null;
  return `expected ${missing?.[1]} × ${missing?.[0]}: ${startLine} ${text.slice(0, 300)}`;
}

async function performLoad(load: Load): Promise<LoadResult> {
  const clients = await Promise.all(load.connections.map((requests) => openClient(load.port, requests)));
  const tally: Tally = { latencies: [], failure: null };
  const begun = performance.now();
  const until = begun + load.milliseconds;
  await Promise.all(clients.map((client, connection) => runClient(client, { load, connection, tally, until })));
  const seconds = (performance.now() - begun) / 1000;
  for (const client of clients) client.close();
  const sorted = Float64Array.from(tally.latencies).sort();
  return {
    requests: sorted.length,
    seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    max: percentile(sorted, 1),
    failure: tally.failure,
  };
}

interface ClientRun {
  readonly load: Load;
  readonly connection: number;
  readonly tally: Tally;
  readonly until: number;
}

async function runClient(client: Client, { load, connection, tally, until }: ClientRun): Promise<void> {
  for (let sent = 0; sent < load.requestsPerConnection && performance.now() < until; sent += 1) {
    const begun = performance.now();
    const response = await client.sendRequest();
    tally.latencies.push(performance.now() - begun);
    tally.failure ??= load.findProblem(response, { connection, isFirst: sent === 0 });
    if (tally.failure !== null) return;
    if (load.pauseMs > 0) await delay(load.pauseMs);
  }
}

interface Client {
  /** Sends the next request and resolves with its response. */
  sendRequest(): Promise<Message>;
  close(): void;
}

async function openClient(port: number, requests: readonly Buffer[]): Promise<Client> {
  const socket = await openSocket(port);
  const reader = new MessageReader();
  let pending: PromiseWithResolvers<Message> | null = null;
  let turn = 0;
  const fail = () => pending?.reject(new Error('The gateway closed a connection, or took too long.'));
  socket.setTimeout(RESPONSE_TIMEOUT_MS, fail);
  socket.on('error', fail);
  socket.on('close', fail);
  socket.on('data', (chunk: Buffer) => {
    const message = reader.push(chunk);
    if (message) pending?.resolve(message);
  });
  return {
    sendRequest: () => {
      pending = Promise.withResolvers();
      socket.write(requests[turn % requests.length] ?? '');
      turn += 1;
      return pending.promise;
    },
    close: () => socket.destroy(),
  };
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

const performSafely = (load: Load): Promise<LoadResult> =>
  performLoad(load).catch((error: unknown) => ({
    requests: 0,
    seconds: 0,
    p50: 0,
    p99: 0,
    max: 0,
    failure: String(error),
  }));

handleMethod('load', (job) => performSafely(loadOf(job)));
handleMethod('exchange', (job) => performSafely(loadOfExchange(job)));
