import { fileURLToPath } from 'node:url';
import { type LocalBackend, openLocalBackend } from '../../src/backend/local/local-backend.ts';
import { silent } from '../../src/domain/log.ts';
import { readKnowledgeBaseFile } from '../../src/knowledge-base/file.ts';

export const TOKEN = 'token';

const FIXTURE = fileURLToPath(new URL('../fixtures/knowledge-base.json', import.meta.url));

/** A store in memory with the knowledge base of test/fixtures. */
export async function openFixtureStore(databaseUrl = 'sqlite::memory:', token = TOKEN): Promise<LocalBackend> {
  const backend = await openLocalBackend({ databaseUrl, apiTokens: [token], log: silent });
  const knowledgeBase = await readKnowledgeBaseFile(FIXTURE);
  if (!knowledgeBase.ok) throw new Error(knowledgeBase.error);
  await backend.importKnowledgeBase(knowledgeBase.value, () => {});
  return backend;
}
