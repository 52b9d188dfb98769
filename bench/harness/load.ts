import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { findProblem, requestBytes } from '../workloads.ts';
import { type Message, MessageReader } from './message-reader.ts';
import { handleMethod, type LoadJob, type LoadResult } from './rpc.ts';
import { percentile } from './statistics.ts';

// The load generator: closed loop, keep-alive, one request in flight on each connection. Every connection updates
// or reads articles (or a group) of its own, as separate clients do. Bodies are built before the clock starts.

/** A response that takes longer than this fails the run, in milliseconds. */
const RESPONSE_TIMEOUT_MS = 60_000;

interface Tally {
  readonly latencies: number[];
  failure: string | null;
}

async function performLoad(job: LoadJob): Promise<LoadResult> {
  const numbers = Array.from({ length: job.connections }, (_, number) => number);
  const clients = await Promise.all(numbers.map((number) => openClient(job.port, requestBytes(job, number))));
  const tally: Tally = { latencies: [], failure: null };
  const begun = performance.now();
  const until = begun + job.milliseconds;
  await Promise.all(clients.map((client, connection) => runClient(client, { job, connection, tally, until })));
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
  readonly job: LoadJob;
  readonly connection: number;
  readonly tally: Tally;
  readonly until: number;
}

async function runClient(client: Client, { job, connection, tally, until }: ClientRun): Promise<void> {
  for (let sent = 0; sent < job.requestsPerConnection && performance.now() < until; sent += 1) {
    const begun = performance.now();
    const response = await client.sendRequest();
    tally.latencies.push(performance.now() - begun);
    // The first response of each connection is checked as a whole, the others by their status.
    tally.failure ??= findProblem(response, { job, connection, whole: sent === 0 });
    if (tally.failure !== null) return;
    if (job.pauseMs > 0) await delay(job.pauseMs);
  }
}

interface Client {
  /** Sends the request again and resolves with its response. */
  sendRequest(): Promise<Message>;
  close(): void;
}

async function openClient(port: number, request: Buffer): Promise<Client> {
  const socket = await openSocket(port);
  const reader = new MessageReader();
  let pending: PromiseWithResolvers<Message> | null = null;
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
      socket.write(request);
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

handleMethod('load', (job) =>
  performLoad(job).catch((error: unknown) => ({
    requests: 0,
    seconds: 0,
    p50: 0,
    p99: 0,
    max: 0,
    failure: String(error),
  })),
);
