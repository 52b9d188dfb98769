import { openLocalBackend } from '../../src/backend/local/local-backend.ts';
import { silent } from '../../src/domain/log.ts';
import { knowledgeBase } from './articles.ts';

/* Run by itself: puts so many articles into an empty store, a part at a time. */
const [databaseUrl = '', articlesText = ''] = process.argv.slice(2);
const articles = Number(articlesText);
const PART = 25_000;
const store = await openLocalBackend({ databaseUrl, apiTokens: [], log: silent });
for (let from = 0; from < articles; from += PART) {
  const part = { from, to: Math.min(from + PART, articles), articles };
  await store.importKnowledgeBase(knowledgeBase(part), () => {});
}
await store.close();
