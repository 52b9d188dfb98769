import type { ScopeMark, SharedState } from '../../../state/shared/shared-state.ts';
import { StateUnavailable } from '../../../state/state-unavailable.ts';

type MarksByScope = ReadonlyMap<string, ScopeMark>;

/** The scopes of the next check. */
interface NextCheck {
  readonly scopes: Set<string>;
  readonly marks: Promise<MarksByScope | null>;
}

/** Checks the marks of many reads by few calls of the state: one at a time, for all that have come by then. */
export class SharedChecks {
  readonly #shared: SharedState;
  #next: NextCheck | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(shared: SharedState) {
    this.#shared = shared;
  }

  /** The mark as it is after the call; null where nothing may come from a cache. */
  async check(scope: string): Promise<ScopeMark | null> {
    if (this.#shared.problem() !== null) return null;
    this.#next ??= this.#prepareCheck();
    this.#next.scopes.add(scope);
    const marks = await this.#next.marks;
    return marks?.get(scope) ?? null;
  }

  #prepareCheck(): NextCheck {
    const scopes = new Set<string>();
    const marks = this.#last.then(() => {
      this.#next = null;
      return this.#checkAll([...scopes]);
    });
    this.#last = marks.catch(() => {});
    return { scopes, marks };
  }

  async #checkAll(scopes: readonly string[]): Promise<MarksByScope | null> {
    try {
      const marks = await this.#shared.readMarks.check(scopes);
      return marks && new Map(marks.map((mark, index) => [scopes[index] ?? '', mark]));
    } catch (error) {
      if (error instanceof StateUnavailable) return null;
      throw error;
    }
  }
}
