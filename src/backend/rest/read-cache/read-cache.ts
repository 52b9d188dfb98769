import { hash } from 'node:crypto';
import { withinTime } from '../../../base/clock.ts';
import { err } from '../../../base/result.ts';
import { type Caller, timeLeft } from '../../../domain/callers/caller.ts';
import { type ForwardReason, ReadCacheUse } from '../../../domain/callers/request-record.ts';
import type { BackendError } from '../../../domain/errors.ts';
import type { Metrics } from '../../../domain/metrics.ts';
import { decodeEnvelope } from '../../../v2/envelope.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { type PayloadResult, readPayload } from '../calls/read-response.ts';
import { deadlineExceeded, type RequestResult, type ServiceCall } from '../calls/service-call.ts';
import { KeptResponses } from './kept-responses.ts';
import { type ScopeMarks, scopeOf } from './scope-marks.ts';

interface ReadCacheOptions {
  readonly marks: ScopeMarks;
  readonly upstream: Upstream;
  /** Milliseconds since a call was sent for which its response may be used. */
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly metrics: Metrics;
}

/** A caller of queries, whose reads the cache may serve. Its token is hashed once, and not for each of its reads. */
export class CacheReader {
  readonly caller: Caller;
  readonly tokenKey: string;

  constructor(caller: Caller, tokenKey: string) {
    this.caller = caller;
    this.tokenKey = tokenKey;
  }

  /** The counts of the reads of its request. */
  get use(): ReadCacheUse {
    const { request } = this.caller;
    request.readCacheUse ??= new ReadCacheUse();
    return request.readCacheUse;
  }
}

/** A read of one request. */
interface CacheableRead {
  readonly reader: CacheReader;
  readonly call: ServiceCall;
  /** Makes the call, where the cache has no response. */
  readonly send: (call: ServiceCall) => Promise<RequestResult>;
}

/** A call in flight that equal reads may share. */
interface ReadFlight {
  /** `performance.now()` when the call was sent last, or when it began to wait for that. */
  readonly sent: { readonly at: number };
  readonly outcome: Promise<FlightOutcome>;
}

interface FlightOutcome {
  readonly payload: PayloadResult;
  /**
   * Null where the service answered, so that another call would have had the same answer. `own-limit`: the caller had no
   * time or no calls left, and nothing was sent.
   */
  readonly failure: 'own-limit' | 'unanswered' | null;
  /** Milliseconds that a caller must have for another call to be of use. */
  readonly usefulFromMs: number;
  readonly isKept: boolean;
}

/** Reads with the same key have the same response, but for what others change at the service. */
const readKeyOf = (tokenKey: string, generation: string, { path, query = {} }: ServiceCall): string =>
  hash('sha256', JSON.stringify([tokenKey, generation, path, query]), 'base64url');

