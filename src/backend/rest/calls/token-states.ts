import { hash, randomBytes } from 'node:crypto';
import { isObject } from '../../../base/json.ts';
import { MAX_ACCEPTED_TOKENS, MAX_IDLE_UNTRUSTED } from '../../../base/limits.ts';
import type { Semaphore } from '../../../base/semaphore.ts';
import type { VerdictListener } from '../../../domain/callers/request-record.ts';
import type { RateLimit } from '../../../domain/rate-limit.ts';
import type { SharedState } from '../../../state/shared/shared-state.ts';
import { decodeEnvelope, payloadOf } from '../../../v2/envelope.ts';
import { CallBudget } from './call-budget.ts';
import type { RequestResult, ServiceCall, ServiceResponse } from './service-call.ts';
import { SharedCallBudget } from './shared-budget.ts';

/** How long a token counts as accepted after the last response that showed it. */
const ACCEPTED_MS = 60 * 60_000;

/** No read begins with less time than this left: it could only be cut off. */
const MIN_READ_MS = 50;

/** No write begins with less time than this left, however quick the calls before it were. */
export const MIN_WRITE_MS = 1_000;

/** The number of a token's last calls whose durations are remembered. */
const MAX_REMEMBERED_CALLS = 20;

/** Durations are forgotten after this time, so that writes go on after a call that took longer than any request has. */
const MAX_REMEMBERED_MS = 60_000;

/** One accepted token, or all strangers together. The failures of one source do not stop the calls of others. */
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
  /** Counts the failures of its calls while it is accepted. */
  readonly source = new CallSource();
  /** One for each call that is in flight or waits, and for each caller who waits for a verdict. */
  readonly pending: VerdictListener[] = [];
  #acceptedUntil = Number.NEGATIVE_INFINITY;
  readonly #recentCalls: { readonly endedAt: number; readonly ms: number }[] = [];
  #nextCall = 0;

  constructor(key: string, budget: CallBudget) {
    this.key = key;
    this.budget = budget;
  }

  get isAccepted(): boolean {
    return this.#acceptedUntil > performance.now();
  }

  onResponse(result: RequestResult): void {
    if (result.ok && result.value.httpStatus === 401 && result.value.foreign === undefined) {
      this.#acceptedUntil = Number.NEGATIVE_INFINITY;
      this.budget.isShared = false;
      this.#tellVerdict(false);
    } else if (result.ok && showsAcceptance(result.value)) {
      this.#acceptedUntil = performance.now() + ACCEPTED_MS;
      this.budget.isShared = true;
      this.#tellVerdict(true);
    }
    this.budget.onResponse(result);
  }

  #tellVerdict(isAccepted: boolean): void {
    for (const listener of this.pending) listener.tellVerdict(isAccepted);
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
 * Only what an untrusted caller cannot bring about shows that a token is accepted: JSON with success, or the service's
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
  readonly #accepted = new Map<string, TokenState>();
  /** Tokens with something pending, whose number the door bounds, and tokens with a known rate limit. */
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

  /** The token's state for one call, or for whoever waits for a verdict. Until `release`, everybody gets the same object. */
  acquire(key: string, listener: VerdictListener): TokenState {
    const state = this.find(key) ?? new TokenState(key, this.#createBudget(key));
    if (!this.#accepted.has(key)) this.#others.set(key, state);
    state.pending.push(listener);
    return state;
  }

  /** Must be called once for each `acquire`, after the response. */
  release(state: TokenState, listener: VerdictListener): void {
    state.pending.splice(state.pending.indexOf(listener), 1);
    if (!state.isAccepted && state.pending.length > 0) return;
    this.#accepted.delete(state.key);
    this.#others.delete(state.key);
    if (state.isAccepted) remember(this.#accepted, state, this.#maxTokens);
    else if (state.budget.current() !== null) remember(this.#others, state, MAX_IDLE_UNTRUSTED);
  }

  find(key: string): TokenState | undefined {
    return this.#accepted.get(key) ?? this.#others.get(key);
  }

  /**
   * The rate limit of the accepted token with the fewest calls left; null while none is known. Others can send calls with
   * any other token, so what remains of one says nothing of the gateway's own calls.
   */
  lowestRateLimit(): RateLimit | null {
    let lowest: RateLimit | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const { budget } of this.#accepted.values()) {
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
  const idle = states.values().find(({ pending }) => pending.length === 0);
  if (idle) states.delete(idle.key);
}
