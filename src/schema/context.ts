import type { Backend } from '../backend/backend.ts';
import { type Caller, permit } from '../domain/caller.ts';
import type { Scope } from '../domain/clients.ts';
import { type BackendError, queryTooCostly } from '../domain/errors.ts';
import type { Result } from '../domain/result.ts';
import { readFailure, unwrap } from './failures.ts';
import { createLoaders, type Loaders } from './loaders.ts';

export interface SchemaLimits {
  /** Most items of one `bulkUpdateArticles` (`MAX_BULK_ITEMS`). */
  readonly maxBulkItems: number;
  /** Most characters of texts in one answer (`MAX_ANSWER_TEXT`). */
  readonly maxAnswerText: number;
}

export interface ContextOptions {
  readonly backend: Backend;
  readonly limits: SchemaLimits;
  readonly caller: Caller;
}

/** What resolvers share during one request, and nobody shares between requests. */
export class Context {
  readonly backend: Backend;
  readonly limits: SchemaLimits;
  /** How many characters of text the answer has room for. */
  textRoom: number;
  #caller: Caller;
  #loaders: Loaders | null = null;

  constructor({ backend, limits, caller }: ContextOptions) {
    this.backend = backend;
    this.limits = limits;
    this.textRoom = limits.maxAnswerText;
    this.#caller = caller;
  }

  get caller(): Caller {
    return this.#caller;
  }

  /** Made when they are first asked for: a write needs none. */
  get loaders(): Loaders {
    this.#loaders ??= createLoaders(this.backend, this.#caller);
    return this.#loaders;
  }

  /** Forgets what was read: neither does a write start from it, nor does its answer read back what stood there before. */
  forgetReads(): void {
    this.#caller = { ...this.#caller };
    this.#loaders = null;
  }
}

/** An item of a list is taken for a short text: with its fields, that is what it becomes. */
const ITEM_CHARACTERS = 100;

/**
 * A text, or a list of no stated size, on its way into the answer, as long as there is room. How many of them are asked
 * for is known before a request runs, how long they are is not: a few fields under a hundred aliases make a gigabyte.
 */
export function withRoom<T>(context: Context, value: T): T {
  if (typeof value === 'string') context.textRoom -= value.length;
  if (Array.isArray(value)) context.textRoom -= value.length * ITEM_CHARACTERS;
  if (context.textRoom >= 0) return value;
  const { maxAnswerText } = context.limits;
  throw readFailure(queryTooCostly(`All texts of an answer may have ${maxAnswerText} characters. Ask for fewer.`));
}

/** Whether the caller may do what needs the scope: who asks is settled before anything of what they ask is looked at. */
export function admit({ backend, caller }: Context, scope: Scope): Result<void, BackendError> {
  const permitted = permit(caller, scope);
  return permitted.ok ? backend.authenticate(caller) : permitted;
}

/** The context of a caller who may read; a query of anybody else, and what a write reads back for them, ends here. */
export function admitted(context: Context): Context {
  unwrap(admit(context, 'read'));
  return context;
}
