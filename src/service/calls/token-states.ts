import { hash, randomBytes } from 'node:crypto';
import { isObject } from '../../core/base/json.ts';
import { MAX_ACCEPTED_TOKENS, MAX_IDLE_UNVERIFIED, REFUSED_TOKEN_MS } from '../../core/base/limits.ts';
import { ok } from '../../core/base/result.ts';
import type { Semaphore } from '../../core/base/semaphore.ts';
import type { RateLimit } from '../../core/rate-limit.ts';
import type { SharedState } from '../../core/shared-state.ts';
import { decodeEnvelope, payloadOf } from '../v2/envelope.ts';
import { CallBudget } from './call-budget.ts';
import type { RequestResult, ServiceCall, ServiceResponse } from './service-call.ts';
import { SharedCallBudget } from './shared-budget.ts';

/** How long a token counts as accepted after the last response that showed it. */
const ACCEPTED_MS = 60 * 60_000;

/** How long it counts as known, so that its calls need not wait for the answer to one of them. */
const KNOWN_MS = 24 * ACCEPTED_MS;

/** The longest text of a refusal that is kept. */
const MAX_REFUSAL_CHARS = 2_000;

/** No read begins with less time than this left: it could only be cut off. */
const MIN_READ_MS = 50;

/** No write begins with less time than this left, however quick the calls before it were. */
export const MIN_WRITE_MS = 1_000;

/** The number of a token's last calls whose durations are remembered. */
const MAX_REMEMBERED_CALLS = 20;

/** Durations are forgotten after this time, so that writes go on after a call that took longer than any request has. */
const MAX_REMEMBERED_MS = 60_000;

/** The calls of one token. The failures of one source do not stop the calls of others. */
export class CallSource {
  /** Failures in a row. */
  failures = 0;
  /** True where a read is among them. */
  hasReadFailed = false;
  isProbing = false;
}

/** The rate limit and the acceptance of one API token, as responses show them. The token itself is not kept. */
export class TokenState {
  /** A hash of the token and of the URL of the service. */
  readonly key: string;
  readonly budget: CallBudget;
  /** Counts the failures of its calls. */
  readonly source = new CallSource();
  /** Calls that are in flight or wait. */
  pending = 0;
  #acceptedUntil = Number.NEGATIVE_INFINITY;
  #knownUntil = Number.NEGATIVE_INFINITY;
  /** `performance.now()` when the other gateways were last informed of the acceptance. */
  #notedAt = Number.NEGATIVE_INFINITY;
  /** Null except after a response that refused the token. */
  #refusal: { readonly result: RequestResult; readonly endsAt: number } | null = null;
  /** True once a call has ended that says nothing of the token, such as one that failed. */
  #isUnclear = false;
  readonly #recentCalls: { readonly endedAt: number; readonly ms: number }[] = [];
  #nextCall = 0;

  constructor(key: string, budget: CallBudget) {
    this.key = key;
    this.budget = budget;
  }

  /** True where a response of the last hour has shown it. */
  get isAccepted(): boolean {
    return this.#acceptedUntil > performance.now();
  }

  /** True where a response of the last day has shown it, to any of the gateways. */
  get isKnown(): boolean {
    return this.#knownUntil > performance.now();
  }

  /** The response that refused the token a few seconds ago, without its headers; null where there is none. */
  get refusal(): RequestResult | null {
    return this.#refusal !== null && this.#refusal.endsAt > performance.now() ? this.#refusal.result : null;
  }

  /** False while calls of the token have to wait for the first answer. */
  get hasAnswer(): boolean {
    return this.isKnown || this.#isUnclear || this.refusal !== null;
  }

  /** True once an hour while the token is accepted. */
  isDueToNote(): boolean {
    const now = performance.now();
    const isDue = this.isAccepted && now - this.#notedAt >= ACCEPTED_MS;
    if (isDue) this.#notedAt = now;
    return isDue;
  }

  /** Another gateway has seen the token accepted. */
  setKnown(): void {
    this.#knownUntil = performance.now() + KNOWN_MS;
    this.budget.isShared = true;
  }

  onResponse(result: RequestResult): void {
    if (result.ok && result.value.httpStatus === 401 && result.value.foreign === undefined) this.#refuse(result.value);
    else if (result.ok && showsAcceptance(result.value)) {
      this.setKnown();
      this.#acceptedUntil = performance.now() + ACCEPTED_MS;
      this.#refusal = null;
    } else if (result.ok || result.error.kind !== 'not-begun') this.#isUnclear = true;
    this.budget.onResponse(result);
  }

