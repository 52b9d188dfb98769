import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/core/base/log.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { startPostgres } from '../../test/support/embedded-postgres.ts';
import { openRecordingService } from '../../test/support/jobs/recording-service.ts';
import { articleIdOf } from '../../test/support/jobs/service-articles.ts';
import { knowledgeBase } from '../store/articles.ts';

/** The tokens of the caller with the large update, and of the others. */
export const BULK_TOKEN = 'bulk-token';
export const OTHER_TOKEN = 'other-token';

/** What a gateway is put over: its settings, and the articles that are there. */
export interface LargeBackend extends AsyncDisposable {
  readonly settings: Readonly<Record<string, string>>;
  articleIdOf(index: number): string;
}

export type OpenLargeBackend = (articles: number) => Promise<LargeBackend>;

/** The time that the service takes for an update, in milliseconds. */
const SERVICE_MS = 50;

export async function overService(articles: number): Promise<LargeBackend> {
  const service = await openRecordingService({ articles, latencyMs: () => SERVICE_MS });
  const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-large-'));
  return {
    settings: { UPSTREAM_URL: service.url, STATE_URL: `sqlite:${join(folder, 'state.db')}` },
    articleIdOf,
    [Symbol.asyncDispose]: async () => {
      await service.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export async function overSqlite(articles: number): Promise<LargeBackend> {
  const folder = mkdtempSync(join(tmpdir(), 'kb-gateway-large-'));
  const url = `sqlite:${join(folder, 'kb.db')}`;
  return overStore(url, articles, async () => rmSync(folder, { recursive: true }));
}

export async function overPostgres(articles: number): Promise<LargeBackend> {
  const server = await startPostgres({});
  return overStore(server.url, articles, server.stop);
}

async function overStore(databaseUrl: string, articles: number, close: () => Promise<void>): Promise<LargeBackend> {
  const store = await openLocalBackend({ databaseUrl, apiTokens: [], log: silentLog });
  await store.importKnowledgeBase(knowledgeBase({ from: 0, to: articles, articles }), () => {});
  await store.close();
  return {
    settings: { DATABASE_URL: databaseUrl, API_TOKEN: `${BULK_TOKEN},${OTHER_TOKEN}`, DEMO_DATA: 'false' },
    articleIdOf: (index) => `article-${index}`,
    [Symbol.asyncDispose]: close,
  };
}
