import type { LocalBackendConfig, RestBackendConfig } from '../config.ts';
import type { Log } from '../domain/log.ts';
import type { Backend } from './backend.ts';
import { coalesceWrites } from './coalescing/coalesce-writes.ts';
import { demoKnowledgeBase } from './local/demo.ts';
import { openLocalBackend } from './local/local-backend.ts';
import { openRestBackend } from './rest/rest-backend.ts';

/** So many items of callers that meet share a transaction of the embedded store, and with it one wait for the disk. */
const STORE_BATCH = 1_000;

export interface OpenBackendOptions {
  readonly config: LocalBackendConfig | RestBackendConfig;
  readonly coalesceWrites: boolean;
  /** What the embedded store accepts; the service judges for itself. */
  readonly apiTokens: readonly string[];
  readonly log: Log;
}

/** Opens the backend that the settings choose. Throws with a message for people where the store can't be opened. */
export async function openBackend({ config, coalesceWrites: merges, ...rest }: OpenBackendOptions): Promise<Backend> {
  const backend =
    config.kind === 'rest' ? openRestBackend({ ...config, log: rest.log }) : await openStore(config, rest);
  const isStore = config.kind === 'local';
  const options = { maxItems: isStore ? STORE_BATCH : config.bulkSize, waitsATurn: isStore };
  return merges ? coalesceWrites(backend, options) : backend;
}

async function openStore(
  { databaseUrl, demoData }: LocalBackendConfig,
  options: Pick<OpenBackendOptions, 'apiTokens' | 'log'>,
): Promise<Backend> {
  const store = await openLocalBackend({ databaseUrl, ...options });
  if (demoData && (await store.isEmpty())) await store.importKnowledgeBase(demoKnowledgeBase, () => {});
  return store;
}

/** An article of the demo to try an update on. */
export const demoArticleId: string | null = demoKnowledgeBase.articles[0]?.articleId ?? null;
