import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Tracer } from '@opentelemetry/api';
import { MAX_PIPELINED_REQUESTS, MAX_REQUESTS } from '../../core/base/limits.ts';
import type { Log } from '../../core/base/log.ts';
import type { LoopMonitor } from '../../core/base/loop-monitor.ts';
import { RateWindows } from '../../core/base/rate-windows.ts';
import type { Result } from '../../core/base/result.ts';
import { type Caller, callerNameOf } from '../../core/callers/caller.ts';
import { RequestSummary } from '../../core/callers/request-report.ts';
import type { BackendError } from '../../core/errors.ts';
import type { RefusalCause } from '../../core/metrics.ts';
import { type MemoryBudget, RequestMemory } from './memory.ts';
import { type OnRequestEnd, reportRequestEnd, startRequestSpan } from './request-end.ts';
import type { RequestGuards } from './requests/guards.ts';
import { contentTypeError, hasBody, type RouteHandler, receiveBody } from './requests/request-body.ts';
import { createHttpRequestFacts, headersOf } from './requests/request-facts.ts';
import { type HttpError, internalError, OUT_OF_MEMORY, OVERLOADED, type SendError } from './responses/errors.ts';
import { setRateLimitFields } from './responses/send-response.ts';
import { decideRoute, ROUTE_TRAITS, type Route, type RoutedRequest } from './route.ts';

interface DoorOptions {
  readonly guards: RequestGuards;
  readonly handlers: Readonly<Record<Route, RouteHandler>>;
  readonly identify: (routed: RoutedRequest) => Promise<Caller>;
  /**
   * Fails for a caller whose token is not accepted. Null where all may learn names of the schema; else none of its routes
   * is served to others.
   */
  readonly verify: ((caller: Caller) => Promise<Result<void, BackendError>>) | null;
  /** Requests of one caller in a minute (`CALLER_REQUESTS_PER_MINUTE`); 0 for no limit. */
  readonly callerRequestsPerMinute: number;
  readonly sendError: SendError;
  /** The path under which requests arrive; '' for none. */
  readonly basePath: string;
  readonly maxBodyBytes: number;
  readonly memory: MemoryBudget;
  /** Absent where nothing is refused for a busy event loop. */
  readonly loop?: LoopMonitor | undefined;
  readonly log: Log;
  readonly onRequestEnd: readonly OnRequestEnd[];
  /** Null where nothing is traced. */
  readonly tracer: Tracer | null;
}

/** What all requests have in common at the door. */
interface Door extends DoorOptions {
  /** Requests that were received whole and are not handled yet. */
  underWay: number;
  readonly order: ConnectionOrder;
  readonly rateWindows: RateWindows;
  /** The end of this tick of the event loop; null where no request waits for it. */
  endOfTick: Promise<void> | null;
}

/** The door: creates the listener for all requests. Each goes through the steps of `ActiveRequest.pass`. */
export function createDoor(options: DoorOptions) {
  const { guards, tracer, basePath } = options;
  const door: Door = {
    ...options,
    underWay: 0,
    order: new ConnectionOrder(),
    rateWindows: new RateWindows(options.callerRequestsPerMinute),
    endOfTick: null,
  };
  return (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const summary = new RequestSummary();
    const facts = createHttpRequestFacts(request, response, summary);
    const route = decideRoute(request, basePath);
    const trace = tracer && startRequestSpan(tracer, { request, route, facts });
    const routed = { request, response, route, facts, summary, trace };
    guards.allowOrigin(routed);
    const activeRequest = new ActiveRequest(routed, door);
    response.on('close', () => reportRequestEnd(routed, activeRequest.end(), options));
    return activeRequest.pass();
  };
}

/** One request until its response is sent. */
class ActiveRequest {
  readonly #routed: RoutedRequest;
  readonly #door: Door;
  readonly #memory: RequestMemory;
  #refusal: RefusalCause | null = null;
  #isUnderWay = false;
  #isHandled = false;

  constructor(routed: RoutedRequest, door: Door) {
    this.#routed = routed;
    this.#door = door;
    this.#memory = new RequestMemory(door.memory);
  }

