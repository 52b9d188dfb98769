import { LRUCache } from 'lru-cache';
import type { ReadScope } from '../../core/backend.ts';
import { joinLeases, type Lease, openLease } from '../../core/base/lease.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { type BackendError, unavailable } from '../../core/errors.ts';
import type { SharedState } from '../../core/shared-state.ts';
import { unlessUnavailable } from '../../core/state-unavailable.ts';
import type { CallStep } from '../calls/call.ts';
import { isOutcomeKnown, notBegun, type ServiceCall } from '../calls/service-call.ts';

/** The invalidations of writes: in this process, or in the state that several gateways share. */
export interface Invalidations {
  readonly isShared: boolean;
  /**
   * The generation of a scope. It is equal at two times between which no write of the scope began or ended. Null while
   * a write is under way, and while that can't be known. A promise only where the state is shared: it resolves to what
   * the state has after the call.
   */
  generationOf(scope: string): Promise<string | null>;
  /** Invalidates the scope before a write. An error is the reason why the write must not be sent. */
  begin(scope: string): Promise<Result<Invalidation, BackendError>>;
}

interface Invalidation {
  /** The lease of the write. It expires before the invalidation does, where that is not ended. */
  readonly lease?: Lease | undefined;
  /** Ends the invalidation before the write is answered; it expires where the write may still take effect. */
  end(): unknown;
}

/** Invalidates the scope of each write before it is sent, and ends the invalidation before the write is answered. */
export const createInvalidationStep =
  (invalidations: Invalidations): CallStep =>
  async (call, next) => {
    if (call.operation.kind === 'read') return next(call);
    const begun = await invalidations.begin(scopeOf(call.token.key, call.operation));
    if (!begun.ok) return err(notBegun(begun.error));
    const invalidation = begun.value;
    const { lease } = invalidation;
    const result = await next(lease === undefined ? call : { ...call, lease: joinLeases([call.lease, lease]) });
    if (isOutcomeKnown(result)) await invalidation.end();
    return result;
  };

/** The scope of a read, or the scope that a write invalidates: the reads of one token. */
export const scopeOf = (tokenKey: string, call: ServiceCall): string =>
  `${tokenKey}:${call.kind === 'write' ? call.staleReads : readScopeOf(call)}`;

const readScopeOf = ({ path }: ServiceCall): ReadScope => (path[0] === 'Readers' ? 'groups' : 'articles');

interface InvalidationsOptions {
  readonly shared: SharedState | null;
  /** `open`: writes are sent without an invalidation while the state can't be reached. */
  readonly onFailure: 'closed' | 'open';
  /** The longest time of one call, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest time for which a response is kept, in milliseconds. */
  readonly keptMs: number;
}

/** A write begins within the time of a call and so many milliseconds after its invalidation. */
const BEGIN_MARGIN_MS = 1_000;

export function createInvalidations({ shared, onFailure, timeoutMs, keptMs }: InvalidationsOptions): Invalidations {
  const beginMs = timeoutMs + BEGIN_MARGIN_MS;
  // A write takes effect within the time of its call.
  const invalidMs = beginMs + timeoutMs;
  if (shared === null) return new LocalInvalidations({ invalidMs, keptMs });
  return {
    isShared: true,
    async generationOf(scope) {
      const [state] = (await unlessUnavailable(() => shared.invalidations.check([scope]))) ?? [];
      return state === undefined || state.isInvalid ? null : `${state.generation}`;
    },
    async begin(scope) {
      const lease = openLease(beginMs);
      const invalidation = await unlessUnavailable(() => shared.invalidations.begin(scope, invalidMs));
      // An invalidation that can't be ended expires.
      if (invalidation !== null) return ok({ lease, end: () => unlessUnavailable(() => invalidation.end()) });
      return onFailure === 'open' ? ok(NO_INVALIDATION) : err(unavailable(NOT_INVALIDATED_MESSAGE));
    },
  };
}

/** Used for a write without an invalidation. Other gateways may then answer with stale responses. */
const NO_INVALIDATION: Invalidation = { end: () => {} };

const NOT_INVALIDATED_MESSAGE =
  'The state that the gateways share cannot be reached, and without it the others would answer from their caches what was ' +
  'before this write; nothing was sent.';

interface InvalidScope {
  readonly generation: number;
  /** The invalidations that have not ended, with the `performance.now()` at which they expire. */
  readonly invalidations: Set<{ readonly until: number }>;
}

/**
 * The invalidations of the writes of this process. An invalidation belongs to one write, and only that write ends it.
 * Generations are never used twice, even when scopes are forgotten.
 *
 * @internal Exported for tests.
 */
export class LocalInvalidations {
  readonly isShared = false;
  readonly #scopes: LRUCache<string, InvalidScope>;
  readonly #invalidMs: number;
  #lastGeneration = 0;

  /** Scopes are forgotten after `keptMs` without a write, since all responses from before are gone by then. */
  constructor({ invalidMs, keptMs }: { readonly invalidMs: number; readonly keptMs: number }) {
    this.#invalidMs = invalidMs;
    // Without a resolution the cache asks the clock each time, instead of keeping a time by a timer of a millisecond.
    this.#scopes = new LRUCache({ ttl: Math.max(keptMs, invalidMs), ttlAutopurge: true, ttlResolution: 0 });
  }

  async generationOf(scope: string): Promise<string | null> {
    const scoped = this.#scopes.get(scope);
    if (scoped === undefined) return '0';
    const now = performance.now();
    for (const invalidation of scoped.invalidations)
      if (invalidation.until <= now) scoped.invalidations.delete(invalidation);
    return scoped.invalidations.size > 0 ? null : `${scoped.generation}`;
  }

  async begin(scope: string) {
    const invalidation = { until: performance.now() + this.#invalidMs };
    this.#change(scope).add(invalidation);
    return ok({ end: () => this.#change(scope).delete(invalidation) });
  }

  /** Gives the scope a new generation, and returns its invalidations. */
  #change(scope: string): InvalidScope['invalidations'] {
    const invalidations: InvalidScope['invalidations'] = this.#scopes.get(scope)?.invalidations ?? new Set();
    this.#lastGeneration += 1;
    this.#scopes.set(scope, { generation: this.#lastGeneration, invalidations });
    return invalidations;
  }
}
