import { openLocalBackend } from '../../src/backend/local/local-backend.ts';
import { silent } from '../../src/domain/log.ts';
import { knowledgeBase } from './articles.ts';

/* Run by itself: puts so many articles into an empty store, a part at a time. */
const [databaseUrl = '', articles = ''] = process.argv.slice(2);
const PART = 25_000;
const store = await openLocalBackend({ databaseUrl, apiTokens: [], log: silent });
for (let from = 0; from < Number(articles); from += PART) {
  await store.importKnowledgeBase(knowledgeBase(from, Math.min(from + PART, Number(articles))), () => {});
}
await store.close();
