import { once } from 'node:events';
import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  request as sendRequest,
} from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { MAX_DISCARDED_BYTES } from '../../core/base/limits.ts';

/** Headers of one connection, and those of the body's length, since the body is always sent in chunks. */
const CONNECTION_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Headers of a response that belong to its connection. The server that sends the response on sets the date. */
const HOP_HEADERS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** The facts of a request that are missing in the Fetch API's Request. */
export interface FetchContext {
  /** The remote IP address, by which callers without a token are counted. */
  readonly clientAddress?: string | undefined;
}

/**
 * Lets a server of node:http, which need not listen, answer a request of the Fetch API. Both speak HTTP through memory,
 * so that the same bounds apply as on a socket, and the server notices when the client disconnects.
 */
export async function fetchFrom(server: Server, request: Request, context: FetchContext = {}): Promise<Response> {
  if (request.signal.aborted) cancelQuietly(request.body, request.signal);
  request.signal.throwIfAborted();
  const socket = connectTo(server, {
    remoteAddress: context.clientAddress,
    encrypted: request.url.startsWith('https:'),
  });
  const abort = () => socket.destroy();
  request.signal.addEventListener('abort', abort, { once: true });
  socket.once('close', () => request.signal.removeEventListener('abort', abort));
  try {
    const incoming = await exchange(request, socket);
    incoming.once('close', () => socket.destroy());
    return responseOf(incoming, request.method);
  } catch (error) {
    socket.destroy();
    request.signal.throwIfAborted();
    throw error;
  }
}

/** Cancels the source of a body that is not read any more. Its own failure, and a body that was read, are ignored. */
function cancelQuietly(source: Pick<ReadableStream, 'cancel'> | null, { reason }: AbortSignal): void {
  source?.cancel(reason).catch(() => {});
}

/** Connects both sides through memory. When either side ends, so does the other, after what the server has sent. */
function connectTo(
  server: Server,
  socketFacts: { readonly remoteAddress: string | undefined; readonly encrypted: boolean },
): Duplex {
  const [client, accepted] = duplexPair();
  client.once('close', () => accepted.destroy());
  client.once('end', () => client.destroy());
  accepted.once('close', () => client.push(null));
  // A closed connection is no error by itself: the request that it carries fails.
  accepted.on('error', () => {});
  server.emit('connection', Object.assign(accepted, socketFacts));
  return client;
}

function exchange(request: Request, socket: Duplex): Promise<IncomingMessage> {
  const { pathname, search, host } = new URL(request.url);
  const headers: OutgoingHttpHeaders = Object.fromEntries(request.headers);
  for (const name of CONNECTION_HEADERS) delete headers[name];
  // By default, node:http would send the body of a DELETE without a length, so that it looks like a second request.
  if (request.body !== null) headers['transfer-encoding'] = 'chunked';
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = sendRequest({
    createConnection: () => socket,
    method: request.method,
    path: `${pathname}${search}`,
    headers: { ...headers, host, connection: 'close' },
  });
  outgoing.once('response', resolve);
  outgoing.on('error', reject);
  // The headers are sent at once, since the server may answer before the body begins.
  outgoing.flushHeaders();
  if (request.body === null) outgoing.end();
  else sendBody(request.body, outgoing, request.signal).catch(reject);
  return promise;
}

/**
 * Sends a body in chunks. The server may answer before it has read all of it, and close the connection. The rest is
 * discarded, since many clients read no answer before they have sent everything.
 */
async function sendBody(body: ReadableStream<Uint8Array>, outgoing: ClientRequest, signal: AbortSignal): Promise<void> {
  const reader = body.getReader();
  outgoing.once('close', () => {
    if (signal.aborted) cancelQuietly(reader, signal);
  });
  let discarded = 0;
  while (!signal.aborted && discarded <= MAX_DISCARDED_BYTES) {
    const { done, value } = await reader.read();
    // A cancelled body must not look like a complete one.
    if (done && !signal.aborted) outgoing.end();
    if (done) return;
    if (outgoing.destroyed) discarded += value.length;
    else if (!outgoing.write(value)) await waitForDrain(outgoing);
  }
  await reader.cancel(signal.reason);
}

/** Also resolves at the end of the connection. */
async function waitForDrain(outgoing: ClientRequest): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(outgoing, 'drain', { signal }), once(outgoing, 'close', { signal })]).finally(() =>
    settled.abort(),
  );
}

function responseOf(incoming: IncomingMessage, method: string): Response {
  const { statusCode: status = 500, rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!HOP_HEADERS.has(name.toLowerCase())) headers.append(name, value);
  }
  if (method !== 'HEAD' && !BODILESS.has(status)) return new Response(bodyOf(incoming), { status, headers });
  incoming.resume();
  return new Response(null, { status, headers });
}

/** Converts the response to a body that is read on demand. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => {
      incoming.destroy();
    },
  });
}
