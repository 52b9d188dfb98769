import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tracer } from '@opentelemetry/api';
import { MAX_STRANGER_BYTES } from '../base/limits.ts';
import type { Log } from '../base/log.ts';
import { RateWindows } from '../base/rate-windows.ts';
import { ok, type Result } from '../base/result.ts';
import type { TickQueue } from '../base/tick-queue.ts';
import type { Caller } from '../domain/callers/caller.ts';
import type { RefusalCause } from '../domain/callers/request-record.ts';
import type { BackendError } from '../domain/errors.ts';
import type { Metrics } from '../domain/metrics.ts';
import { MemoryBudget, memoryLimits, type RequestMemory } from './memory.ts';
import { createRequestTracing, describeRequestEnd, type OnRequestEnd, reportRequestEnd } from './request-end.ts';
import type { RequestGuards } from './requests/guards.ts';
import {
  type BodyResult,
  bodyErrorOf,
  contentTypeError,
  hasBody,
  ReceivedBody,
  type RouteHandler,
  receiveBody,
} from './requests/request-body.ts';
import { RequestOrder, type StrangerPlace, StrangerPlaces, type TokenWatch } from './requests/request-order.ts';
import { createRequestRecord, headersOf } from './requests/request-record.ts';
import {
  bodyTooLarge,
  type ErrorResponder,
  internalError,
  OUT_OF_MEMORY,
  OVERLOADED,
  tooManyRequests,
} from './responses/errors.ts';
import { type OutgoingResponse, setRateLimitFields } from './responses/send-response.ts';
import { decideRoute, ROUTE_TRAITS, type Route, type RoutedRequest } from './route.ts';

interface DoorOptions {
  readonly guards: RequestGuards;
  readonly handlers: Readonly<Record<Route, RouteHandler>>;
  /** Identifies the caller, and gives the request of a known one a share of its own. */
  readonly identify: (routed: RoutedRequest) => Caller | Promise<Caller>;
  readonly strangers: StrangerChecks;
  /** Requests of one caller in a minute (`CALLER_REQUESTS_PER_MINUTE`); 0 for no limit. */
  readonly callerRequestsPerMinute: number;
  readonly errorResponder: ErrorResponder;
  /** True when only callers whose token is accepted may learn anything of the schema. */
  readonly hidesSchema: boolean;
  /** The path under which requests arrive; '' for none. */
  readonly basePath: string;
  readonly maxBodyBytes: number;
  readonly memory?: MemoryBudget | undefined;
  readonly ticks?: TickQueue | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly onRequestEnd: readonly OnRequestEnd[];
  /** Null where nothing is traced. */
  readonly tracer: Tracer | null;
}

/** A request whose token is accepted has the share of a known caller from then on. */
interface StrangerChecks extends TokenWatch {
  /** Asks the service by one call. */
  verify(caller: Caller): Promise<Result<void, BackendError>>;
}

/** The methods of the façade that take a body. */
const METHODS_WITH_BODY: ReadonlySet<string | undefined> = new Set(['PUT', 'POST', 'DELETE']);

/**
 * The door: creates the listener for all requests. Each goes through the steps of `ActiveRequest.pass`, which decides who
 * the caller is and which share of everything bounded it has. Nothing behind the door asks that again.
 */
export function createDoor(options: DoorOptions) {
  const { guards, onRequestEnd, tracer, basePath, callerRequestsPerMinute } = options;
  const memory = options.memory ?? new MemoryBudget(memoryLimits(options.maxBodyBytes), options.ticks);
  const places = new StrangerPlaces(options.strangers);
  options.metrics.observe('callsWaitingUntrusted', () => places.waiting);
  const rateLimits =
    callerRequestsPerMinute === 0
      ? null
      : { known: new RateWindows(callerRequestsPerMinute), strangers: new RateWindows(callerRequestsPerMinute) };
  const door: Door = { ...options, memory, places, rateLimits, order: new RequestOrder() };
  const startRequestSpan = tracer && createRequestTracing(tracer);
  return (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const record = createRequestRecord(request);
    const routed = { request, response, route: decideRoute(request, basePath), record };
    startRequestSpan?.(routed);
    guards.allowOrigin(routed);
    const activeRequest = new ActiveRequest(routed, door);
    response.on('close', () => {
      activeRequest.end();
      if (onRequestEnd.length > 0) reportRequestEnd(describeRequestEnd(routed), options);
    });
    return activeRequest.pass();
  };
}

/** What all requests share at the door. */
interface Door extends DoorOptions {
  readonly order: RequestOrder;
  readonly memory: MemoryBudget;
  readonly places: StrangerPlaces;
  /** Strangers are counted apart, so that they push out no window of a known caller. Null without a limit. */
  readonly rateLimits: { readonly known: RateWindows; readonly strangers: RateWindows } | null;
}

