import type { ScopeMark } from '../../../state/shared/shared-state.ts';

interface MarkedScope {
  readonly generation: number;
  /** `performance.now()` of the last beginning or end of a mark. */
  readonly changedAt: number;
  /** `performance.now()` at which each mark ends by itself, by its ID. */
  readonly marks: Map<number, number>;
}

const NO_WRITES: ScopeMark = { generation: 0, isMarked: false };

/**
 * The marks of the writes of this process. A mark belongs to one write and ends by its ID, whatever has become of its
 * scope since. Generations are never used twice, whatever is forgotten.
 */
export class LocalMarks {
  readonly #scopes = new Map<string, MarkedScope>();
  readonly #rememberedMs: number;
  #lastGeneration = 0;
  #lastMarkId = 0;

  /** After `rememberedMs` without a write a scope is forgotten, since nothing is kept that was read before. */
  constructor(rememberedMs: number) {
    this.#rememberedMs = rememberedMs;
  }

  current(scope: string): ScopeMark {
    const marked = this.#scopes.get(scope);
    return marked === undefined ? NO_WRITES : { generation: marked.generation, isMarked: isMarked(marked) };
  }

  /** Marks a scope for `ms`. The result ends this mark and no other one; called again, it has no effect. */
  begin(scope: string, ms: number): () => void {
    this.#lastMarkId += 1;
    const markId = this.#lastMarkId;
    this.#change(scope).marks.set(markId, performance.now() + ms);
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      this.#change(scope).marks.delete(markId);
    };
  }

  /** Gives the scope another generation. Its marks stay as they are. */
  #change(scope: string): MarkedScope {
    this.#lastGeneration += 1;
    const marks = this.#scopes.get(scope)?.marks ?? new Map<number, number>();
    const changed = { generation: this.#lastGeneration, changedAt: performance.now(), marks };
    // Scopes are in the order of their last changes, so that those to be forgotten come first.
    this.#scopes.delete(scope);
    this.#scopes.set(scope, changed);
    this.#forgetFirst();
    return changed;
  }

  /** Looks at two scopes for each change, which adds at most one. A scope that is marked goes behind the others. */
  #forgetFirst(): void {
    const latest = performance.now() - this.#rememberedMs;
    for (const [scope, marked] of [...this.#scopes.entries().take(2)]) {
      if (marked.changedAt >= latest) return;
      this.#scopes.delete(scope);
      if (isMarked(marked)) this.#scopes.set(scope, marked);
    }
  }
}

function isMarked({ marks }: MarkedScope): boolean {
  const now = performance.now();
  for (const [markId, until] of marks) if (until <= now) marks.delete(markId);
  return marks.size > 0;
}
