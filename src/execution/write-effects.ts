import { GraphQLError } from 'graphql';
import type { Context } from '../schema/context.ts';

/** Tells of each root field of one mutation whether its write may have taken effect. */
export class WriteEffects {
  readonly #context: Pick<Context, 'writes'>;
  readonly #responseKeys: (string | number | undefined)[] = [];
  /** The writes of the operation before each of these fields, which are executed one after another. */
  readonly #writesBefore: number[] = [];

  constructor(context: Pick<Context, 'writes'>) {
    this.#context = context;
  }

  /** Called before each root field. Returns what creates its error when it exceeds the budget. */
  beginField(responseKey: string): (exceededError: GraphQLError) => GraphQLError {
    this.#responseKeys.push(responseKey);
    this.#writesBefore.push(this.#context.writes);
    return ({ message, extensions }) => {
      const prefix = this.#mayHaveApplied(responseKey) ? '' : 'Nothing was written. ';
      return new GraphQLError(prefix + message, { extensions });
    };
  }

  /** Adds `mayHaveApplied` to an error. Its extensions are copied, since errors of several fields share them. */
  describeIn(error: GraphQLError): void {
    const mayHaveApplied = this.#mayHaveApplied(error.path?.[0]);
    Object.assign(error, { extensions: { ...error.extensions, mayHaveApplied } });
  }

  /** An error that belongs to no root field is one of the whole operation. */
  #mayHaveApplied(responseKey: string | number | undefined): boolean {
    const index = this.#responseKeys.indexOf(responseKey);
    if (index === -1) return this.#context.writes > 0;
    const writesAfter = this.#writesBefore[index + 1] ?? this.#context.writes;
    return writesAfter > (this.#writesBefore[index] ?? 0);
  }
}
