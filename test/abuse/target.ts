import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/core/base/log.ts';
import type { KnowledgeBase } from '../../src/store/knowledge-base/format.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { startGatewayProcess } from '../support/process.ts';
import { list } from '../support/repeat.ts';
import { memoryOf } from './measure/process-figures.ts';

export const TOKEN = 'abuse-token';

/** The gateway under attack, in a process of its own, and what can be measured from outside. */
export interface Target {
  /** The URL of GraphQL. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** The path of the SQLite file. */
  readonly databasePath: string;
  /** The resident memory of the process in MB; 0 on systems other than Linux. */
  memoryMb(): Promise<number>;
  /** The number of connections and files that the process holds open; 0 on systems other than Linux. */
  openFiles(): Promise<number>;
  log(): string;
  stop(): Promise<void>;
}

/** The sizes of a real knowledge base. */
const SIZES = { articles: 420, categories: 24, groups: 100, members: 130, characters: 6_400 };

const article = (index: number) => ({
  id: `article-${index}`,
  project_version_id: 'v1',
  category_id: `category-${index % SIZES.categories}`,
  slug: null,
  order: 1,
  hidden: false,
  content_type: 'markdown' as const,
  versions: [
    {
      lang_code: 'en',
      version_number: 1,
      title: `Article ${index}`,
      content: 'Not all of it is ASCII – as it is. '.repeat(SIZES.characters / 35),
      translation_option: null,
    },
  ],
});

const knowledgeBase: KnowledgeBase = {
  project_versions: [{ id: 'v1', name: 'v1', is_default: true }],
  languages: [{ project_version_id: 'v1', code: 'en', name: 'English', is_default: true }],
  categories: list(SIZES.categories, (index) => ({
    id: `category-${index}`,
    project_version_id: 'v1',
    parent_category_id: index > 5 ? `category-${index - 6}` : null,
    name: `Category ${index}`,
    order: null,
  })),
  team_accounts: [],
  articles: list(SIZES.articles, article),
  readers: list(SIZES.members, (index) => ({
    reader_id: `reader-${index}`,
    first_name: 'Reader',
    last_name: `${index}`,
    email: `reader-${index}@example.com`,
  })),
  invited_sso_users: [],
  reader_groups: list(SIZES.groups, (index) => ({
    groupId: `group-${index}`,
    title: `Group ${index}`,
    description: null,
    readerIds: list(SIZES.members, (reader) => `reader-${reader}`),
    invitedSsoUserIds: [],
    accessScope: { level: 'PROJECT' },
  })),
};

/** Starts `serve` over a knowledge base of realistic size. */
export async function startTarget(settings: Readonly<Record<string, string>> = {}): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'kb-gateway-abuse-'));
  const databasePath = join(folder, 'kb.db');
  const databaseUrl = `sqlite:${databasePath}`;
  const store = await openLocalBackend({ databaseUrl, apiTokens: [TOKEN], log: silentLog });
  await store.importKnowledgeBase(knowledgeBase, () => {});
  await store.close();
  const gateway = await startGatewayProcess({
    cwd: folder,
    settings: { DATABASE_URL: databaseUrl, API_TOKEN: TOKEN, DEMO_DATA: 'false', ...settings },
  });
  const { hostname, port } = new URL(gateway.url);
  return {
    url: gateway.url,
    host: hostname,
    port: Number(port),
    databasePath,
    memoryMb: async () => (await memoryOf(gateway.pid)).nowMb,
    openFiles: async () => {
      const files = await readdir(`/proc/${gateway.pid}/fd`).catch(() => []);
      return files.length;
    },
    log: gateway.log,
    stop: async () => {
      await gateway.stop('SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
}
