import { setImmediate as nextTick } from 'node:timers/promises';
import { withinTime } from '../../core/base/clock.ts';
import { err } from '../../core/base/result.ts';
import { type Caller, timeLeft } from '../../core/callers/caller.ts';
import type { ForwardReason } from '../../core/callers/request-report.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { Upstream } from '../calls/call-pipeline.ts';
import { type PayloadResult, readPayload } from '../calls/read-response.ts';
import { deadlineExceeded, type ReadOperation, type RequestResult } from '../calls/service-call.ts';
import { decodeEnvelope } from '../v2/envelope.ts';
import { type Invalidations, scopeOf } from './invalidations.ts';
import { KeptResponses } from './kept-responses.ts';

interface ReadCacheOptions {
  /**
   * The invalidations; null where nothing is kept. Equal reads then use one call together only until it is sent, so
   * that no write lies between.
   */
  readonly invalidations: Invalidations | null;
  readonly upstream: Upstream;
  /** Milliseconds after its call was sent for which a response may be used. */
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  readonly metrics: Metrics;
}

interface CacheableRead {
  readonly caller: Caller;
  readonly call: ReadOperation;
  /** The path and the query of the call. Equal calls have equal names. */
  readonly name: string;
  /** Makes the call, if the cache has no response. */
  readonly send: (call: ReadOperation) => Promise<RequestResult>;
}

interface ReadFlight {
  /** `performance.now()` when the call was last sent; infinite before that. */
  readonly sent: { readonly at: number };
  /** True once another read waits for the same response. */
  readonly joined: { is: boolean };
  readonly outcome: Promise<FlightOutcome>;
}

interface FlightOutcome {
  readonly payload: PayloadResult;
  /** False where the call failed, possibly because its own caller had too little time or too few calls. */
  readonly isAnswered: boolean;
  readonly isKept: boolean;
}

/** The key of a read in the cache, with its previous failures. */
interface ReadPlace {
  /** Reads with the same key have the same response, except for changes by others at the service. */
  readonly key: string;
  /** The number of failed calls that the read has joined. */
  readonly failures: number;
}

/**
 * Serves the reads of queries by earlier responses, and equal concurrent reads by one call. A key contains the
 * generation that its scope had before the call, so a response is used only while that is current: see
 * docs/decisions/0033-read-cache.md. All reads that a response serves get the same object, so that it is decoded once:
 * see docs/decisions/0044-decoded-once.md.
 */
export class ReadCache {
  readonly #options: ReadCacheOptions;
  readonly #kept: KeptResponses | null;
  /** The calls in flight by key. Each is removed when it ends. */
  readonly #flights = new Map<string, ReadFlight>();

  constructor(options: ReadCacheOptions) {
    this.#options = options;
    const kept = options.invalidations && new KeptResponses(options.maxBytes);
    if (kept) options.metrics.observe('readCacheBytes', () => kept.bytes);
    this.#kept = kept;
  }

  /** False for mutations and jobs, which compare what they read with what they write. */
  serves(caller: Caller): boolean {
    return caller.operationType === 'query';
  }

  async read(read: CacheableRead, failures = 0): Promise<PayloadResult> {
    const { caller, call, name } = read;
    const { invalidations, upstream } = this.#options;
    const tokenKey = upstream.tokenKeyOf(caller);
    // Unverified tokens must not cost calls of the shared state. After two failed calls, which may have failed because
    // of their callers, a read has a call of its own.
    const isUnknown = invalidations?.isShared && !upstream.isAccepted(caller);
    const isBypassed = !caller.request.freshness.mayBeKept || isUnknown || failures === 2;
    if (tokenKey === null || isBypassed) return this.#bypass(read);
    const generation = invalidations ? await invalidations.generationOf(scopeOf(tokenKey, call)) : '';
    return generation === null
      ? this.#bypass(read)
      : this.#serve(read, { key: `${tokenKey}:${generation}:${name}`, failures });
  }

  async #serve(read: CacheableRead, place: ReadPlace): Promise<PayloadResult> {
    const { request } = read.caller;
    const kept = this.#options.upstream.isAccepted(read.caller) ? this.#kept?.find(place.key) : undefined;
    if (kept === undefined) return this.#serveByCall(read, place, 'miss');
    const ageMs = performance.now() - kept.sentAt;
    if (ageMs >= this.#options.maxAgeMs) return this.#serveByCall(read, place, 'stale');
    if (ageMs >= request.freshness.maxAgeMs) return this.#serveByCall(read, place, 'request');
    this.#options.metrics.countCachedRead('hit');
    request.report.add({ kind: 'cached-read', result: 'hit', sentAt: kept.sentAt });
    return kept.payload;
  }

  async #serveByCall(read: CacheableRead, place: ReadPlace, reason: ForwardReason): Promise<PayloadResult> {
    const { caller } = read;
    const maxAgeMs = Math.min(this.#options.maxAgeMs, caller.request.freshness.maxAgeMs);
    const flight = this.#flights.get(place.key);
    if (flight === undefined || performance.now() - flight.sent.at >= maxAgeMs) return this.#lead(read, place, reason);
    flight.joined.is = true;
    const outcome = await withinTime(flight.outcome, timeLeft(caller));
    // All reads that joined a failed call join the next one together. After that each has its own.
    if (outcome?.isAnswered === false) return this.read(read, place.failures + 1);
    this.#options.metrics.countCachedRead('joined');
    caller.request.report.add({ kind: 'cached-read', result: 'joined', reason });
    return outcome?.payload ?? readPayload(err(deadlineExceeded(caller)));
  }

  async #lead({ caller, call, send }: CacheableRead, place: ReadPlace, reason: ForwardReason): Promise<PayloadResult> {
    const { key } = place;
    const sent = { at: Number.POSITIVE_INFINITY };
    const joined = { is: false };
    const makeCall = async (): Promise<FlightOutcome> => {
      if (this.#kept === null) await nextTick();
      const result = await send({ ...call, sent, isShared: () => joined.is });
      const payload = readPayload(result);
      const isAccepted = this.#options.upstream.isAccepted(caller);
      const isUsable = payload.ok && result.ok && isServiceBody(result.value.body) && isAccepted;
      const isKept = isUsable && this.#kept?.tryAdd(key, { sentAt: sent.at, payload }) === true;
      return { payload, isAnswered: result.ok, isKept };
    };
    const flight = { sent, joined, outcome: makeCall() };
    this.#flights.set(key, flight);
    try {
      const { payload, isKept } = await flight.outcome;
      this.#options.metrics.countCachedRead('miss');
      caller.request.report.add({ kind: 'cached-read', result: 'called', reason, isKept });
      return payload;
    } finally {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    }
  }

  async #bypass({ caller, call, send }: CacheableRead): Promise<PayloadResult> {
    const payload = readPayload(await send(call));
    this.#options.metrics.countCachedRead('bypass');
    caller.request.report.add({ kind: 'cached-read', result: 'called', reason: 'bypass', isKept: false });
    return payload;
  }
}

/** False for an object that only something on the way to the service can have sent, such as a firewall's. */
const isServiceBody = (body: unknown): boolean => Array.isArray(body) || decodeEnvelope(body) !== null;
