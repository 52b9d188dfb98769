import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_STORED_TITLE } from '../../../src/core/base/limits.ts';
import { silentLog } from '../../../src/core/base/log.ts';
import { readKnowledgeBaseFile } from '../../../src/store/knowledge-base/file.ts';
import { openLocalBackend } from '../../../src/store/local-backend.ts';
import { list } from '../../support/repeat.ts';

const CATEGORIES = 20_000;

const ARTICLES = 20;

/** Imports texts of marks that have to be sorted, and returns the CPU time that this takes, in milliseconds. */
export function importMarks(): Promise<number> {
  const text = 'a\u0591\u0323\uFF9E\u05B0'.repeat(20_000) + '\u0591\u0323'.repeat(50_000);
  return timeOfImport([], (n) => ({
    id: `a${n}`,
    project_version_id: 'v1',
    category_id: null,
    slug: text.slice(-100),
    order: 1,
    hidden: false,
    content_type: 'markdown',
    versions: [
      {
        lang_code: 'en',
        version_number: 1,
        title: text.slice(0, MAX_STORED_TITLE),
        content: text,
        translation_option: '0',
      },
    ],
  }));
}

/** Imports a chain of nested categories, and returns the CPU time that this takes, in milliseconds. */
export function importChain(): Promise<number> {
  const categories = list(CATEGORIES, (n) => ({
    id: `c${n}`,
    project_version_id: 'v1',
    // The deepest category comes first, so that each is read before its parent.
    parent_category_id: n === CATEGORIES - 1 ? null : `c${n + 1}`,
    name: `Category ${n}`,
    order: 1,
  }));
  return timeOfImport(categories, null);
}

async function timeOfImport(
  categories: readonly object[],
  articleOf: ((index: number) => object) | null,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-import-'));
  const file = join(folder, 'knowledge.json');
  const knowledge = {
    project_versions: [{ id: 'v1', name: 'v1', is_default: true }],
    languages: [{ code: 'en', name: 'English', is_default: true, project_version_id: 'v1' }],
    categories,
    articles: articleOf ? list(ARTICLES, articleOf) : [],
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
