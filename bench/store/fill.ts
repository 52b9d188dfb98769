import { silentLog } from '../../src/core/base/log.ts';
import { openLocalBackend } from '../../src/store/local-backend.ts';
import { knowledgeBase } from './articles.ts';

/* A process that fills an empty store with a number of articles, in parts. */
const [databaseUrl = '', articlesText = ''] = process.argv.slice(2);
const articles = Number(articlesText);
const PART = 25_000;
const store = await openLocalBackend({ databaseUrl, apiTokens: [], log: silentLog });
for (let from = 0; from < articles; from += PART) {
  const part = { from, to: Math.min(from + PART, articles), articles };
  await store.importKnowledgeBase(knowledgeBase(part), () => {});
}
await store.close();