/**
 * Serves the reads of queries by earlier responses, and equal reads at one time by one call. Its key has the generation
 * that its scope had before the call, so a response is used only while that lasts: see docs/decisions/0033-read-cache.md. All reads that
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

  /** Null for mutations and jobs, which compare what they read with what they write, and where there is no token to send. */
  readerOf(caller: Caller): CacheReader | null {
    if (caller.request.operation?.type !== 'query') return null;
    const tokenKey = this.#options.upstream.tokenKeyOf(caller);
    return tokenKey === null ? null : new CacheReader(caller, tokenKey);
  }

  /** Returns a kept response at once, unless the marks are shared with other gateways. */
  read(read: CacheableRead, isRetry = false): PayloadResult | Promise<PayloadResult> {
    const { reader, call } = read;
    const { marks } = this.#options;
    if (!reader.caller.request.freshness.mayBeKept) return this.#bypass(read);
    // Strangers with made-up tokens must not cost calls of the shared state.
    if (marks.isShared && isOfStranger(reader)) return this.#bypass(read);
    const serveAt = (generation: string | null) =>
      generation === null
        ? this.#bypass(read)
        : this.#serve(read, readKeyOf(reader.tokenKey, generation, call), isRetry);
    const generation = marks.generationOf(scopeOf(reader.tokenKey, call));
    return generation instanceof Promise ? generation.then(serveAt) : serveAt(generation);
  }

  #serve(read: CacheableRead, key: string, isRetry: boolean): PayloadResult | Promise<PayloadResult> {
    const { reader } = read;
    const kept = isOfStranger(reader) ? undefined : this.#kept.find(key);
    if (kept === undefined) return this.#serveByCall(read, key, { reason: 'miss', isRetry });
    const ageMs = performance.now() - kept.sentAt;
    if (ageMs >= this.#options.maxAgeMs) return this.#serveByCall(read, key, { reason: 'stale', isRetry });
    if (ageMs >= reader.caller.request.freshness.maxAgeMs)
      return this.#serveByCall(read, key, { reason: 'request', isRetry });
    this.#options.metrics.countCachedRead('hit');
    reader.use.recordHit(kept.sentAt);
    return kept.payload;
  }

  /** `isRetry`: the call that the read had joined was not answered. */
  async #serveByCall(
    read: CacheableRead,
    key: string,
    { reason, isRetry }: { readonly reason: ForwardReason; readonly isRetry: boolean },
  ): Promise<PayloadResult> {
    const { caller } = read.reader;
    const maxAgeMs = Math.min(this.#options.maxAgeMs, caller.request.freshness.maxAgeMs);
    const flight = this.#flights.get(key);
    if (flight === undefined || performance.now() - flight.sent.at >= maxAgeMs) return this.#lead(read, key, reason);
    const outcome = await withinTime(flight.outcome, timeLeft(caller));
    if (outcome?.failure === 'own-limit' && timeLeft(caller) >= outcome.usefulFromMs) return this.read(read, isRetry);
    // The call may have ended early for its own caller's lack of time. All that joined it share the next one, whatever
    // becomes of that.
    if (outcome?.failure === 'unanswered' && !isRetry) return this.read(read, true);
    this.#options.metrics.countCachedRead('joined');
    read.reader.use.recordJoin(reason);
    return outcome?.payload ?? readPayload(err(deadlineExceeded(caller)));
  }

  async #lead({ reader, call, send }: CacheableRead, key: string, reason: ForwardReason): Promise<PayloadResult> {
    const sent = { at: performance.now() };
    const end = (result: RequestResult): FlightOutcome => {
      const payload = readPayload(result);
      const isUsable = payload.ok && result.ok && isServiceBody(result.value.body) && !isOfStranger(reader);
      const isKept = isUsable && this.#kept.tryAdd(key, reader.tokenKey, { sentAt: sent.at, payload });
      return { payload, ...failureOf(result, reader.caller), isKept };
    };
    const flight = { sent, outcome: send({ ...call, sent }).then(end) };
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

  async #bypass({ reader, call, send }: CacheableRead): Promise<PayloadResult> {
    const payload = readPayload(await send(call));
    this.#options.metrics.countCachedRead('bypass');
    reader.use.recordCall('bypass', false);
    return payload;
  }
}

const isOfStranger = ({ caller }: CacheReader): boolean => caller.request.share.isStranger;

/** False for an object that only something on the way to the service can have sent, such as a firewall's. */
const isServiceBody = (body: unknown): boolean => Array.isArray(body) || decodeEnvelope(body) !== null;

function failureOf(result: RequestResult, caller: Caller): Pick<FlightOutcome, 'failure' | 'usefulFromMs'> {
  if (result.ok) return { failure: null, usefulFromMs: 0 };
  if (result.error.kind !== 'not-begun') return { failure: 'unanswered', usefulFromMs: 0 };
  const { error } = result.error;
  // A call that the rate limit keeps back for longer than its caller has is of use to those who have the time.
  const blockedForMs = error.kind === 'rate-limited' ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  const isOwnLimit = blockedForMs > timeLeft(caller) || isLimitOfCaller(error);
  return { failure: isOwnLimit ? 'own-limit' : 'unanswered', usefulFromMs: blockedForMs };
}

const isLimitOfCaller = (error: BackendError): boolean =>
  error.kind === 'too-costly' || (error.kind === 'unavailable' && error.isOutOfTime === true);