  /** All steps of the door. Never rejects. */
  async pass(): Promise<void> {
    const { request, response } = this.#routed;
    try {
      // 1. The requests of one connection come one after another.
      if (await this.#door.order.waitForPrevious(request, response)) await this.#handle();
    } catch (error) {
      this.#sendInternalError(error);
    } finally {
      if (this.#isUnderWay) this.#door.underWay -= 1;
      this.#isHandled = true;
      if (response.closed) this.#memory.end();
    }
  }

  /** Called once the response is sent, or the client is gone. Returns why the request was refused; null where it was not. */
  end(): RefusalCause | null {
    const { request, response } = this.#routed;
    this.#door.order.end(request, response);
    // A write goes on where the client is gone, and holds its input.
    if (this.#isHandled) this.#memory.end();
    return this.#refusal ?? (this.#memory.wasRefused ? 'memory' : null);
  }

  async #handle(): Promise<void> {
    const { guards, identify, verify } = this.#door;
    const { route, facts } = this.#routed;
    // 2. Is there room for one more request?
    if (!this.#hasRoom()) return this.#refuse(OVERLOADED, 'overload');
    // 3. Who is the caller?
    const caller = await identify(this.#routed);
    facts.tokens.add(caller.apiToken);
    // 4. Is the head in order, whoever sent it?
    if (facts.isEnded() || guards.handleHead(this.#routed)) return;
    // 5. How many requests has the caller sent in this minute?
    if (this.#door.callerRequestsPerMinute > 0 && !this.#count(caller)) return;
    // 6. The body. A client that sends it slowly is not under way yet.
    const body = await this.#receive();
    if (body === null || facts.isEnded()) return;
    // 7. Is there still room?
    if (!this.#hasRoom()) return this.#refuse(OVERLOADED, 'overload');
    this.#isUnderWay = true;
    this.#door.underWay += 1;
    // Requests that are read in one tick are answered after it: one by one takes a small request a fifth more CPU time.
    this.#door.endOfTick ??= setImmediate().then(() => {
      this.#door.endOfTick = null;
    });
    await this.#door.endOfTick;
    // 8. Who asks about a hidden schema has to be verified.
    const verified = verify !== null && ROUTE_TRAITS[route].namesSchema ? await verify(caller) : null;
    return verified === null || verified.ok ? this.#answer(caller, body) : this.#sendError(verified.error);
  }

  /** Not `async`, and called last: a suspended function would keep the received bytes in memory until the response is made. */
  #answer(caller: Caller, body: Buffer<ArrayBuffer>): Promise<void> {
    const { request, response, route, facts, summary } = this.#routed;
    const isRefusable = request.method === 'GET' || request.method === 'HEAD';
    const sendUnavailable = () => this.#sendError(OUT_OF_MEMORY);
    const outgoing = { response, route, facts, summary, memory: this.#memory, isRefusable, sendUnavailable };
    return this.#door.handlers[route]({ request, caller, body, outgoing });
  }

  /** Half of the requests wait without an error even where the event loop is behind, as it is in a burst after a start. */
  #hasRoom(): boolean {
    const { underWay, loop } = this.#door;
    if (ROUTE_TRAITS[this.#routed.route].isAlwaysServed || underWay < MAX_REQUESTS / 2) return true;
    return underWay < MAX_REQUESTS && loop?.isBehind() !== true;
  }

  /** Counts the request. False after the response to a caller who has none left. */
  #count(caller: Caller): boolean {
    const { request, response, route } = this.#routed;
    // A preflight request names no caller.
    if (!ROUTE_TRAITS[route].isRateLimited || request.method === 'OPTIONS') return true;
    // The hash keeps what counts by long names small.
    const counted = this.#door.rateWindows.tryCount(hash('sha256', callerNameOf(caller), 'base64'));
    setRateLimitFields(response, counted);
    if (!counted.isCounted) this.#refuse(tooManyRequests(counted.resetSeconds), 'caller_rate_limit');
    return counted.isCounted;
  }

  /** Null when a response was sent or the client is gone. */
  async #receive(): Promise<Buffer<ArrayBuffer> | null> {
    const { request } = this.#routed;
    if (!hasBody(request) || !this.#needsBody()) {
      request.resume();
      return Buffer.alloc(0);
    }
    const received = await receiveBody(request, this.#door.maxBodyBytes, this.#memory);
    if (received.ok) return received.value;
    if (received.error !== null) this.#sendError(received.error);
    return null;
  }

  #needsBody(): boolean {
    const { request, route } = this.#routed;
    if (route !== 'graphql' && route !== 'mcp') return route === 'facade';
    return request.method === 'POST' && contentTypeError(headersOf(request)) === null;
  }

  #refuse(error: BackendError, cause: RefusalCause): void {
    this.#refusal = cause;
    this.#sendError(error);
  }

  #sendError(error: BackendError | HttpError): void {
    this.#door.sendError(this.#routed, error);
  }

  #sendInternalError(error: unknown): void {
    const { response, facts } = this.#routed;
    this.#door.log('error', 'a request could not be answered', { requestId: facts.id, error });
    if (!response.headersSent) this.#sendError(internalError);
    // A response that has ended was sent by somebody else, such as the server that the gateway is mounted in.
    else if (!response.writableEnded) response.destroy();
  }
}

const tooManyRequests = (retryAfterSeconds: number): BackendError => ({
  kind: 'rate-limited',
  message: `Too many requests. Try again in ${retryAfterSeconds} s.`,
  retryAfterSeconds,
  serviceErrors: [],
});

interface Connection {
  /** The response to the newest request; null once that has ended, since it would hold the whole request. */
  last: ServerResponse | null;
  waiting: number;
}

/**
 * Keeps pipelined requests in their order, which Node emits together and of which HTTP lets only reads run at one time
 * (RFC 9112, section 9.3.2). A connection with too many is closed.
 *
 * @internal Exported for tests.
 */
export class ConnectionOrder {
  readonly #connections = new WeakMap<Socket, Connection>();

  /** Resolves to false where the connection was closed before the request's turn. */
  async waitForPrevious({ socket }: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const connection = this.#connections.get(socket) ?? { last: null, waiting: 0 };
    this.#connections.set(socket, connection);
    const previous = connection.last;
    connection.last = response;
    if (previous === null || previous.closed) return true;
    if (connection.waiting >= MAX_PIPELINED_REQUESTS) socket.destroy();
    connection.waiting += 1;
    // Every response of a closed connection emits `close`, also one that is pending.
    if (!socket.destroyed) await new Promise((resolve) => previous.once('close', resolve));
    connection.waiting -= 1;
    return !socket.destroyed;
  }

  /** Must be called once a response is closed. */
  end({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(socket);
    if (connection?.last === response) connection.last = null;
  }
}
