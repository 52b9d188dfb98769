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

/** A token counts as accepted for so long after the last response that showed it. */
const ACCEPTED_MS = 60 * 60_000;

/** A token counts as known for so long, so that its calls need not wait for the first answer. */
const KNOWN_MS = 24 * ACCEPTED_MS;

/** The longest text of a refusal that is kept. */
const MAX_REFUSAL_CHARS = 2_000;

/** The least time left with which a read begins. With less, it could only be cut off. */
const MIN_READ_MS = 50;

/** The least time left with which a write begins, however quick the calls before it were. */
export const MIN_WRITE_MS = 1_000;

/** The number of a token's last calls whose durations are remembered. */
const MAX_REMEMBERED_CALLS = 20;

/** Durations are forgotten after this time, so that writes go on after a call that took longer than any request has. */
const MAX_REMEMBERED_MS = 60_000;

/** The rate limit and the acceptance of one API token, as responses show them. The token itself is not kept. */
export class TokenState {
  /** A hash of the token and of the URL of the service. */
  readonly key: string;
  readonly budget: CallBudget;
  /** The failures of its calls in a row, which are counted by token so that one token does not stop the calls of others. */
  failures = 0;
  /** True where a read is among the failures. */
  hasReadFailed = false;
  /** True while one of its calls finds out whether the service answers again. */
  isProbing = false;
  /** The number of calls that are in flight or wait. */
  pending = 0;
  #acceptedUntil = Number.NEGATIVE_INFINITY;
  #knownUntil = Number.NEGATIVE_INFINITY;
  /** `performance.now()` when the other gateways were last informed of the acceptance. */
  #notedAt = Number.NEGATIVE_INFINITY;
  /** The last response that refused the token, for some seconds; null without one. */
  #refusal: { readonly result: RequestResult; readonly endsAt: number } | null = null;
  /** True once a call has ended that shows nothing about the token, such as a failed one. */
  #isUnclear = false;
  readonly #recentCalls: { readonly endedAt: number; readonly ms: number }[] = [];
  #nextCall = 0;

  constructor(key: string, budget: CallBudget) {
    this.key = key;
    this.budget = budget;
  }

  /** True where a response of the last hour has shown that the token is accepted. */
  get isAccepted(): boolean {
    return this.#acceptedUntil > performance.now();
  }

  /** True where a response of the last day has shown to any of the gateways that the token is accepted. */
  get isKnown(): boolean {
    return this.#knownUntil > performance.now();
  }

  /** The response of the last few seconds that refused the token, without its headers; null where there is none. */
  get refusal(): RequestResult | null {
    return this.#refusal !== null && this.#refusal.endsAt > performance.now() ? this.#refusal.result : null;
  }

  /** False while calls of the token have to wait for the first answer. */
  get hasAnswer(): boolean {
    return this.isKnown || this.#isUnclear || this.refusal !== null;
  }

  /** True at most once an hour, while the token is accepted. */
  isDueToNote(): boolean {
    const now = performance.now();
    const isDue = this.isAccepted && now - this.#notedAt >= ACCEPTED_MS;
    if (isDue) this.#notedAt = now;
    return isDue;
  }

  /** Called when another gateway has seen the token accepted. */
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
    // A known token is verified once more before it is refused, so that a single wrong 401 refuses nobody.
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
    let most = MIN_WRITE_MS;
    for (const { endedAt, ms } of this.#recentCalls) if (endedAt >= since && ms > most) most = ms;
    return most;
  }
}

/**
 * True where the response can't be caused by an unverified token: JSON with success, or the service's own 403. A proxy
 * or firewall sends 400, 403, 404, 413 and 429 for any token.
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
  /** The most accepted tokens that are remembered, the recently used ones. */
  readonly maxTokens?: number;
  /** The state that gateways share; null where there is no other gateway in front of the same service. */
  readonly shared?: SharedState | null;
  /** The URL of the service, which is a part of the budget's name. It is equal for all gateways in front of it. */
  readonly serviceUrl?: string;
}

/** The states of all API tokens, by the hashes of the tokens. */
export class TokenStates {
  readonly #maxTokens: number;
  readonly #serviceUrl: string;
  readonly #createBudget: (key: string) => CallBudget;
  /** The known tokens, least recently used first. Others are kept apart, so that they never replace known ones. */
  readonly #known = new Map<string, TokenState>();
  /** Tokens with pending calls, whose number the waiting rooms bound, and tokens with a known rate limit or refusal. */
  readonly #others = new Map<string, TokenState>();
  /** The last token with its hash. Most requests have the same token, and a hash takes a microsecond. */
  #lastNamed = { apiToken: '', key: '' };

  constructor({ slots, maxTokens = MAX_ACCEPTED_TOKENS, shared = null, serviceUrl = '' }: TokenStatesOptions) {
    this.#maxTokens = maxTokens;
    this.#serviceUrl = serviceUrl;
    const row = shared && { shared, gateway: randomBytes(9).toString('base64url') };
    this.#createBudget = (key) => (row === null ? new CallBudget(slots, key) : new SharedCallBudget(slots, key, row));
  }

  /** The hash that names an API token at the service. Other gateways in front of it have the same name for it. */
  keyOf(apiToken: string): string {
    if (apiToken !== this.#lastNamed.apiToken) {
      const key = hash('sha256', JSON.stringify([this.#serviceUrl, apiToken]), 'base64url');
      this.#lastNamed = { apiToken, key };
    }
    return this.#lastNamed.key;
  }

  /** The token's state for one call. All calls get the same object until it is released. */
  acquire(key: string): TokenState {
    const state = this.find(key) ?? new TokenState(key, this.#createBudget(key));
    if (!this.#known.has(key)) this.#others.set(key, state);
    state.pending += 1;
    return state;
  }

  /** Ends a call. It must be called once for each `acquire`, after the response. */
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
   * The rate limit of the accepted token with the fewest calls left; null while none is known. Other tokens are left
   * out, since anybody can send calls with them.
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

/** Adds the state. Where there are too many, the first one without pending calls is removed. */
function remember(states: Map<string, TokenState>, state: TokenState, max: number): void {
  states.set(state.key, state);
  if (states.size <= max) return;
  const idle = states.values().find(({ pending }) => pending === 0);
  if (idle) states.delete(idle.key);
}
