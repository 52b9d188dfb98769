import { type Caller, timeLeft } from '../../../domain/callers/caller.ts';
import { type ForwardReason, ReadCacheUse } from '../../../domain/callers/read-cache-use.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { TickQueue } from '../../../domain/json/tick-queue.ts';
import type { Metrics } from '../../../domain/metrics.ts';
import { err, ok } from '../../../domain/result.ts';
import { decodeEnvelope } from '../../../v2/envelope.ts';
import { CALL_QUEUE_FULL, deadlineExceeded, type RequestResult, type ServiceResponse } from '../http/request.ts';
import { MAX_CONCURRENT_PARSES, parseResponseBody } from '../http/response-body.ts';
import type { ServiceCall } from '../http/service-call.ts';
import { Semaphore } from '../rate-limit/semaphore.ts';
import { type PayloadResult, readPayload } from '../reads/read-response.ts';
import { type KeptResponse, KeptResponses } from './kept-responses.ts';
import { type FlightOutcome, ReadFlight, withinTime } from './read-flights.ts';
import { readKeyOf, scopeOf, tokenKeyOf } from './read-scopes.ts';
import type { ScopeMarks } from './scope-marks.ts';

interface ReadCacheOptions {
  readonly marks: ScopeMarks;
  readonly serviceUrl: string;
  /** Milliseconds since a call was sent for which its response may be used. */
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  /** Null when the caller has no token that a header can carry. */
  readonly tokenOf: (caller: Caller) => string | null;
  /** True where the service has accepted the token of the caller, or the gateway lends it. */
  readonly isTrusted: (caller: Caller) => boolean;
  readonly ticks: TickQueue;
  readonly metrics: Metrics;
}

/** A read of one request. */
export interface CacheableRead {
  readonly caller: Caller;
  readonly call: ServiceCall;
  /** Makes the call, where the cache has no response. */
  readonly send: (call: ServiceCall) => Promise<RequestResult>;
}

/** The place of a read in the cache, as the marks of its scope permit. */
interface ReadPlace {
  readonly tokenKey: string;
  readonly key: string;
  readonly generation: string;
}

/** The hits of all requests that wait to be parsed. */
const MAX_WAITING_PARSES = 1_000;

/**
 * Serves the reads of queries by earlier responses, and equal reads at one time by one call. A response is used only
 * while its scope has the generation that it had before the call: see docs/decisions/0033-read-cache.md.
 */
export class ReadCache {
  readonly #options: ReadCacheOptions;
  readonly #kept: KeptResponses;
  /** Each ends with its call. */
  readonly #flights = new Map<string, ReadFlight>();
  readonly #parsing = new Semaphore({ slots: MAX_CONCURRENT_PARSES, maxWaiting: MAX_WAITING_PARSES });

  constructor(options: ReadCacheOptions) {
    this.#options = options;
    this.#kept = new KeptResponses(options.maxBytes);
    options.metrics.observe('readCacheBytes', () => this.#kept.bytes);
  }

  async read(read: CacheableRead): Promise<PayloadResult> {
    // Mutations and jobs compare what they read with what they write, so their reads never come from a cache.
    const isQuery = read.caller.request.operation?.type === 'query';
    return isQuery ? this.#serve(read, { isRetry: false }) : readPayload(await read.send(read.call));
  }

  async #serve(read: CacheableRead, { isRetry }: { readonly isRetry: boolean }): Promise<PayloadResult> {
    const { caller } = read;
    const maxAgeMs = Math.min(this.#options.maxAgeMs, caller.request.freshness.maxAgeMs);
    const place = await this.#findPlace(read);
    if (place === null) return this.#bypass(read);
    const found = this.#find(caller, place);
    if (typeof found !== 'string') return this.#parse(caller, found);
    const flight = this.#flights.get(place.key);
    if (!flight?.mayServe(place.generation, maxAgeMs)) return this.#lead(read, place, found);
    const outcome = await withinTime(flight.outcome, timeLeft(caller));
    if (outcome?.failure === 'own-limit' && timeLeft(caller) >= outcome.usefulFromMs)
      return this.#serve(read, { isRetry });
    // The call may have ended early for its own caller's lack of time. All that joined it share the next one, whatever
    // becomes of that.
    if (outcome?.failure === 'unanswered' && !isRetry) return this.#serve(read, { isRetry: true });
    this.#options.metrics.countCachedRead('joined');
    useOf(caller).recordJoin(found);
    return outcome?.payload ?? readPayload(err(deadlineExceeded(caller)));
  }

  /** Null where the cache must not be used. */
  async #findPlace({ caller, call }: CacheableRead): Promise<ReadPlace | null> {
    const { marks, serviceUrl, tokenOf, isTrusted } = this.#options;
    const apiToken = tokenOf(caller);
    if (apiToken === null || !caller.request.freshness.mayBeKept) return null;
    // Strangers with made-up tokens must not cost calls of the shared state.
    if (marks.isShared && !isTrusted(caller)) return null;
    const tokenKey = tokenKeyOf(serviceUrl, apiToken);
    const generation = await marks.generationOf(scopeOf(tokenKey, call));
    return generation === null ? null : { tokenKey, key: readKeyOf(tokenKey, call), generation };
  }

