import { Agent, type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import got, { type NativeRequestOptions } from 'got';
import type { Log } from '../../../domain/log.ts';
import { err } from '../../../domain/result.ts';
import { createReading, exchange, type HttpRequest, type Sent } from '../exchange.ts';
import { Gate } from '../rate-limit/semaphore.ts';
import type { TokenState } from '../tokens/token-states.ts';
import { createBreaker, Source, type Verdict } from './circuit-breaker.ts';
import { CROWDED, OUT_OF_TIME, REFUSED, TIMED_OUT, TOO_LARGE } from './request.ts';

/** One request to the service. */
export interface Call {
  readonly method: 'GET' | 'PUT';
  /** The segments below `/v2`, as they are meant; none may be `.` or `..`, which no escaping keeps from being resolved. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** Whether it could have held more, so that others gather while it waits. */
  readonly hasRoom?: boolean;
}

export interface SendOptions {
  readonly apiToken: string;
  /** The state of that token. */
  readonly token: TokenState;
  /** True where the caller is no stranger, also while the service has not accepted the token. */
  readonly isKnown: boolean;
  /**
   * `performance.now()`. No call is begun that might not be over by then. A read is cut off there; a write that has begun
   * has its whole time, since cutting it off would leave its outcome unknown.
   */
  readonly deadline: number;
}

/** Calls the service, each call once: whoever knows what may be repeated repeats it. */
export interface Client {
  send(call: Call, options: SendOptions): Promise<Sent>;
  /** `performance.now()` of the last of the failures that show the service to fail; null where nothing does. */
  failingSince(): number | null;
  close(): void;
}

export interface ClientOptions {
  readonly baseUrl: string;
  /** Milliseconds for one call, from its connection to the last byte of its answer. */
  readonly timeoutMs: number;
  readonly maxSockets: number;
  /** So many calls wait for a socket; one more fails at once, unsent. */
  readonly maxWaiting: number;
  readonly log: Log;
}

/** Shorter than servers keep an idle connection (Node: 5 s): one closed under a write leaves its outcome unknown. */
const IDLE_SOCKET_MS = 3_000;

/** What calls of one token may take up, so that those of another get through whatever the first ones meet. */
const shareOf = (all: number): number => Math.max(1, Math.floor(all * (15 / 16)));

export function openClient({ baseUrl, timeoutMs, maxSockets, maxWaiting, log }: ClientOptions): Client {
  const root = rootOf(baseUrl);
  const sockets = { keepAlive: true, maxSockets, maxFreeSockets: maxSockets, timeout: IDLE_SOCKET_MS };
  const agent = { http: new Agent(sockets), https: new TlsAgent(sockets) };
  const http = got.extend({
    agent,
    request: requestTo(root),
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    headers: { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'kb-gateway' },
  });
  const share = { slots: shareOf(maxSockets), waiting: shareOf(maxWaiting) };
  const gate = new Gate({ slots: maxSockets, waiting: maxWaiting, share });
  const strangers = new Source();
  const breaker = createBreaker(log, strangers);
  const reading = createReading(maxSockets);

  const sendNow = async (call: Call, { apiToken, token, deadline }: SendOptions, source: Source) => {
    const begin = performance.now();
    // Nothing is waited for after this look at the time.
    if (deadline - begin < token.times.leastFor(call.method)) return err(OUT_OF_TIME);
    const timeout = call.method === 'PUT' ? timeoutMs : Math.ceil(Math.min(timeoutMs, deadline - begin));
    const request = requestOf(call, { root, apiToken, timeout });
    const verdictOf = (sent: Sent) => verdict(sent, timeout < timeoutMs);
    const sent = await breaker.run(source, () => exchange(http, request, reading), verdictOf);
    if (sent?.ok || sent?.error.kind === 'unknown') token.times.note(performance.now() - begin);
    return sent ?? err(REFUSED);
  };

  return {
    async send(call, options) {
      const { apiToken, token, isKnown, deadline } = options;
      const source = isKnown || token.isAccepted ? token.source : strangers;
      if (breaker.isRefusing(source)) return err(REFUSED);
      const holder = { name: apiToken, isStranger: source === strangers };
      const entry = await gate.enter(deadline - token.times.leastFor(call.method) - performance.now(), holder);
      if (entry !== 'entered') return err(entry === 'full' ? CROWDED : OUT_OF_TIME);
      try {
        return await sendNow(call, options, source);
      } finally {
        gate.leave(holder);
      }
    },
    failingSince: breaker.failingSince,
    close() {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
}

/** What an answer, or the want of one, says of the service. A time-out says nothing where the caller had less time than is due. */
function verdict(sent: Sent, wasCutShort: boolean): Verdict {
  if (sent.ok) return sent.value.httpStatus >= 500 ? 'failed' : 'answered';
  const { kind, reason } = sent.error;
  if (sent.error === TOO_LARGE) return 'answered';
  if (kind === 'stale' || (wasCutShort && reason === TIMED_OUT)) return 'unclear';
  return kind === 'not-connected' ? 'unreachable' : 'failed';
}

/** The URL below which everything is, without a slash at its end. */
function rootOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/+$/u, '')}/v2`;
}

/**
 * What got asks of Node, without the options that are undefined: got names 34, and Node copies all that it is given three
 * times over.
 */
function requestTo(root: string) {
  const { protocol, hostname, port } = urlToHttpOptions(new URL(root));
  const request = protocol === 'https:' ? httpsRequest : httpRequest;
  return ({ pathname, search }: URL, { method, headers, agent }: NativeRequestOptions): ClientRequest =>
    request({ protocol, hostname, port, path: `${pathname}${search}`, method, headers, agent });
}

interface RequestContext {
  readonly root: string;
  readonly apiToken: string;
  readonly timeout: number;
}

function requestOf({ method, path, query, body }: Call, { root, apiToken, timeout }: RequestContext): HttpRequest {
  const url = `${root}/${path.map(encodeURIComponent).join('/')}${searchOf(query)}`;
  const options = { method, headers: { api_token: apiToken }, timeout: { request: timeout } };
  if (body === undefined) return { url, options };
  const payload = Buffer.from(JSON.stringify(body));
  const headers = {
    ...options.headers,
    'content-type': 'application/json',
    'content-length': `${payload.length}`,
  };
  return { url, options: { ...options, headers }, body: payload };
}

function searchOf(query: Call['query']): string {
  if (query === undefined) return '';
  return `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))}`;
}
