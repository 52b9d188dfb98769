import { LRUCache } from 'lru-cache';
import { ok } from '../../core/base/result.ts';

interface MarkedScope {
  readonly generation: number;
  /** Each ends by itself at that `performance.now()`. */
  readonly marks: Set<{ readonly until: number }>;
}

/**
 * The marks of the writes of this process. A mark belongs to one write, and only that write ends it, whatever has become
 * of its scope since. Generations are never used twice, whatever is forgotten.
 */
export class LocalMarks {
  readonly isShared = false;
  readonly #scopes: LRUCache<string, MarkedScope>;
  readonly #markMs: number;
  #lastGeneration = 0;

  /** A scope without a write for `keptMs` is forgotten, since nothing is kept that was read before. */
  constructor({ markMs, keptMs }: { readonly markMs: number; readonly keptMs: number }) {
    this.#markMs = markMs;
    this.#scopes = new LRUCache({ ttl: Math.max(keptMs, markMs), ttlAutopurge: true });
  }

  generationOf(scope: string): string | null {
    const marked = this.#scopes.get(scope);
    if (marked === undefined) return '0';
    const now = performance.now();
    for (const mark of marked.marks) if (mark.until <= now) marked.marks.delete(mark);
    return marked.marks.size > 0 ? null : `${marked.generation}`;
  }

  async begin(scope: string) {
    const mark = { until: performance.now() + this.#markMs };
    this.#change(scope).add(mark);
    return ok({ end: () => this.#change(scope).delete(mark) });
  }

  /** Gives the scope another generation, and returns its marks, which stay as they are. */
  #change(scope: string): MarkedScope['marks'] {
    const marks: MarkedScope['marks'] = this.#scopes.get(scope)?.marks ?? new Set();
    this.#lastGeneration += 1;
    this.#scopes.set(scope, { generation: this.#lastGeneration, marks });
    return marks;
  }
}