  /** The kept response, or the reason why a call is needed. */
  #find(caller: Caller, { key, generation }: ReadPlace): KeptResponse | ForwardReason {
    const response = this.#options.isTrusted(caller) ? this.#kept.find(key) : null;
    if (response === null) return 'miss';
    const ageMs = performance.now() - response.sentAt;
    if (response.generation !== generation || ageMs >= this.#options.maxAgeMs) {
      this.#kept.delete(key);
      return 'stale';
    }
    return ageMs < caller.request.freshness.maxAgeMs ? response : 'request';
  }

  async #parse(caller: Caller, { json, sentAt }: KeptResponse): Promise<PayloadResult> {
    this.#options.metrics.countCachedRead('hit');
    useOf(caller).recordHit(sentAt);
    const parse = async () => ({ body: await parseResponseBody(json, this.#options.ticks) });
    const parsed = await this.#parsing.run(timeLeft(caller), parse);
    if (parsed === 'timed-out') return readPayload(err(deadlineExceeded(caller)));
    if (parsed === 'full') return readPayload(err(CALL_QUEUE_FULL));
    return readPayload(ok({ httpStatus: 200, headers: {}, body: parsed.body, json }));
  }

  async #lead(read: CacheableRead, place: ReadPlace, reason: ForwardReason): Promise<PayloadResult> {
    const { key, generation } = place;
    const flight = new ReadFlight(generation, read.call, async (call) => {
      const result = await read.send(call);
      const payload = readPayload(result);
      const isKept = payload.ok && result.ok && this.#tryKeep(read.caller, place, { flight, response: result.value });
      return { payload, ...failureOf(result, read.caller), isKept };
    });
    this.#flights.set(key, flight);
    try {
      const { payload, isKept } = await flight.outcome;
      this.#options.metrics.countCachedRead('miss');
      useOf(read.caller).recordCall(reason, isKept);
      return payload;
    } finally {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    }
  }

  #tryKeep(caller: Caller, { key, tokenKey, generation }: ReadPlace, { flight, response }: EndedFlight): boolean {
    const { json, body } = response;
    if (json === undefined || !isServiceBody(body) || !this.#options.isTrusted(caller)) return false;
    return this.#kept.tryAdd(key, tokenKey, { generation, sentAt: flight.sentAt, json });
  }

  async #bypass({ caller, call, send }: CacheableRead): Promise<PayloadResult> {
    const payload = readPayload(await send(call));
    this.#options.metrics.countCachedRead('bypass');
    useOf(caller).recordCall('bypass', false);
    return payload;
  }
}

interface EndedFlight {
  readonly flight: ReadFlight;
  readonly response: ServiceResponse;
}

/** False for an object that only something on the way to the service can have sent, such as a firewall's. */
const isServiceBody = (body: unknown): boolean => Array.isArray(body) || decodeEnvelope(body) !== null;

function failureOf(result: RequestResult, caller: Caller): Pick<FlightOutcome, 'failure' | 'usefulFromMs'> {
  if (result.ok) return { failure: null, usefulFromMs: 0 };
  const { error } = result;
  // A call that the rate limit keeps back for longer than its caller has is of use to those who have the time.
  const blockedForMs = error.kind === 'not-begun' ? blockedForMsOf(error.error) : 0;
  const isKeptBack = blockedForMs > timeLeft(caller);
  const isOwnLimit = error.kind === 'not-begun' && (isKeptBack || isLimitOfCaller(error.error));
  return { failure: isOwnLimit ? 'own-limit' : 'unanswered', usefulFromMs: blockedForMs };
}

const blockedForMsOf = (error: BackendError): number =>
  error.kind === 'rate-limited' ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;

const isLimitOfCaller = (error: BackendError): boolean =>
  error.kind === 'too-costly' || (error.kind === 'unavailable' && error.isOutOfTime === true);

function useOf({ request }: Caller): ReadCacheUse {
  request.readCacheUse ??= new ReadCacheUse();
  return request.readCacheUse;
}
