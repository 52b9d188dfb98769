import type { ScopeMark } from '../../../state/shared/shared-state.ts';

/** A mark of this process. */
interface LocalMark {
  /** `performance.now()`. */
  readonly until: number;
}

interface MarkedScope {
  generation: number;
  changedAt: number;
  readonly marks: Set<LocalMark>;
}

const NO_WRITES: ScopeMark = { generation: 0, isMarked: false };

/** The marks of the writes of this process. Generations are never used twice, whatever is forgotten. */
export class LocalMarks {
  readonly #scopes = new Map<string, MarkedScope>();
  readonly #rememberedMs: number;
  #lastGeneration = 0;

  /** After `rememberedMs` without a write a scope is forgotten, since nothing is kept that was read before. */
  constructor(rememberedMs: number) {
    this.#rememberedMs = rememberedMs;
  }

  current(scope: string): ScopeMark {
    const marked = this.#scopes.get(scope);
    return marked === undefined ? NO_WRITES : { generation: marked.generation, isMarked: isMarked(marked) };
  }

  /** Marks a scope for `ms`. The result lifts the mark. */
  begin(scope: string, ms: number): () => void {
    const mark = { until: performance.now() + ms };
    const marked = this.#change(scope);
    marked.marks.add(mark);
    return () => {
      marked.marks.delete(mark);
      this.#change(scope, marked);
    };
  }

  #change(scope: string, marked = this.#scopes.get(scope) ?? createScope()): MarkedScope {
    this.#lastGeneration += 1;
    marked.generation = this.#lastGeneration;
    marked.changedAt = performance.now();
    // Scopes are in the order of their last changes, so that those to be forgotten come first.
    this.#scopes.delete(scope);
    this.#scopes.set(scope, marked);
    this.#forgetFirst();
    return marked;
  }

  /** Two for each change, which adds at most one. A scope with a mark comes last again. */
  #forgetFirst(): void {
    const latest = performance.now() - this.#rememberedMs;
    for (const [scope, marked] of [...this.#scopes.entries().take(2)]) {
      if (marked.changedAt >= latest) return;
      this.#scopes.delete(scope);
      if (isMarked(marked)) this.#scopes.set(scope, marked);
    }
  }
}

const createScope = (): MarkedScope => ({ generation: 0, changedAt: 0, marks: new Set() });

function isMarked({ marks }: MarkedScope): boolean {
  const now = performance.now();
  for (const mark of marks) if (mark.until <= now) marks.delete(mark);
  return marks.size > 0;
}
