import type { Tracer } from '@opentelemetry/api';
import type { Backend } from '../core/backend.ts';
import { MAX_STORE_BATCH_ITEMS } from '../core/base/limits.ts';
import type { Log } from '../core/base/log.ts';
import type { TickQueue } from '../core/base/tick-queue.ts';
import { type Metrics, noMetrics } from '../core/metrics.ts';
import type { SharedState } from '../core/shared-state.ts';
import type { AuditOptions } from '../core/writes/audit.ts';
import { type KeyedBackend, type PipelineOptions, withPipeline } from '../core/writes/pipeline.ts';
import { MIN_WRITE_MS } from '../service/calls/token-states.ts';
import { mergeWrites } from '../service/merging/merging.ts';
import type { LocalBackendConfig, RestBackendConfig } from './config.ts';

export interface OpenBackendOptions extends Pick<PipelineOptions, 'keys'> {
  readonly config: LocalBackendConfig | RestBackendConfig;
  /** The header `User-Agent` of calls to the service. */
  readonly userAgent: string;
  readonly coalesceWrites: boolean;
  readonly audit: Omit<AuditOptions, 'log'> | null;
  /** Tokens that the embedded store accepts. The service checks tokens itself. */
  readonly apiTokens: readonly string[];
  /** The queue of the process for large bodies. By default, the backend has a queue of its own. */
  readonly ticks?: TickQueue;
  /** The tracer; null where nothing is traced. */
  readonly tracer?: Tracer | null;
  /** The state that gateways share; null where there is none, and always over the embedded store. */
  readonly shared?: SharedState | null;
  /** What happens to group writes while the shared state can't be reached (`STATE_FAILURE`). */
  readonly onSharedFailure?: 'closed' | 'open';
  readonly log: Log;
  readonly metrics?: Metrics;
}

/**
 * Opens the backend of the settings, with the pipeline of writes. Its modules are loaded only when it is used. Throws an
 * Error with a readable message if the store fails.
 */
export async function openBackend(options: OpenBackendOptions): Promise<KeyedBackend> {
  const { config, audit, log, metrics = noMetrics } = options;
  const backend =
    config.kind === 'rest'
      ? (await import('../service/rest-backend.ts')).openRestBackend({ ...options, ...config })
      : await openStore(config, { ...options, metrics });
  const merging =
    config.kind === 'local'
      ? { maxItems: MAX_STORE_BATCH_ITEMS, delaysFirstCall: true, log, metrics }
      : { maxItems: config.bulkSize, minTimeLeftMs: MIN_WRITE_MS, log, metrics };
  return withPipeline(backend, {
    ...(options.keys && { keys: options.keys }),
    metrics,
    audit: audit && { ...audit, log },
    costs: config.kind === 'rest' ? config : null,
    merging: options.coalesceWrites ? mergeWrites(merging) : null,
  });
}

/** Throws with a message for people where the file of the store can't be used, so that no token is generated for it. */
export async function checkStore(config: OpenBackendOptions['config']): Promise<void> {
  if (config.kind !== 'local') return;
  const { checkStoreFile } = await import('../store/tables/store-database.ts');
  await checkStoreFile(config.databaseUrl);
}

async function openStore(
  { databaseUrl, setting, databasePoolSize: poolSize, demoData }: LocalBackendConfig,
  { apiTokens, tracer = null, log, metrics }: Pick<OpenBackendOptions, 'apiTokens' | 'tracer' | 'log' | 'metrics'>,
): Promise<Backend> {
  // The modules are loaded only where they are used: those of the store take a quarter of the heap after the start.
  const { openLocalBackend } = await import('../store/local-backend.ts');
  const store = await openLocalBackend({ databaseUrl, setting, poolSize, apiTokens, tracer, log, metrics });
  try {
    if (demoData && (await store.isEmpty())) await store.importDemo(await loadDemo());
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

const loadDemo = async () => (await import('../store/import/demo-knowledge-base.ts')).demoKnowledgeBase;
