import { LRUCache } from 'lru-cache';
import { ok } from '../../../base/result.ts';

interface MarkedScope {
  generation: number;
  readonly marks: Mark[];
  /** `performance.now()` from which its time is counted. */
  readonly since: number;
}

interface Mark {
  /** `performance.now()` at which it ends by itself. */
  readonly until: number;
}

/**
 * The marks of the writes of this process. A mark belongs to one write, and only that write ends it, whatever has become
 * of its scope since. Generations are never used twice, whatever is forgotten.
 */
export class LocalMarks {
  readonly isShared = false;
  readonly #scopes: LRUCache<string, MarkedScope>;
  readonly #markMs: number;
  readonly #keptMs: number;
  #lastGeneration = 0;

  /**
   * A scope is forgotten once it was without a write for `keptMs`, since nothing is kept that was read before. Its time is
   * twice as long, and begins anew once half of it is over: a timer for each write would cost more than all else here.
   */
  constructor({ markMs, keptMs }: { readonly markMs: number; readonly keptMs: number }) {
    this.#markMs = markMs;
    this.#keptMs = Math.max(keptMs, markMs);
    this.#scopes = new LRUCache({ ttl: 2 * this.#keptMs, ttlAutopurge: true });
  }

  generationOf(scope: string): string | null {
    const marked = this.#scopes.get(scope);
    if (marked === undefined) return '0';
    dropEnded(marked.marks);
    return marked.marks.length > 0 ? null : `${marked.generation}`;
  }

  async begin(scope: string) {
    const mark = { until: performance.now() + this.#markMs };
    this.#change(scope).push(mark);
    return ok({ end: () => remove(this.#change(scope), mark) });
  }

  /** Gives the scope another generation, and returns its marks, which stay as they are. */
  #change(scope: string): Mark[] {
    const now = performance.now();
    let marked = this.#scopes.get(scope);
    if (marked === undefined || now - marked.since >= this.#keptMs) {
      marked = { generation: 0, marks: marked?.marks ?? [], since: now };
      this.#scopes.set(scope, marked);
    }
    dropEnded(marked.marks);
    this.#lastGeneration += 1;
    marked.generation = this.#lastGeneration;
    return marked.marks;
  }
}

/** The mark may have been dropped before. */
function remove(marks: Mark[], mark: Mark): void {
  const index = marks.indexOf(mark);
  if (index !== -1) marks.splice(index, 1);
}

/** They are in the order of their ends. */
function dropEnded(marks: Mark[]): void {
  const now = performance.now();
  while (marks[0] !== undefined && marks[0].until <= now) marks.shift();
}
