import type { CompleteValue, ResolveInfo } from './execution-context.ts';
import type { Path } from './field-errors.ts';
import { ignoreRejection, isPromise } from './promises.ts';

/** CompleteValue of the specification for lists; `complete` completes an item. */
export const completeListValue =
  (complete: CompleteValue): CompleteValue =>
  (info, path, value) => {
    if (!isIterableObject(value)) {
      throw new TypeError(`Expected Iterable, but did not find one for field "${info.qualifiedName}".`);
    }
    const completion = new ListCompletion({ info, path, complete, values: value });
    return completion.completeItems() ? completion.result() : completion.completeRest();
  };

interface ListOptions {
  readonly info: ResolveInfo;
  readonly path: Path;
  readonly complete: CompleteValue;
  readonly values: Iterable<unknown>;
}

/** Completes the items of one list. A generator is advanced only as far as the budget goes. */
class ListCompletion {
  readonly #options: ListOptions;
  readonly #values: Iterator<unknown>;
  readonly #items: unknown[] = [];
  /** True when an item that was begun may not be complete. */
  #isPending = false;

  constructor(options: ListOptions) {
    this.#options = options;
    this.#values = options.values[Symbol.iterator]();
  }

  /** Completes items until the task should yield or too many fields wait. True when none is left. */
  completeItems(): boolean {
    const { info, path, complete } = this.#options;
    const { exeContext } = info;
    const { budget, task } = exeContext;
    try {
      for (let next = this.#values.next(); !next.done; next = this.#values.next()) {
        budget.chargeFields(1);
        task.charge(1);
        const completed = complete(info, { prev: path, key: this.#items.length, typename: undefined }, next.value);
        this.#isPending ||= isPromise(completed);
        this.#items.push(completed);
        if (task.shouldYield || (this.#isPending && exeContext.hasManyPending)) return false;
      }
      return true;
    } catch (error) {
      // Pending items may reject later, when their errors no longer matter.
      void Promise.allSettled(this.#items);
      throw error;
    }
  }

  async completeRest(): Promise<unknown[]> {
    const { info, values } = this.#options;
    const { exeContext } = info;
    ignoreRejections(values, exeContext.silencedLists);
    let completeCount = 0;
    let silencedCount = 0;
    do {
      ignoreRejections(this.#items.slice(silencedCount), exeContext.silencedLists);
      silencedCount = this.#items.length;
      if (this.#isPending && exeContext.hasManyPending) {
        const completed = await Promise.all(this.#items.slice(completeCount));
        for (const item of completed) this.#items[completeCount++] = item;
        this.#isPending = false;
      }
      if (exeContext.task.shouldYield) await exeContext.task.yieldToOthers();
    } while (!this.completeItems());
    return this.result();
  }

  result(): unknown[] | Promise<unknown[]> {
    return this.#isPending ? Promise.all(this.#items) : this.#items;
  }
}

/**
 * Handles rejections of items that are pending while a list waits. A generator is skipped, since it creates its items
 * on demand. A list that is selected under a hundred aliases is searched once.
 */
function ignoreRejections(value: unknown, silencedLists: WeakSet<object>): void {
  if (isPromise(value)) value.then((settled) => ignoreRejections(settled, silencedLists), ignoreRejection);
  else if (isIterableObject(value) && !('next' in value) && !silencedLists.has(value)) {
    silencedLists.add(value);
    for (const item of value) if (typeof item === 'object') ignoreRejections(item, silencedLists);
  }
}

/** False for strings, which are iterable too. */
const isIterableObject = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;
