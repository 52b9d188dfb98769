import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Got, Request } from 'got';
import type { Fence } from '../../../base/fence.ts';
import type { OutboundRoute } from '../../../base/outbound-route.ts';
import { err, ok } from '../../../base/result.ts';
import { NotBegun } from '../../../base/semaphore.ts';
import { decompressBody, IncomingBody, parseResponseBody, type ResponseMemory } from './response-body.ts';
import {
  type CallFailure,
  CONNECT_TIMED_OUT,
  FENCED_OFF,
  notConnected,
  PROXY_UNAUTHENTICATED,
  RESPONSE_TOO_LARGE,
  type RequestResult,
  TIMED_OUT,
} from './service-call.ts';

/** How far a request has come. */
interface ConnectionProgress {
  readonly wasConnected: boolean;
  /** True where an earlier call had used its connection. */
  readonly wasReused: boolean;
}

interface ConnectionOptions {
  /** That of the first host on the way. A tunnel has its socket after all handshakes. */
  readonly protocol: string;
  readonly timeoutMs: number;
  /** Called once the connection is ready for the first byte. */
  readonly onConnected: () => void;
}

function trackConnection(stream: Request, { protocol, timeoutMs, onConnected }: ConnectionOptions): ConnectionProgress {
  const connectedEvent = protocol === 'https:' ? 'secureConnect' : 'connect';
  const progress = { wasConnected: false, wasReused: false };
  const onSocket = ({ reusedSocket }: ClientRequest, socket: Socket) => {
    // A tunnel through a proxy is passed on once its handshake is done.
    progress.wasConnected = !socket.connecting;
    progress.wasReused = reusedSocket;
    if (progress.wasConnected) return onConnected();
    socket.once(connectedEvent, () => {
      progress.wasConnected = true;
      onConnected();
    });
  };
  stream.once('request', (request) => {
    if (request.socket) return onSocket(request, request.socket);
    // A request that has no socket yet does not end when got destroys it.
    const timer = setTimeout(() => stream.destroy(new NoSocketError()), timeoutMs);
    stream.once('close', () => clearTimeout(timer));
    request.once('socket', (socket: Socket) => {
      clearTimeout(timer);
      onSocket(request, socket);
    });
  });
  return progress;
}

/** No tunnel through the proxy came about in the time of the call. */
class NoSocketError extends Error {
  readonly code = 'ETIMEDOUT';
}

/** The client, and the way that its requests take. */
export interface RoutedHttp {
  readonly http: Got;
  readonly route: OutboundRoute;
}

/** A request as got takes it. */
export interface HttpRequest {
  readonly url: string;
  readonly options: {
    readonly method: 'GET' | 'PUT';
    readonly headers: Readonly<Record<string, string>>;
    readonly timeout: { readonly request: number };
  };
  /** Its length stands in the headers. */
  readonly body?: Uint8Array | undefined;
  /** Asked once the connection is there, right before the first byte is written. Only a request with a body has one. */
  readonly fence?: Fence | undefined;
}

export type SendHttp = (request: HttpRequest) => Promise<RequestResult>;

/** Sends one request. */
export async function sendRequest(
  { http, route }: RoutedHttp,
  { url, options, body: payload, fence }: HttpRequest,
  memory: ResponseMemory,
): Promise<RequestResult> {
  // As a stream: got's promise of the same takes a sixth more time. See docs/decisions/0023-garbage.md, "Consequences".
  const stream = http.stream(url, options);
  const progress = trackConnection(stream, {
    protocol: route.connection.protocol,
    timeoutMs: options.timeout.request,
    // Written into the stream, not given as an option: got copies a body among the options, and writes it some ticks
    // after the fence was asked.
    onConnected: () => {
      if (payload === undefined) return;
      if (fence?.isLate()) stream.destroy(new FencedOffError());
      else stream.end(payload);
    },
  });
  const incoming = new IncomingBody(memory);
  try {
    const outcome = await receiveBody(stream, incoming);
    if (route.isForwarded && stream.response?.statusCode === 407) return err(PROXY_UNAUTHENTICATED);
    if (outcome instanceof Error) return err(callFailureOf(outcome, stream.response === undefined, progress));
    if (outcome === 'too-large') return err(RESPONSE_TOO_LARGE);
    const { statusCode: httpStatus = 0, headers = {} } = stream.response ?? {};
    const parse = async () => {
      const json = await decompressBody(incoming.bytes(), headers['content-encoding']);
      const body = json === null ? undefined : await parseResponseBody(json, memory.ticks);
      return ok({ httpStatus, headers, body });
    };
    const deadline = performance.now() + options.timeout.request;
    const result = await memory.parsing.run({ key: '', deadline }, parse);
    return result instanceof NotBegun ? err(RESPONSE_TOO_LARGE) : result;
  } finally {
    incoming.release();
  }
}

function receiveBody(stream: Request, incoming: IncomingBody): Promise<'complete' | 'too-large' | Error> {
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      if (incoming.tryAdd(chunk)) return;
      resolve('too-large');
      stream.destroy();
    });
    stream.once('end', () => resolve('complete'));
    // The listener stays, since an error may follow the first. An error of writing does not destroy the stream.
    stream.on('error', (error) => {
      resolve(error);
      stream.destroy();
    });
  });
}

class FencedOffError extends Error {
  readonly code = 'ERR_FENCED_OFF';
}

const REASONS_BY_CODE: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused.'],
  ['ENOTFOUND', 'the name of its host was not found.'],
  ['EAI_AGAIN', 'the name of its host could not be looked up.'],
  ['EHOSTUNREACH', 'there is no way to its host.'],
  ['ENETUNREACH', 'there is no way to its network.'],
  ['ECONNRESET', 'the connection was cut.'],
  ['EPIPE', 'the connection was cut.'],
  ['ERR_TUNNEL', 'the proxy made no connection to it.'],
  ['ERR_HTTP_CONTENT_LENGTH_MISMATCH', 'the connection was cut.'],
]);

const CONNECTION_CUT_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Only the lack of a connection proves that a request never arrived; over TLS, of one whose handshake was done. The
 * code of the error proves nothing, since the same codes occur before and after.
 */
function callFailureOf(error: Error, hasNoResponse: boolean, progress: ConnectionProgress): CallFailure {
  const code = 'code' in error ? `${error.code}` : '';
  if (code === 'ETIMEDOUT') return progress.wasConnected ? TIMED_OUT : CONNECT_TIMED_OUT;
  if (code === 'ERR_FENCED_OFF') return FENCED_OFF;
  if (code === 'ERR_PROXY_AUTHENTICATION') return PROXY_UNAUTHENTICATED;
  const reason = REASONS_BY_CODE.get(code);
  if (!progress.wasConnected) return notConnected(reason ?? 'the connection could not be set up.');
  const isStale = progress.wasReused && CONNECTION_CUT_CODES.has(code) && hasNoResponse;
  return { kind: isStale ? 'stale' : 'unknown', reason: reason ?? 'the answer of the service could not be read.' };
}