  #refuse({ body }: ServiceResponse): void {
    // A token that was known until now is asked for once more, so that one stray 401 refuses nobody.
    const isRemembered = !this.isKnown;
    this.#acceptedUntil = Number.NEGATIVE_INFINITY;
    this.#knownUntil = Number.NEGATIVE_INFINITY;
    this.#isUnclear = false;
    this.budget.isShared = false;
    const isKept = body !== undefined && JSON.stringify(body).length <= MAX_REFUSAL_CHARS;
    const result = ok({ httpStatus: 401, headers: {}, body: isKept ? body : undefined });
    this.#refusal = isRemembered ? { result, endsAt: performance.now() + REFUSED_TOKEN_MS } : null;
  }

  recordDuration(ms: number): void {
    this.#recentCalls[this.#nextCall] = { endedAt: performance.now(), ms };
    this.#nextCall = (this.#nextCall + 1) % MAX_REMEMBERED_CALLS;
  }

  /** Milliseconds that must be left of a request for a call to begin. */
  minTimeLeftMs(kind: ServiceCall['kind']): number {
    if (kind === 'read') return MIN_READ_MS;
    const since = performance.now() - MAX_REMEMBERED_MS;
    return this.#recentCalls.reduce(
      (most, { endedAt, ms }) => (endedAt < since ? most : Math.max(most, ms)),
      MIN_WRITE_MS,
    );
  }
}

/**
 * Only what a caller with a made-up token cannot bring about shows that a token is accepted: JSON with success, or the service's
 * own 403. A proxy or firewall sends 400, 403, 404, 413 and 429 for any token.
 */
function showsAcceptance({ httpStatus, body }: ServiceResponse): boolean {
  if (httpStatus === 403) return decodeEnvelope(body, httpStatus) !== null;
  if (httpStatus < 200 || httpStatus > 299) return false;
  // Published examples of a 200 have `success: false` and content: see docs/service.md, "Status codes".
  return isObject(body) ? body['success'] !== false || payloadOf(body) != null : Array.isArray(body);
}

interface TokenStatesOptions {
  /** The slots of the calls of all tokens. */
  readonly slots: Semaphore;
  /** The most accepted tokens that are remembered: those that were used last. */
  readonly maxTokens?: number;
  /** Null where the gateway knows of no other in front of the same service. */
  readonly shared?: SharedState | null;
  /** A budget is that of a token at one service. Equal for all gateways in front of it. */
  readonly serviceUrl?: string;
}

/** The states of all API tokens, found by the names of the tokens, which are hashes. */
export class TokenStates {
  readonly #maxTokens: number;
  readonly #serviceUrl: string;
  readonly #createBudget: (key: string) => CallBudget;
  /** Least recently used first, apart from the others, which therefore push out none of these. */
  readonly #known = new Map<string, TokenState>();
  /** Tokens with pending calls, whose number the waiting rooms bound, and tokens with a known rate limit or refusal. */
  readonly #others = new Map<string, TokenState>();
  /** The token that was named last. Most requests come with the same one, and a hash takes a microsecond. */
  #lastNamed = { apiToken: '', key: '' };

  constructor({ slots, maxTokens = MAX_ACCEPTED_TOKENS, shared = null, serviceUrl = '' }: TokenStatesOptions) {
    this.#maxTokens = maxTokens;
    this.#serviceUrl = serviceUrl;
    const row = shared && { shared, gateway: randomBytes(9).toString('base64url') };
    this.#createBudget = (key) => (row === null ? new CallBudget(slots, key) : new SharedCallBudget(slots, key, row));
  }

  /** Names an API token at the service. Other gateways in front of it have the same name for it. */
  keyOf(apiToken: string): string {
    if (apiToken !== this.#lastNamed.apiToken) {
      const key = hash('sha256', JSON.stringify([this.#serviceUrl, apiToken]), 'base64url');
      this.#lastNamed = { apiToken, key };
    }
    return this.#lastNamed.key;
  }

  /** The token's state for one call. Until `release`, all calls get the same object. */
  acquire(key: string): TokenState {
    const state = this.find(key) ?? new TokenState(key, this.#createBudget(key));
    if (!this.#known.has(key)) this.#others.set(key, state);
    state.pending += 1;
    return state;
  }

  /** Must be called once for each `acquire`, after the response. */
  release(state: TokenState): void {
    state.pending -= 1;
    if (!state.isKnown && state.pending > 0) return;
    this.#known.delete(state.key);
    this.#others.delete(state.key);
    if (state.isKnown) remember(this.#known, state, this.#maxTokens);
    else if (state.refusal !== null || state.budget.current() !== null)
      remember(this.#others, state, MAX_IDLE_UNVERIFIED);
  }

  find(key: string): TokenState | undefined {
    return this.#known.get(key) ?? this.#others.get(key);
  }

  /**
   * The rate limit of the accepted token with the fewest calls left; null while none is known. Others can send calls with
   * any other token, so what remains of one says nothing of the gateway's own calls.
   */
  lowestRateLimit(): RateLimit | null {
    let lowest: RateLimit | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const { budget } of this.#known.values()) {
      const current = budget.current();
      if (current?.remaining == null || current.remaining >= fewest) continue;
      [lowest, fewest] = [current, current.remaining];
    }
    return lowest;
  }
}

/** The first of the others with nothing pending makes room. */
function remember(states: Map<string, TokenState>, state: TokenState, max: number): void {
  states.set(state.key, state);
  if (states.size <= max) return;
  const idle = states.values().find(({ pending }) => pending === 0);
  if (idle) states.delete(idle.key);
}
