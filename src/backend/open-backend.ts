import type { LocalBackendConfig, RestBackendConfig } from '../config.ts';
import type { Log } from '../domain/log.ts';
import { type AuditOptions, auditWrites } from './auditing/audit-writes.ts';
import type { Backend } from './backend.ts';
import { coalesceWrites } from './coalescing/coalesce-writes.ts';
import { LEAST_WRITE_MS } from './rest/call-time.ts';
import { refuseCostlyLists } from './rest/costly-lists.ts';
import { openRestBackend } from './rest/rest-backend.ts';

/** So many items of callers that meet share a transaction of the embedded store, and with it one wait for the disk. */
const STORE_BATCH = 1_000;

export interface OpenBackendOptions {
  readonly config: LocalBackendConfig | RestBackendConfig;
  readonly coalesceWrites: boolean;
  /** Null where writes are not recorded. */
  readonly audit: Omit<AuditOptions, 'log'> | null;
  /** What the embedded store accepts; the service judges for itself. */
  readonly apiTokens: readonly string[];
  readonly log: Log;
}

/** Opens the backend that the settings choose. Throws with a message for people where the store can't be opened. */
export async function openBackend(options: OpenBackendOptions): Promise<Backend> {
  const { config, audit, log } = options;
  const backend = config.kind === 'rest' ? openRestBackend({ ...config, log }) : await openStore(config, options);
  const coalescing =
    config.kind === 'local'
      ? { maxItems: STORE_BATCH, waitsATurn: true, log }
      : { maxItems: config.bulkSize, leastMs: LEAST_WRITE_MS, log };
  const merging = options.coalesceWrites ? coalesceWrites(backend, coalescing) : backend;
  const bounded = config.kind === 'rest' ? refuseCostlyLists(merging, config) : merging;
  // Outermost, so that each caller's own write is recorded, whatever it was sent together with.
  return audit ? auditWrites(bounded, { ...audit, log }) : bounded;
}

async function openStore(
  { databaseUrl, databasePoolSize: poolSize, demoData }: LocalBackendConfig,
  { apiTokens, log }: Pick<OpenBackendOptions, 'apiTokens' | 'log'>,
): Promise<Backend> {
  // In front of the service nothing of the store is loaded, which is a quarter of the heap at the start.
  const { openLocalBackend } = await import('./local/local-backend.ts');
  const store = await openLocalBackend({ databaseUrl, poolSize, apiTokens, log });
  if (demoData && (await store.isEmpty())) await store.importKnowledgeBase(await demo(), () => {});
  return store;
}

/** An article of the demo to try an update on. */
export const demoArticleId = async (): Promise<string | null> => (await demo()).articles[0]?.articleId ?? null;

const demo = async () => (await import('./local/import/demo/demo-knowledge-base.ts')).demoKnowledgeBase;
