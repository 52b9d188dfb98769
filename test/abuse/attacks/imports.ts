import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalBackend } from '../../../src/backend/local/local-backend.ts';
import { silentLog } from '../../../src/domain/log.ts';
import { readKnowledgeBaseFile } from '../../../src/knowledge-base/file.ts';
import { list } from '../../support/repeat.ts';

const CATEGORIES = 20_000;

/** Imports a chain of nested categories, and returns the CPU time that this takes, in milliseconds. */
export async function importChain(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-chain-'));
  const file = join(folder, 'chain.json');
  const categories = list(CATEGORIES, (n) => ({
    id: `c${n}`,
    project_version_id: 'v1',
    // The deepest category comes first, so that each is read before its parent.
    parent_category_id: n === CATEGORIES - 1 ? null : `c${n + 1}`,
    name: `Category ${n}`,
    order: 1,
  }));
  const knowledge = {
    project_versions: [{ id: 'v1', name: 'v1', is_default: true }],
    languages: [{ code: 'en', name: 'English', is_default: true, project_version_id: 'v1' }],
    categories,
    articles: [],
    readers: [],
    invited_sso_users: [],
    reader_groups: [],
  };
  await writeFile(file, JSON.stringify(knowledge));
  const before = process.cpuUsage();
  const knowledgeBase = await readKnowledgeBaseFile(file);
  if (!knowledgeBase.ok) throw new Error(knowledgeBase.error);
  const store = await openLocalBackend({ databaseUrl: 'sqlite::memory:', apiTokens: [], log: silentLog });
  await store.importKnowledgeBase(knowledgeBase.value, () => {});
  const { user, system } = process.cpuUsage(before);
  await store.close();
  await rm(folder, { recursive: true });
  return Math.round((user + system) / 1_000);
}
