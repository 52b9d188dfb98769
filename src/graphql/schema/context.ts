import { setImmediate as nextTick } from 'node:timers/promises';
import type { PagesOf, WithoutResult } from '../../core/backend.ts';
import type { Result } from '../../core/base/result.ts';
import { type Caller, type ClientScope, checkClientScope } from '../../core/callers/caller.ts';
import type { BackendError } from '../../core/errors.ts';
import type { KeyedBackend } from '../../core/writes/pipeline.ts';
import type { ArticleUpdateJobs } from '../../jobs/article-update-jobs.ts';
import { unwrapResult } from './graphql-errors.ts';
import { createLoaders, type Loaders } from './loaders.ts';
import { ResponseBudget, type ResponseLimits } from './response-budget.ts';

interface SchemaLimits {
  readonly maxBulkItems: number;
}

/** A port whose methods and counts all resolve to results. The compiler names the methods that resolve to something else. */
type Guarded<Port, _Methods extends never, _Counts extends never> = Port;

type Asked = Omit<KeyedBackend, 'checkReady' | 'close'>;
type GuardedBackend = Guarded<KeyedBackend, WithoutResult<Asked>, WithoutResult<PagesOf<Asked>>>;

type AskedOfJobs = Omit<ArticleUpdateJobs, 'close'>;
type GuardedJobs = Guarded<ArticleUpdateJobs, WithoutResult<AskedOfJobs>, WithoutResult<PagesOf<AskedOfJobs>>>;

export interface ContextOptions {
  readonly backend: GuardedBackend;
  readonly jobs: GuardedJobs;
  readonly limits: SchemaLimits;
  readonly answerLimits: ResponseLimits;
  readonly caller: Caller;
}

/** The state of one request, which its resolvers share. */
export class Context {
  readonly backend: KeyedBackend;
  readonly jobs: ArticleUpdateJobs;
  readonly limits: SchemaLimits;
  readonly caller: Caller;
  /** Charged by the executor. Resolvers charge only the lists that they load themselves. */
  readonly budget: ResponseBudget;
  /** The number of writes that have begun, without those that are known to have had no effect. */
  writes = 0;
  /** The number of entities that routers have named in the request. */
  entities = 0;
  #loaders: Loaders | null = null;

  constructor({ backend, jobs, limits, answerLimits, caller }: ContextOptions) {
    this.backend = backend;
    this.jobs = jobs;
    this.limits = limits;
    this.budget = new ResponseBudget(answerLimits);
    this.caller = caller;
  }

  /** The loaders are created at their first use, since a write needs none. */
  get loaders(): Loaders {
    this.#loaders ??= createLoaders(this.backend, this.caller);
    return this.#loaders;
  }

  /** Forgets what was read, so that a write does not start from it and its payload does not show the old state. */
  clearReads(): void {
    this.backend.forgetReads?.(this.caller);
    this.#loaders = null;
  }
}

const LOADS_PER_TICK = 1_000;

/** Loads a value for each item of a list. Charges the budget first, and pauses after every 1,000 items. */
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

/** Checks the caller's scope and token. It is called before an input is validated, whose issues nobody else may see. */
export function authorize({ backend, caller }: Context, scope: ClientScope): Result<void, BackendError> {
  const scopeCheck = checkClientScope(caller, scope);
  return scopeCheck.ok ? backend.authenticate(caller) : scopeCheck;
}

/** Throws unless the caller may read, also in the payload of a write. Returns the context for chaining. */
export function authorizeRead(context: Context): Context {
  unwrapResult(authorize(context, 'read'));
  return context;
}
