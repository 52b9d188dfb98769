import { setImmediate as nextTick } from 'node:timers/promises';
import type { Backend } from '../backend/backend.ts';
import { type Caller, permit } from '../domain/callers/caller.ts';
import type { Scope } from '../domain/callers/clients.ts';
import type { BackendError } from '../domain/errors.ts';
import type { Result } from '../domain/result.ts';
import { unwrap } from './errors/graphql-errors.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import { ResponseBudget, type ResponseLimits } from './response-budget.ts';

export interface SchemaLimits extends ResponseLimits {
  /** Most items of one `bulkUpdateArticles` (`MAX_BULK_ITEMS`). */
  readonly maxBulkItems: number;
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
  /** Charged by the executor; resolvers charge only what they work through themselves. */
  readonly budget: ResponseBudget;
  /** How many writes have begun, less those that surely changed nothing. */
  writes = 0;
  #caller: Caller;
  #loaders: Loaders | null = null;

  constructor({ backend, limits, caller }: ContextOptions) {
    this.backend = backend;
    this.limits = limits;
    this.budget = new ResponseBudget(limits);
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

/** Loads in one tick of the event loop. */
const LOADS_PER_TICK = 1_000;

/** Loads something for each item of a list of any length, charged beforehand, with room for others in between. */
export async function loadAll<T, V>(
  { budget }: Context,
  items: readonly T[],
  load: (item: T, index: number) => Promise<V>,
): Promise<readonly V[]> {
  budget.chargeFields(items.length);
  const loaded: V[] = [];
  for (let start = 0; start < items.length; start += LOADS_PER_TICK) {
    if (start > 0) await nextTick();
    const slice = items.slice(start, start + LOADS_PER_TICK);
    loaded.push(...(await Promise.all(slice.map((item, index) => load(item, start + index)))));
  }
  return loaded;
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
