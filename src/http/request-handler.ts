import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tracer } from '@opentelemetry/api';
import type { Log } from '../base/log.ts';
import type { Result } from '../base/result.ts';
import type { TickQueue } from '../base/tick-queue.ts';
import { type Caller, usesLentToken } from '../domain/callers/caller.ts';
import type { BackendError } from '../domain/errors.ts';
import type { RequestGuards } from './guards/request-guards.ts';
import type { RouteHandler } from './handlers/route-handler.ts';
import { MemoryBudget, memoryLimits } from './memory/memory-budget.ts';
import type { RequestMemory } from './memory/request-memory.ts';
import { describeRequestEnd, type OnRequestEnd, reportRequestEnd } from './request-end.ts';
import { createRequestTracing } from './request-span.ts';
import { headersOf } from './requests/headers.ts';
import { contentTypeError } from './requests/json-body.ts';
import { type BodyFailure, hasBody, ReceivedBody, receiveBody } from './requests/request-body.ts';
import { RequestOrder } from './requests/request-order.ts';
import { createRequestRecord } from './requests/request-record.ts';
import type { ErrorResponder } from './responses/error-responder.ts';
import { bodyTooLarge, internalError } from './responses/http-error.ts';
import { bodyErrorOf, OUT_OF_MEMORY, OVERLOADED } from './responses/refusals.ts';
import { decideRoute, ROUTE_TRAITS, type Route, type RoutedRequest } from './route.ts';

interface RequestHandlerOptions {
  readonly guards: RequestGuards;
  readonly handlers: Readonly<Record<Route, RouteHandler>>;
  readonly callerOf: (routed: RoutedRequest) => Caller | Promise<Caller>;
  readonly tokens: TokenChecks;
  readonly errorResponder: ErrorResponder;
  /** True when only callers whose token is accepted may learn anything of the schema. */
  readonly hidesSchema: boolean;
  /** The path under which requests arrive; '' for none. */
  readonly basePath: string;
  readonly maxBodyBytes: number;
  readonly memory?: MemoryBudget | undefined;
  readonly ticks?: TickQueue | undefined;
  readonly log: Log;
  readonly onRequestEnd: readonly OnRequestEnd[];
  /** Null where nothing is traced. */
  readonly tracer: Tracer | null;
}

/** The checks of a caller's token. */
interface TokenChecks {
  authenticate(caller: Caller): Result<void, BackendError>;
  /** Decides without a call to the service. */
  isAccepted(caller: Caller): boolean;
  verifyToken(caller: Caller): Promise<Result<void, BackendError>>;
}

/**
 * Creates the listener for all requests. Each one goes through the same steps: its route is decided, memory is
 * acquired, the guards check it, its body is received, and the handler of its route sends the response.
 */
export function createRequestHandler(options: RequestHandlerOptions) {
  const { guards, onRequestEnd, tracer, basePath } = options;
  const budget = options.memory ?? new MemoryBudget(memoryLimits(options.maxBodyBytes), options.ticks);
  const order = new RequestOrder();
  const startRequestSpan = tracer && createRequestTracing(tracer);
  return (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const record = createRequestRecord(request);
    const routed = { request, response, route: decideRoute(request, basePath), record };
    startRequestSpan?.(routed);
    guards.allowOrigin(routed);
    const activeRequest = new ActiveRequest(routed, options);
    const memory = activeRequest.acquireMemory(budget);
    response.on('close', () => {
      memory?.end();
      order.end(routed);
      record.isEnded = true;
      if (onRequestEnd.length > 0) reportRequestEnd(describeRequestEnd(routed), options);
    });
    if (memory !== null) return activeRequest.respondInTurn(order, memory);
    activeRequest.sendUnavailable();
    return Promise.resolve();
  };
}

/** One request until its response is sent. */
class ActiveRequest {
  readonly #routed: RoutedRequest;
  readonly #options: RequestHandlerOptions;
  /** Null until the caller is identified. */
  caller: Caller | null = null;

  constructor(routed: RoutedRequest, options: RequestHandlerOptions) {
    this.#routed = routed;
    this.#options = options;
  }

