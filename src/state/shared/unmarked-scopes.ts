import { insertMarks } from './read-generations.ts';
import type { LinkedState } from './state-link.ts';

export interface UnmarkedScope {
  readonly scope: string;
  /** `performance.now()` until which the write may take effect. */
  readonly until: number;
}

/** Longer than a write that could not be marked waits before it is sent, which is until its gateway is missing. */
const SEND_DELAY_MS = 10_000;

/** Scopes that are remembered. Once there are more, this gateway stays missing until all of the others have ended. */
const MAX_UNMARKED = 200;

/**
 * The scopes of writes that could not be marked. They are marked when this gateway comes back, since such a write may
 * have been sent, and the others use their caches from then on.
 */
export class UnmarkedScopes {
  readonly #untilByScope = new Map<string, number>();
  #othersUntil = 0;

  add(scope: string, ms: number): void {
    const until = performance.now() + SEND_DELAY_MS + ms;
    const isKnown = this.#untilByScope.has(scope);
    if (isKnown || this.#untilByScope.size < MAX_UNMARKED) this.#untilByScope.set(scope, until);
    else this.#othersUntil = until;
  }

  /** `performance.now()` before which this gateway must not come back. */
  get comesBackAt(): number {
    return this.#othersUntil;
  }

  pending(): readonly UnmarkedScope[] {
    return [...this.#untilByScope].map(([scope, until]) => ({ scope, until }));
  }

  forget(scopes: readonly UnmarkedScope[]): void {
    for (const { scope, until } of scopes) {
      if (this.#untilByScope.get(scope) === until) this.#untilByScope.delete(scope);
    }
  }

  async mark(state: LinkedState, scopes: readonly UnmarkedScope[]): Promise<void> {
    const now = performance.now();
    const marks = scopes.map(({ scope, until }) => ({ scope, ms: until - now })).filter(({ ms }) => ms > 0);
    if (marks.length > 0) await insertMarks(state, marks);
  }
}
