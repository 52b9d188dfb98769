import { fileURLToPath } from 'node:url';
import { silentLog } from '../../src/core/base/log.ts';
import { readKnowledgeBaseFile } from '../../src/store/knowledge-base/file.ts';
import { type LocalBackend, openLocalBackend } from '../../src/store/local-backend.ts';

export const TOKEN = 'token';

const FIXTURE = fileURLToPath(new URL('../fixtures/knowledge-base.json', import.meta.url));

/** Opens a store, in memory by default, with the knowledge base of test/fixtures. */
export async function openFixtureStore(databaseUrl = 'sqlite::memory:', token = TOKEN): Promise<LocalBackend> {
  const backend = await openLocalBackend({ databaseUrl, apiTokens: [token], log: silentLog });
  const knowledgeBase = readKnowledgeBaseFile(FIXTURE);
  if (!knowledgeBase.ok) throw new Error(knowledgeBase.error);
  await backend.importKnowledgeBase(knowledgeBase.value, () => {});
  return backend;
}