/** One request until its response is sent. */
class ActiveRequest {
  readonly #routed: RoutedRequest;
  readonly #door: Door;
  #memory: RequestMemory | null = null;
  /** Null until the caller is identified. */
  #caller: Caller | null = null;
  #verification: Promise<Result<void, BackendError>> | null = null;
  /** The body of a request whose caller is not known yet. */
  #earlyBody: Promise<BodyResult> | null = null;
  /** The place of a stranger among the few that are let in; null for others. */
  #place: StrangerPlace | null = null;
  /** True for a request that begins, waits for that, or is under way. */
  #hasTurn = false;
  /** Null until the handler of the route has begun, and where it has ended already. */
  #handling: Promise<void> | null = null;

  constructor(routed: RoutedRequest, door: Door) {
    this.#routed = routed;
    this.#door = door;
  }

  /** All steps of the door: `#arrive`, then `#enter`. Never rejects. */
  async pass(): Promise<void> {
    try {
      const arriving = this.#arrive();
      const caller = arriving instanceof Promise ? await arriving : arriving;
      if (caller !== null) await this.#enter(caller);
      if (this.#handling !== null) await this.#handling;
    } catch (error) {
      this.#sendInternalError(error);
    } finally {
      this.#endTurn();
      this.#memory?.endInput();
      this.#place?.leave();
    }
  }

  /** Called once the response is sent, or the client is gone. */
  end(): void {
    const { request, response, record } = this.#routed;
    this.#memory?.end();
    this.#door.order.end(request, response);
    record.isEnded = true;
  }

  /** Null where the request ends here. */
  #arrive(): Caller | null | Promise<Caller | null> {
    const { request, response } = this.#routed;
    // 1. The requests of one connection come one after another.
    const previous = this.#door.order.waitForPrevious(request, response);
    // 2. Who is the caller? Until that is known, the request has a share with all strangers of its network.
    const caller = previous === null ? this.#identify() : null;
    // 3. Is there memory for one more request of that share?
    if (this.#beginMemory() === null) {
      this.#sendError(OUT_OF_MEMORY);
      return null;
    }
    return previous === null && caller !== null && !(caller instanceof Promise)
      ? this.#setCaller(caller)
      : this.#arriveLater(previous, caller);
  }

