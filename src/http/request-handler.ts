import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../domain/callers/caller.ts';
import { type BackendError, rejected, unavailable } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import { serviceError } from '../domain/notices.ts';
import type { Result } from '../domain/result.ts';
import { answerPlainPost, type PlainPostServer, plainPostMediaType, type ServerContext } from './graphql/fast-path.ts';
import type { Asked } from './guards/request-guards.ts';
import { mediaProblem } from './json-body.ts';
import { MemoryBudget, memoryShares } from './memory/memory-budget.ts';
import type { RequestMemory } from './memory/request-memory.ts';
import { ReceivedBody } from './requests/json-body.ts';
import { Pipelines } from './requests/pipelines.ts';
import { type BodyFailure, hasBody, receiveBody } from './requests/request-body.ts';
import type { Refusals } from './responses/error-responder.ts';
import { noRoom, tooLarge } from './responses/http-error.ts';
import { type Reply, sendResponse, sendText } from './responses/send-response.ts';
import { type Route, routeOf } from './route.ts';

export interface RequestHandlerOptions extends PlainPostServer {
  /** Answers what needs no caller, and true where it answered. */
  readonly isAnswered: (request: IncomingMessage, response: ServerResponse, route: Route) => boolean;
  readonly callerOf: (request: IncomingMessage, route: Route) => Caller | Promise<Caller>;
  /** Answers a caller who has asked too often, and true where it answered. */
  readonly isRefused: (request: IncomingMessage, response: ServerResponse, asked: Asked) => boolean;
  readonly tokens: TokenChecks;
  readonly refusals: Refusals;
  readonly maxBodyBytes: number;
  readonly memory?: MemoryBudget | undefined;
  readonly log: Log;
}

/** The checks of a caller's token. */
export interface TokenChecks {
  authenticate(caller: Caller): Result<void, BackendError>;
  /** Without a call to the service. */
  isAccepted(caller: Caller): boolean;
  verifyToken(caller: Caller): Promise<Result<void, BackendError>>;
}

/** The way of every request from its first line to the end of its answer. */
export function createRequestHandler(options: RequestHandlerOptions) {
  const budget = options.memory ?? new MemoryBudget(memoryShares(options.maxBodyBytes));
  const pipelines = new Pipelines();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const route = routeOf(request.url ?? '');
    const visit = new Visit({ request, response, route, options });
    const memory = visit.begin(budget);
    if (memory === null) {
      options.refusals.fail(response, route, NO_ROOM);
      return;
    }
    response.on('close', () => memory.end());
    try {
      const turn = pipelines.turnOf(request, response);
      if (turn !== null && !(await turn)) return;
      if (options.isAnswered(request, response, route)) return;
      await visit.answer(memory);
    } catch (error) {
      options.log('error', 'a request could not be answered', { requestId: visit.caller?.requestId, error });
      if (response.headersSent) response.destroy();
      else sendText(response, { status: 500 });
    } finally {
      memory.endInput();
    }
  };
}

interface VisitOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly route: Route;
  readonly options: RequestHandlerOptions;
}

/** One request on its way. */
class Visit {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #route: Route;
  readonly #options: RequestHandlerOptions;
  /** Null until it is known who is asking. */
  caller: Caller | null = null;

  constructor({ request, response, route, options }: VisitOptions) {
    this.#request = request;
    this.#response = response;
    this.#route = route;
    this.#options = options;
  }

  /** Null where there is no room. */
  begin(budget: MemoryBudget): RequestMemory | null {
    const isHealth = this.#route === 'live' || this.#route === 'ready';
    return isHealth ? budget.beginAnyhow(this) : budget.begin(this);
  }

  isKnown(): boolean {
    const { caller } = this;
    return caller !== null && isKnownClient(caller) && this.#options.tokens.isAccepted(caller);
  }

