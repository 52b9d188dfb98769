import type { Backend } from '../backend/backend.ts';
import type { Caller } from '../domain/caller.ts';
import { unwrap } from './failures.ts';
import { createLoaders, type Loaders } from './loaders.ts';

export interface SchemaLimits {
  /** Most items of one `bulkUpdateArticles` (`MAX_BULK_ITEMS`). */
  readonly maxBulkItems: number;
}

/** What resolvers share during one request, and nobody shares between requests. */
export interface Context {
  readonly backend: Backend;
  readonly limits: SchemaLimits;
  caller: Caller;
  loaders: Loaders;
}

export interface ContextOptions {
  readonly backend: Backend;
  readonly limits: SchemaLimits;
  readonly caller: Caller;
}

export const createContext = ({ backend, limits, caller }: ContextOptions): Context => ({
  backend,
  limits,
  caller,
  loaders: createLoaders(backend, caller),
});

/** The context of a caller who may ask; a query without a valid token ends here. */
export function admitted(context: Context): Context {
  unwrap(context.backend.authenticate(context.caller));
  return context;
}

/** Forgets what was read: neither does a write start from it, nor does its answer read back what stood there before. */
export function forgetReads(context: Context): void {
  context.caller = { ...context.caller };
  context.loaders = createLoaders(context.backend, context.caller);
}
