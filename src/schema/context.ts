import type { Backend } from '../backend/backend.ts';
import { type Caller, permit } from '../domain/caller.ts';
import type { Scope } from '../domain/clients.ts';
import type { BackendError } from '../domain/errors.ts';
import type { Result } from '../domain/result.ts';
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

/** Forgets what was read: neither does a write start from it, nor does its answer read back what stood there before. */
export function forgetReads(context: Context): void {
  context.caller = { ...context.caller };
  context.loaders = createLoaders(context.backend, context.caller);
}
