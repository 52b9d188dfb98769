import { GraphQLError } from 'graphql';
import type { Completion } from './complete-value.ts';
import type { FieldCall } from './execution-context.ts';
import type { Path } from './field-errors.ts';
import { isPromise, UNHEARD } from './promises.ts';

/** Completes a list whose items are completed by `complete`. */
export const completeList =
  (complete: Completion): Completion =>
  (call, path, value) => {
    if (!isIterable(value)) {
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${call.name}".`);
    }
    const completed = new ListCompletion({ call, path, complete, values: value });
    return completed.goOn() ? completed.result() : completed.rest();
  };

interface ListOptions {
  readonly call: FieldCall;
  readonly path: Path;
  readonly complete: Completion;
  readonly values: Iterable<unknown>;
}

/** The items of one list. Each is charged before it is asked for, so that a resolver may make them one after another. */
class ListCompletion {
  readonly #options: ListOptions;
  readonly #values: Iterator<unknown>;
  readonly #items: unknown[] = [];
  #isPending = false;

  constructor(options: ListOptions) {
    this.#options = options;
    this.#values = options.values[Symbol.iterator]();
  }

  /** Completes items until all are, which gives true, or until others should be let in. */
  goOn(): boolean {
    const { call, path, complete } = this.#options;
    const { budget, turns } = call.run;
    try {
      for (let next = this.#values.next(); !next.done; next = this.#values.next()) {
        budget.chargeFields(1);
        turns.charge(1);
        const completed = complete(call, { prev: path, key: this.#items.length, typename: undefined }, next.value);
        this.#isPending ||= isPromise(completed);
        this.#items.push(completed);
        if (turns.isDue) return false;
      }
      return true;
    } catch (error) {
      // What is pending may fail too: that is nobody's to hear any more.
      void Promise.allSettled(this.#items);
      throw error;
    }
  }

  async rest(): Promise<unknown[]> {
    const { call, values } = this.#options;
    const { expected } = call.run;
    expectFailures(values, expected);
    let begun = 0;
    do {
      expectFailures(this.#items.slice(begun), expected);
      begun = this.#items.length;
      await call.run.turns.yielded();
    } while (!this.goOn());
    return this.result();
  }

  result(): unknown[] | Promise<unknown[]> {
    return this.#isPending ? Promise.all(this.#items) : this.#items;
  }
}

/**
 * Handles failures of items that are pending while a list waits. A generator is left alone: it makes its items when
 * they are asked for. A list that was looked at is not looked at again, since one may be answered under a hundred aliases.
 */
function expectFailures(value: unknown, expected: WeakSet<object>): void {
  if (isPromise(value)) value.then((settled) => expectFailures(settled, expected), UNHEARD);
  else if (isIterable(value) && !('next' in value) && !expected.has(value)) {
    expected.add(value);
    for (const item of value) if (typeof item === 'object') expectFailures(item, expected);
  }
}

/** A string is a value, not a list of characters. */
const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;