  async answer(memory: RequestMemory): Promise<void> {
    const asking = this.#options.callerOf(this.#request, this.#route);
    if (!(asking instanceof Promise)) this.caller = asking;
    // Read at once: what nobody reads gathers in the connection, uncounted.
    const receiving = this.#receive(asking, memory);
    // It may fail while it is not waited for.
    if (asking instanceof Promise) receiving?.catch(() => {});
    const caller = asking instanceof Promise ? await asking : asking;
    this.caller = caller;
    if (this.#options.isRefused(this.#request, this.#response, { route: this.#route, caller })) return;
    const received = receiving && (await receiving);
    const body = received?.ok === false ? this.#bodyOf(received.error) : new ReceivedBody(received?.value ?? null);
    if (body !== null) return this.#send({ caller, route: this.#route, body, memory });
  }

  /** Null where the body, if there is one, is of no use to the route, and thrown away. */
  #receive(asking: Caller | Promise<Caller>, memory: RequestMemory) {
    const request = this.#request;
    if (!hasBody(request)) return null;
    if (this.#isBodyOfUse()) {
      return receiveBody(request, {
        maxBytes: this.#options.maxBodyBytes,
        memory,
        verify: async () => this.#verify(await asking),
      });
    }
    request.resume();
    return null;
  }

  #isBodyOfUse(): boolean {
    const { headers, method } = this.#request;
    switch (this.#route) {
      case 'graphql':
        return method === 'POST' && mediaProblem({ get: (name) => headers[name]?.toString() ?? null }) === null;
      case 'facade':
        // It tells nobody without a token anything, and so reads nothing of theirs.
        return method === 'PUT' && this.caller !== null && this.#options.tokens.authenticate(this.caller).ok;
      default:
        return false;
    }
  }

  async #verify(caller: Caller): Promise<Result<void, BackendError>> {
    const { tokens } = this.#options;
    if (caller.client?.ok === false) return caller.client;
    const authenticated = tokens.authenticate(caller);
    return authenticated.ok && !tokens.isAccepted(caller) ? tokens.verifyToken(caller) : authenticated;
  }

  /** Null where the failure was answered, or nobody is there to be told. The façade says it in the words of the operation. */
  #bodyOf(failure: BodyFailure): ReceivedBody | null {
    if (failure.kind === 'gone') return null;
    const { refusals, maxBodyBytes } = this.#options;
    const [response, route] = [this.#response, this.#route];
    if (route === 'facade') return new ReceivedBody(null, backendErrorOf(failure, maxBodyBytes));
    if (failure.kind === 'too-large') refusals.refuse(response, route, tooLarge(maxBodyBytes));
    else refusals.fail(response, route, backendErrorOf(failure, maxBodyBytes));
    return null;
  }

  async #send(context: ServerContext): Promise<void> {
    const [request, response] = [this.#request, this.#response];
    const refuse = () => this.#options.refusals.fail(response, this.#route, NO_ROOM);
    const mediaType = plainPostMediaType(request);
    if (mediaType !== null) {
      const reply: Reply = { response, memory: context.memory, refuse };
      return answerPlainPost(this.#options, { request, reply, context }, mediaType);
    }
    const answer = await this.#options.yoga.handleNodeRequestAndResponse(request, response, { ...context });
    context.memory.endInput();
    const mayBeRefused = request.method === 'GET' || request.method === 'HEAD';
    return sendResponse({ response, memory: context.memory, refuse: mayBeRefused ? refuse : null }, answer);
  }
}

const isKnownClient = ({ client }: Caller): boolean => client === undefined || client.ok;

const NO_ROOM = unavailable(noRoom.message);

type ToldFailure = Exclude<BodyFailure, { readonly kind: 'gone' }>;

function backendErrorOf(failure: ToldFailure, maxBodyBytes: number): BackendError {
  if (failure.kind === 'refused') return failure.error;
  if (failure.kind === 'no-room') return NO_ROOM;
  const { status, message } = tooLarge(maxBodyBytes);
  const serviceErrors = [serviceError(message)];
  return rejected({ httpStatus: status, mayHaveApplied: false, serviceErrors, warnings: [], information: [] });
}