  async #arriveLater(
    previous: Promise<boolean> | null,
    identified: Caller | Promise<Caller> | null,
  ): Promise<Caller | null> {
    if (previous !== null && !(await previous)) return null;
    const caller = identified ?? this.#identify();
    if (!(caller instanceof Promise)) return this.#setCaller(caller);
    // Reading starts before the caller is known: node:http would buffer the body meanwhile, uncounted.
    this.#earlyBody = this.#receive(caller);
    // A body that fails before it is awaited is no unhandled rejection.
    this.#earlyBody?.catch(() => {});
    return this.#setCaller(await caller);
  }

  #setCaller(caller: Caller): Caller {
    this.#caller = caller;
    this.#routed.record.tokens.add(caller.apiToken);
    this.#memory?.followShare();
    return caller;
  }

  async #enter(caller: Caller): Promise<void> {
    const { order, guards, handlers } = this.#door;
    const { request, route, record } = this.#routed;
    // 4. Requests begin in turns of the event loop. Where too many wait, the rest is refused unread.
    const turn = order.takeTurn(this.#routed);
    if (turn === 'full') return this.#refuse(OVERLOADED);
    this.#hasTurn = true;
    if (turn !== 'begin') await turn;
    // 5. Is the head in order, whoever sent it?
    if (record.isEnded || guards.handleHead(this.#routed)) return;
    // 6. Few strangers are let in at one time.
    if (record.share.isStranger && ROUTE_TRAITS[route].callsBackend && !(await this.#takePlace(caller))) return;
    // 7. How many requests has the caller sent in this minute?
    if (!this.#count()) return;
    // 8. The body. A stranger with a large one is verified meanwhile.
    const pendingBody = this.#earlyBody ?? this.#receive(caller);
    // The request keeps no second reference to the body, which would keep its bytes in memory.
    this.#earlyBody = null;
    const body = this.#bodyOf(pendingBody && (await pendingBody));
    // 9. A stranger who asks about a hidden schema has to be verified.
    if (body === null || (this.#asksAboutHiddenSchema() && !(await this.#isVerified(caller)))) return;
    // Awaited by `pass`: this function would keep the received bytes in memory until the response is sent.
    this.#handling = handlers[route]({ request, caller, body, outgoing: this.#outgoing() }) ?? null;
  }

  #endTurn(): void {
    if (this.#hasTurn) this.#door.order.turns.end();
    this.#hasTurn = false;
  }

  #identify(): Caller | Promise<Caller> {
    const identified = this.#door.identify(this.#routed);
    // It may fail before it is awaited, which is no unhandled rejection.
    if (identified instanceof Promise) identified.catch(() => {});
    return identified;
  }

  #outgoing(): OutgoingResponse {
    const { request, response, record } = this.#routed;
    const isRefusable = request.method === 'GET' || request.method === 'HEAD';
    return {
      response,
      record,
      memory: this.#memoryOrThrow(),
      isRefusable,
      sendUnavailable: () => this.#sendError(OUT_OF_MEMORY),
    };
  }

  #memoryOrThrow(): RequestMemory {
    if (this.#memory === null) throw new Error('The request has no memory.');
    return this.#memory;
  }

  /** Null when there is none left. */
  #beginMemory(): RequestMemory | null {
    const { route, record } = this.#routed;
    const { memory } = this.#door;
    const { isAlwaysServed } = ROUTE_TRAITS[route];
    this.#memory = isAlwaysServed ? memory.beginUnconditionally(record) : memory.beginRequest(record);
    return this.#memory;
  }

  /** False after the response to a stranger for whom there is no place. */
  async #takePlace(caller: Caller): Promise<boolean> {
    const entering = this.#door.places.enter(caller);
    // Strangers who wait keep nobody from beginning, and few of them are let in.
    if (entering instanceof Promise) this.#endTurn();
    const place = entering instanceof Promise ? await entering : entering;
    if (place.ok) this.#place = place.value;
    else if (!this.#routed.record.isEnded) this.#refuse(place.error);
    return place.ok && !this.#routed.record.isEnded;
  }

  /** Counts the request. False after the response to a caller who has none left. */
  #count(): boolean {
    const { rateLimits } = this.#door;
    const { request, response, route, record } = this.#routed;
    // A preflight request names no caller.
    if (rateLimits === null || !ROUTE_TRAITS[route].isRateLimited || request.method === 'OPTIONS') return true;
    const { share } = record;
    const counted = (share.isStranger ? rateLimits.strangers : rateLimits.known).tryCount(share.key);
    setRateLimitFields(response, counted);
    if (!counted.isCounted) this.#refuse(tooManyRequests(counted.resetSeconds), 'caller_rate_limit');
    return counted.isCounted;
  }

  /** Null when there is no body, or the route does not need it; then it is discarded. */
  #receive(caller: Caller | Promise<Caller>): Promise<BodyResult> | null {
    const { request } = this.#routed;
    if (!hasBody(request)) return null;
    if (this.#needsBody()) {
      const permit = (bytes: number) => this.#permit(bytes, caller);
      return receiveBody(request, { maxBytes: this.#door.maxBodyBytes, memory: this.#memoryOrThrow(), permit });
    }
    request.resume();
    return null;
  }

  #needsBody(): boolean {
    const { request, route, record } = this.#routed;
    if (route === 'graphql' || route === 'mcp')
      return request.method === 'POST' && contentTypeError(headersOf(request)) === null;
    // The façade sends 401 to a caller without a token, whatever the body is.
    return route === 'facade' && METHODS_WITH_BODY.has(request.method) && !record.share.isStranger;
  }

  /** Null where the caller may send so many bytes. */
  #permit(bytes: number, caller: Caller | Promise<Caller>): Promise<Result<void, BackendError>> | null {
    if (this.#caller === null) return Promise.resolve(caller).then(() => ok(undefined));
    const mustBeKnown = bytes > MAX_STRANGER_BYTES && this.#routed.record.share.isStranger;
    return mustBeKnown ? this.#verify(this.#caller) : null;
  }

  /** Before anything is parsed, so that the answer to a stranger is the same for every name. */
  #asksAboutHiddenSchema(): boolean {
    const { route, record } = this.#routed;
    return this.#door.hidesSchema && ROUTE_TRAITS[route].tellsSchema && record.share.isStranger;
  }

  /** False after the response to a caller whose token is not accepted. */
  async #isVerified(caller: Caller): Promise<boolean> {
    const verified = await this.#verify(caller);
    if (!verified.ok) this.#sendError(verified.error);
    return verified.ok;
  }

  /** Asks the service about the stranger's token, once. */
  async #verify(caller: Caller): Promise<Result<void, BackendError>> {
    this.#verification ??= this.#door.strangers.verify(caller);
    const verified = await this.#verification;
    this.#memory?.followShare();
    return verified;
  }

  /** Null when a response was sent or the client is gone. The façade reports the failure itself, in its envelope. */
  #bodyOf(received: BodyResult | null): ReceivedBody | null {
    if (received === null || received.ok) return new ReceivedBody(received?.value);
    const failure = received.error;
    if (failure.kind === 'gone') return null;
    const { errorResponder, maxBodyBytes } = this.#door;
    if (this.#routed.route === 'facade') return new ReceivedBody(undefined, bodyErrorOf(failure, maxBodyBytes));
    if (failure.kind === 'too-large') errorResponder.sendHttpError(this.#routed, bodyTooLarge(maxBodyBytes));
    else this.#sendError(bodyErrorOf(failure, maxBodyBytes));
    return null;
  }

  #refuse(error: BackendError, cause: RefusalCause = 'overload'): void {
    this.#routed.record.refusal = cause;
    this.#sendError(error);
  }

  #sendError(error: BackendError): void {
    this.#door.errorResponder.sendBackendError(this.#routed, error);
  }

  #sendInternalError(error: unknown): void {
    const { response, record } = this.#routed;
    const { log, errorResponder } = this.#door;
    log('error', 'a request could not be answered', { requestId: record.id, error });
    if (!response.headersSent) errorResponder.sendHttpError(this.#routed, internalError);
    // A response that has ended was sent by somebody else, such as the server that the gateway is mounted in.
    else if (!response.writableEnded) response.destroy();
  }
}
