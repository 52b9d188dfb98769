import { join } from 'node:path';
import { silentLog } from '../../src/core/base/log.ts';
import type { KnowledgeBase } from '../../src/store/knowledge-base/format.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';

export const API_TOKEN = 'crash-token';
export const DATABASE = 'kb.db';

/** The number of items of each kind. A shelf is a category whose articles are written by one bulk update. */
export const ARTICLES = 12;
export const SHELVES = 3;
export const ARTICLES_A_SHELF = 20;
/** Shelves whose articles are published by one request, each in more versions than there are attempts while nothing can be written. */
export const PUBLISHED_SHELVES = 2;
export const VERSIONS = 50;
export const GROUPS = 4;
export const READERS = 6;

const PROJECT_VERSION = 'v1';

export const named = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

export const readerIds = named('reader', READERS);

const version = (versionNumber: number) => ({
  ...{ lang_code: 'en', version_number: versionNumber, title: 'Write 0' },
  ...{ content: 'Content 0', translation_option: null },
});

const article = (articleId: string, categoryId: string | null, versions = 1) => ({
  id: articleId,
  project_version_id: PROJECT_VERSION,
  category_id: categoryId,
  slug: null,
  order: 1,
  hidden: false,
  content_type: 'markdown' as const,
  versions: Array.from({ length: versions }, (_, index) => version(index + 1)),
});

const knowledgeBase: KnowledgeBase = {
  project_versions: [{ id: PROJECT_VERSION, name: 'v1', is_default: true }],
  languages: [{ project_version_id: PROJECT_VERSION, code: 'en', name: 'English', is_default: true }],
  categories: [...named('shelf', SHELVES), ...named('published', PUBLISHED_SHELVES)].map((categoryId) => ({
    id: categoryId,
    project_version_id: PROJECT_VERSION,
    parent_category_id: null,
    name: categoryId,
    order: null,
  })),
  team_accounts: [],
  articles: [
    ...named('article', ARTICLES).map((id) => article(id, null)),
    ...named('shelf', SHELVES).flatMap((shelf) => named(shelf, ARTICLES_A_SHELF).map((id) => article(id, shelf))),
    ...named('published', PUBLISHED_SHELVES).flatMap((shelf) =>
      named(shelf, ARTICLES_A_SHELF).map((id) => article(id, shelf, VERSIONS)),
    ),
  ],
  readers: readerIds.map((readerId) => ({ reader_id: readerId, first_name: null, last_name: null, email: null })),
  invited_sso_users: [],
  reader_groups: named('group', GROUPS).map((groupId) => ({
    groupId,
    title: 'Write 0',
    description: 'Members 0',
    readerIds: [],
    invitedSsoUserIds: [],
    accessScope: { level: 'PROJECT' },
  })),
};

/** Creates the database of a run in a folder. */
export const makeDatabase = (folder: string): Promise<void> => fillDatabase(`sqlite:${join(folder, DATABASE)}`);

/** Fills an empty database; everything in it belongs to write 0. */
export async function fillDatabase(databaseUrl: string): Promise<void> {
  const store = await openLocalBackend({ databaseUrl, apiTokens: [API_TOKEN], log: silentLog });
  await store.importKnowledgeBase(knowledgeBase, () => {});
  await store.close();
}

export type Settings = Readonly<Record<string, string>>;

/** The settings of a gateway over a database. */
export const settingsOver = (databaseUrl: string): Settings => ({
  DATABASE_URL: databaseUrl,
  API_TOKEN,
  DEMO_DATA: 'false',
});

/** The settings over the database in the working directory. */
export const SETTINGS = settingsOver(`sqlite:${DATABASE}`);
