import type { LocalBackendConfig, RestBackendConfig } from '../config.ts';
import type { Log } from '../domain/log.ts';
import type { Backend } from './backend.ts';
import { demoKnowledgeBase } from './local/demo.ts';
import { openLocalBackend } from './local/local-backend.ts';
import { openRestBackend } from './rest/rest-backend.ts';

export interface OpenBackendOptions {
  readonly config: LocalBackendConfig | RestBackendConfig;
  /** What the embedded store accepts; the service judges for itself. */
  readonly apiTokens: readonly string[];
  readonly log: Log;
}

/** Opens the backend that the settings choose. Throws with a message for people where the store can't be opened. */
export function openBackend({ config, apiTokens, log }: OpenBackendOptions): Promise<Backend> {
  if (config.kind === 'rest') return Promise.resolve(openRestBackend({ ...config, log }));
  return openStore(config, { apiTokens, log });
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
