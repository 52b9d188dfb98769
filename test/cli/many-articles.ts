import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { silentLog } from '../../src/core/base/log.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { openStoreDatabase } from '../../src/store/tables/store-database.ts';

export const API_TOKEN = 'many-articles';

const DATABASE = 'kb.db';

/**
 * Creates a database with `article-0`, `article-1`, …, which all have the title `Title`, as many readers `reader-0`, …,
 * and a group `group-0` without members.
 */
export const makeManyArticles = (folder: string, count: number): Promise<void> =>
  fillWithArticles(`sqlite:${join(folder, DATABASE)}`, count);

/** Inserts the same data into an empty database of either engine. */
export async function fillWithArticles(
  databaseUrl: string,
  count: number,
  { categoryId = null }: { readonly categoryId?: string | null } = {},
): Promise<void> {
  const store = await openLocalBackend({ databaseUrl, apiTokens: [API_TOKEN], log: silentLog });
  const numbers = Array.from({ length: count }, (_, n) => n);
  const articles = numbers.map((n) => ({ ...article(n), category_id: categoryId }));
  const categories = categoryId === null ? [] : [{ ...CATEGORY, id: categoryId }];
  const knowledgeBase = { ...AROUND, categories, articles, readers: numbers.map(reader) };
  await store.importKnowledgeBase(knowledgeBase, () => {});
  await store.close();
}

/** The number of members of `group-0`. */
export function storedMembers(folder: string): unknown {
  const database = new DatabaseSync(join(folder, DATABASE), { readOnly: true });
  const row = database.prepare('select count(*) as members from reader_group_readers').get();
  database.close();
  return row?.['members'];
}

/** The titles by article ID, read from the SQLite file. */
export function storedTitles(folder: string): ReadonlyMap<unknown, unknown> {
  const database = new DatabaseSync(join(folder, DATABASE), { readOnly: true });
  const rows = database.prepare('select article_id, title from article_versions').all();
  database.close();
  return new Map(rows.map((row) => [row['article_id'], row['title']]));
}

/** The titles by article ID, from a database of either engine. */
export async function titlesIn(databaseUrl: string): Promise<ReadonlyMap<unknown, unknown>> {
  const database = await openStoreDatabase(databaseUrl);
  const rows = await database.db.selectFrom('article_versions').select(['article_id', 'title']).execute();
  await database.close();
  return new Map(rows.map((row) => [row.article_id, row.title]));
}

const article = (n: number) => ({
  id: `article-${n}`,
  project_version_id: 'v1',
  slug: null,
  order: n,
  hidden: false,
  content_type: 'markdown' as const,
  versions: [{ lang_code: 'en', version_number: 1, title: 'Title', content: null, translation_option: null }],
});

const reader = (n: number) => ({ reader_id: `reader-${n}`, first_name: null, last_name: null, email: null });

const CATEGORY = { project_version_id: 'v1', parent_category_id: null, name: 'All', order: 1 };

const AROUND = {
  team_accounts: [],
  project_versions: [{ id: 'v1', name: 'v1', is_default: true }],
  languages: [{ project_version_id: 'v1', code: 'en', name: 'English', is_default: true }],
  invited_sso_users: [],
  reader_groups: [
    {
      groupId: 'group-0',
      title: 'Group',
      description: null,
      readerIds: [],
      invitedSsoUserIds: [],
      accessScope: { level: 'PROJECT' as const },
    },
  ],
};
