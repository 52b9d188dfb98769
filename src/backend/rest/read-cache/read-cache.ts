import { withinTime } from '../../../base/clock.ts';
import { err } from '../../../base/result.ts';
import { type Caller, timeLeft } from '../../../domain/callers/caller.ts';
import type { ForwardReason } from '../../../domain/callers/request-record.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { Metrics } from '../../../domain/metrics.ts';
import { decodeEnvelope } from '../../../v2/envelope.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { type PayloadResult, readPayload } from '../calls/read-response.ts';
import { deadlineExceeded, type RequestResult, type ServiceCall, type ServiceResponse } from '../calls/service-call.ts';
import { CacheReader } from './cache-reader.ts';
import { type KeptResponse, KeptResponses } from './kept-responses.ts';
import { type FlightOutcome, ReadFlight } from './read-flights.ts';
import { readKeyOf, scopeOf } from './read-scopes.ts';
import type { ScopeMarks } from './scope-marks.ts';

interface ReadCacheOptions {
  readonly marks: ScopeMarks;
  readonly upstream: Upstream;
  readonly serviceUrl: string;
  /** Milliseconds since a call was sent for which its response may be used. */
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly metrics: Metrics;
}

/** A read of one request. */
export interface CacheableRead {
  readonly reader: CacheReader;
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

/**
 * Serves the reads of queries by earlier responses, and equal reads at one time by one call. A response is used only
 * while its scope has the generation that it had before the call: see docs/decisions/0033-read-cache.md. All reads that
 * a response serves get the same object, so that it is decoded once: see docs/decisions/0044-decoded-once.md.
 */
export class ReadCache {
  readonly #options: ReadCacheOptions;
  readonly #kept: KeptResponses;
  /** Each ends with its call. */
  readonly #flights = new Map<string, ReadFlight>();

  constructor(options: ReadCacheOptions) {
    this.#options = options;
    this.#kept = new KeptResponses(options.maxBytes);
    options.metrics.observe('readCacheBytes', () => this.#kept.bytes);
  }

  readerOf(caller: Caller): CacheReader {
    return new CacheReader(caller, this.#options.upstream, this.#options.serviceUrl);
  }

  /** Returns a kept response at once, unless the marks are shared with other gateways. */
  read(read: CacheableRead): PayloadResult | Promise<PayloadResult> {
    // Mutations and jobs compare what they read with what they write, so their reads never come from a cache.
    const isQuery = read.reader.caller.request.operation?.type === 'query';
    return isQuery ? this.#serve(read, { isRetry: false }) : read.send(read.call).then(readPayload);
  }

  #serve(read: CacheableRead, retry: Retry): PayloadResult | Promise<PayloadResult> {
    const { reader, call } = read;
    const { marks } = this.#options;
    const { tokenKey } = reader;
    if (tokenKey === null || !reader.caller.request.freshness.mayBeKept) return this.#bypass(read);
    // Strangers with made-up tokens must not cost calls of the shared state.
    if (marks.isShared && !reader.isTrusted) return this.#bypass(read);
    const serveAt = (generation: string | null) =>
      generation === null
        ? this.#bypass(read)
        : this.#serveAt(read, { tokenKey, key: readKeyOf(tokenKey, call), generation }, retry);
    const generation = marks.generationOf(scopeOf(tokenKey, call));
    return generation instanceof Promise ? generation.then(serveAt) : serveAt(generation);
  }

  #serveAt(read: CacheableRead, place: ReadPlace, retry: Retry): PayloadResult | Promise<PayloadResult> {
    const found = this.#find(read.reader, place);
    if (typeof found === 'string') return this.#serveByCall(read, place, { ...retry, reason: found });
    this.#options.metrics.countCachedRead('hit');
    read.reader.use.recordHit(found.sentAt);
    return found.payload;
  }

  /** The kept response, or the reason why a call is needed. */
  #find(reader: CacheReader, { key, generation }: ReadPlace): KeptResponse | ForwardReason {
    const response = reader.isTrusted ? this.#kept.find(key) : null;
    if (response === null) return 'miss';
    const ageMs = performance.now() - response.sentAt;
    if (response.generation !== generation || ageMs >= this.#options.maxAgeMs) {
      this.#kept.delete(key);
      return 'stale';
    }
    return ageMs < reader.caller.request.freshness.maxAgeMs ? response : 'request';
  }

  async #serveByCall(read: CacheableRead, place: ReadPlace, { isRetry, reason }: NeededCall): Promise<PayloadResult> {
    const { caller } = read.reader;
    const maxAgeMs = Math.min(this.#options.maxAgeMs, caller.request.freshness.maxAgeMs);
    const flight = this.#flights.get(place.key);
    if (!flight?.mayServe(place.generation, maxAgeMs)) return this.#lead(read, place, reason);
    const outcome = await withinTime(flight.outcome, timeLeft(caller));
    if (outcome?.failure === 'own-limit' && timeLeft(caller) >= outcome.usefulFromMs)
      return this.#serve(read, { isRetry });
    // The call may have ended early for its own caller's lack of time. All that joined it share the next one, whatever
    // becomes of that.
    if (outcome?.failure === 'unanswered' && !isRetry) return this.#serve(read, { isRetry: true });
    this.#options.metrics.countCachedRead('joined');
    read.reader.use.recordJoin(reason);
    return outcome?.payload ?? readPayload(err(deadlineExceeded(caller)));
  }

  async #lead({ reader, call, send }: CacheableRead, place: ReadPlace, reason: ForwardReason): Promise<PayloadResult> {
    const { key, generation } = place;
    const flight = new ReadFlight(generation, call, async (sentCall) => {
      const result = await send(sentCall);
      const payload = readPayload(result);
      const isKept = result.ok && this.#tryKeep(reader, place, { flight, response: result.value, payload });
      return { payload, ...failureOf(result, reader.caller), isKept };
    });
    this.#flights.set(key, flight);
    try {
      const { payload, isKept } = await flight.outcome;
      this.#options.metrics.countCachedRead('miss');
      reader.use.recordCall(reason, isKept);
      return payload;
    } finally {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    }
  }

  #tryKeep(reader: CacheReader, place: ReadPlace, { flight, response, payload }: EndedFlight): boolean {
    if (!payload.ok || !isServiceBody(response.body) || !reader.isTrusted) return false;
    const { key, tokenKey, generation } = place;
    return this.#kept.tryAdd(key, tokenKey, { generation, sentAt: flight.sentAt, payload });
  }

  async #bypass({ reader, call, send }: CacheableRead): Promise<PayloadResult> {
    const payload = readPayload(await send(call));
    this.#options.metrics.countCachedRead('bypass');
    reader.use.recordCall('bypass', false);
    return payload;
  }
}

interface Retry {
  /** True where the call that the read had joined was not answered. */
  readonly isRetry: boolean;
}

interface NeededCall extends Retry {
  readonly reason: ForwardReason;
}

interface EndedFlight {
  readonly flight: ReadFlight;
  readonly response: ServiceResponse;
  readonly payload: PayloadResult;
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
