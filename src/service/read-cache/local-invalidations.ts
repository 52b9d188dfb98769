import { LRUCache } from 'lru-cache';
import { ok } from '../../core/base/result.ts';

interface InvalidScope {
  readonly generation: number;
  /** The invalidations that have not ended, with the `performance.now()` at which they expire. */
  readonly invalidations: Set<{ readonly until: number }>;
}

/**
 * The invalidations of the writes of this process. An invalidation belongs to one write, and only that write ends it.
 * Generations are never used twice, even when scopes are forgotten.
 */
export class LocalInvalidations {
  readonly isShared = false;
  readonly #scopes: LRUCache<string, InvalidScope>;
  readonly #invalidMs: number;
  #lastGeneration = 0;

  /** Scopes are forgotten after `keptMs` without a write, since all responses from before are gone by then. */
  constructor({ invalidMs, keptMs }: { readonly invalidMs: number; readonly keptMs: number }) {
    this.#invalidMs = invalidMs;
    this.#scopes = new LRUCache({ ttl: Math.max(keptMs, invalidMs), ttlAutopurge: true });
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
