import { Agent, type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as TlsAgent } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import got, { type NativeRequestOptions } from 'got';
import type { Log } from '../../domain/log.ts';
import { err } from '../../domain/result.ts';
import { createBreaker } from './breaker.ts';
import { createReading, exchange, type HttpRequest, type Sent } from './exchange.ts';
import { Gate } from './gate.ts';
import { CROWDED, REFUSED, TOO_LARGE } from './request-error.ts';

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
  /** `performance.now()` by which the call is over, if its own time is not up before. */
  readonly deadline: number;
}

/** Calls the service, each call once: whoever knows what may be repeated repeats it. */
export interface Client {
  send(call: Call, options: SendOptions): Promise<Sent>;
  /** `performance.now()` of the last of the failures for which calls are refused; null where they are not. */
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
  const breaker = createBreaker(log);
  const reading = createReading(maxSockets);
  return {
    async send(call, { apiToken, deadline }) {
      if (breaker.isRefusing()) return err(REFUSED);
      const timeLeft = () => Math.max(0, deadline - performance.now());
      const entry = await gate.enter(timeLeft(), apiToken);
      if (entry !== 'entered') return err(CROWDED);
      try {
        const timeout = Math.ceil(Math.min(timeoutMs, timeLeft()));
        const request = requestOf(call, { root, apiToken, timeout });
        return (await breaker.run(() => exchange(http, request, reading), isFailure)) ?? err(REFUSED);
      } finally {
        gate.leave(apiToken);
      }
    },
    failingSince: breaker.openSince,
    close() {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
}

/** What says that the service itself fails, and not the call, its token or an idle connection. */
const isFailure = (sent: Sent): boolean =>
  sent.ok ? sent.value.httpStatus >= 500 : sent.error.kind !== 'stale' && sent.error !== TOO_LARGE;

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