  /** Null when there is no memory for one more request. */
  acquireMemory(budget: MemoryBudget): RequestMemory | null {
    const { isAlwaysServed } = ROUTE_TRAITS[this.#routed.route];
    return isAlwaysServed ? budget.beginUnconditionally(this) : budget.beginRequest(this);
  }

  isAccepted(): boolean {
    const { caller } = this;
    return caller !== null && caller.client?.ok !== false && this.#options.tokens.isAccepted(caller);
  }

  onMemoryRefused(): void {
    this.#routed.record.refusal = 'memory';
  }

  sendUnavailable(): void {
    this.sendError(OUT_OF_MEMORY);
  }

  sendError(error: BackendError): void {
    this.#options.errorResponder.sendBackendError(this.#routed, error);
  }

  /** Sends 503 where too many requests wait already, without reading the body. Never rejects. */
  async respondInTurn(order: RequestOrder, memory: RequestMemory): Promise<void> {
    try {
      const pending = order.admit(this.#routed);
      const admission = pending instanceof Promise ? await pending : pending;
      if (admission === 'begin') await this.#respond(memory);
      else if (admission === 'full') this.#refuse();
    } catch (error) {
      this.#sendInternalError(error);
    } finally {
      memory.endInput();
    }
  }

  #refuse(): void {
    this.#routed.record.refusal = 'overload';
    this.sendError(OVERLOADED);
  }

  #sendInternalError(error: unknown): void {
    const { response, record } = this.#routed;
    const { log, errorResponder } = this.#options;
    log('error', 'a request could not be answered', { requestId: record.id, error });
    if (!response.headersSent) errorResponder.sendHttpError(this.#routed, internalError);
    // A response that has ended was sent by somebody else, such as the server that the gateway is mounted in.
    else if (!response.writableEnded) response.destroy();
  }

  async #respond(memory: RequestMemory): Promise<void> {
    const { guards, callerOf, handlers } = this.#options;
    const { request, response, route, record } = this.#routed;
    if (guards.handleHead(this.#routed)) return;
    const pendingCaller = callerOf(this.#routed);
    if (!(pendingCaller instanceof Promise)) this.caller = pendingCaller;
    // Reading starts before the caller is known: node:http would buffer the body meanwhile, uncounted.
    const pendingBody = this.#receive(pendingCaller, memory);
    // A body that fails before it is awaited is no unhandled rejection.
    if (pendingCaller instanceof Promise) pendingBody?.catch(() => {});
    const caller = pendingCaller instanceof Promise ? await pendingCaller : pendingCaller;
    this.caller = caller;
    record.tokens.add(caller.apiToken);
    if (guards.handleCaller(this.#routed, caller)) return;
    const received = pendingBody && (await pendingBody);
    const body =
      received?.ok === false
        ? this.#handleBodyFailure(received.error)
        : new ReceivedBody(received?.value ?? Buffer.of());
    if (body === null) return;
    // Before anything is parsed, so that the answer to a stranger is the same for every name.
    if (this.#options.hidesSchema && ROUTE_TRAITS[route].tellsSchema && !usesLentToken(caller)) {
      const verified = await this.#verify(caller);
      if (!verified.ok) return this.sendError(verified.error);
    }
    const isRefusable = request.method === 'GET' || request.method === 'HEAD';
    const outgoing = { response, record, memory, isRefusable, sendUnavailable: () => this.sendUnavailable() };
    // Not awaited: this function would keep the received bytes in memory until the response is sent.
    return handlers[route]({ request, caller, body, outgoing });
  }

  /** Null when there is no body, or the route does not need it; then it is discarded. */
  #receive(pendingCaller: Caller | Promise<Caller>, memory: RequestMemory) {
    const { request } = this.#routed;
    if (!hasBody(request)) return null;
    if (this.#needsBody()) {
      return receiveBody(request, {
        maxBytes: this.#options.maxBodyBytes,
        memory,
        verify: async () => this.#verify(await pendingCaller),
      });
    }
    request.resume();
    return null;
  }

  #needsBody(): boolean {
    const { request, route } = this.#routed;
    if (route === 'graphql' || route === 'mcp')
      return request.method === 'POST' && contentTypeError(headersOf(request)) === null;
    // The façade sends 401 to a caller without a token, whatever the body is.
    const isWrite = route === 'facade' && request.method === 'PUT';
    return isWrite && this.caller !== null && this.#options.tokens.authenticate(this.caller).ok;
  }

  /** Asks the service about a token that it is not known to accept. */
  async #verify(caller: Caller): Promise<Result<void, BackendError>> {
    const { tokens } = this.#options;
    if (caller.client?.ok === false) return caller.client;
    const authenticated = tokens.authenticate(caller);
    return authenticated.ok && !tokens.isAccepted(caller) ? tokens.verifyToken(caller) : authenticated;
  }

  /** Null when a response was sent or the client is gone. The façade reports the failure itself, in its envelope. */
  #handleBodyFailure(failure: BodyFailure): ReceivedBody | null {
    if (failure.kind === 'gone') return null;
    const { errorResponder, maxBodyBytes } = this.#options;
    if (this.#routed.route === 'facade') return new ReceivedBody(Buffer.of(), bodyErrorOf(failure, maxBodyBytes));
    if (failure.kind === 'too-large') errorResponder.sendHttpError(this.#routed, bodyTooLarge(maxBodyBytes));
    else this.sendError(bodyErrorOf(failure, maxBodyBytes));
    return null;
  }
}
