import type { ScopeMark } from '../../../state/shared/shared-state.ts';

interface MarkedScope {
  readonly generation: number;
  /** `performance.now()` of the last beginning or end of a mark. */
  readonly changedAt: number;
  /** Each ends by itself at that `performance.now()`. */
  readonly marks: Set<{ readonly until: number }>;
}

const NO_WRITES: ScopeMark = { generation: 0, isMarked: false };

/**
 * The marks of the writes of this process. A mark belongs to one write, and only that write ends it, whatever has become
 * of its scope since. Generations are never used twice, whatever is forgotten.
 */
export class LocalMarks {
  /** In the order of their last changes, so that those to be forgotten come first. */
  readonly #scopes = new Map<string, MarkedScope>();
  readonly #rememberedMs: number;
  #lastGeneration = 0;

  /**
   * After `rememberedMs` without a write a scope is forgotten, since nothing is kept that was read before. No mark lasts for
   * longer.
   */
  constructor(rememberedMs: number) {
    this.#rememberedMs = rememberedMs;
  }

  current(scope: string): ScopeMark {
    const marked = this.#scopes.get(scope);
    if (marked === undefined) return NO_WRITES;
    const now = performance.now();
    for (const mark of marked.marks) if (mark.until <= now) marked.marks.delete(mark);
    return { generation: marked.generation, isMarked: marked.marks.size > 0 };
  }

  /** Marks a scope for `ms`. The result ends this mark and no other one; called again, it has no effect. */
  begin(scope: string, ms: number): () => void {
    const mark = { until: performance.now() + ms };
    this.#change(scope).add(mark);
    let isEnded = false;
    return () => {
      if (!isEnded) this.#change(scope).delete(mark);
      isEnded = true;
    };
  }

  /** Gives the scope another generation, and returns its marks, which stay as they are. */
  #change(scope: string): MarkedScope['marks'] {
    const now = performance.now();
    const marks: MarkedScope['marks'] = this.#scopes.get(scope)?.marks ?? new Set();
    this.#lastGeneration += 1;
    this.#scopes.delete(scope);
    this.#scopes.set(scope, { generation: this.#lastGeneration, changedAt: now, marks });
    for (const [first, { changedAt }] of this.#scopes) {
      if (changedAt >= now - this.#rememberedMs) break;
      this.#scopes.delete(first);
    }
    return marks;
  }
}
