import type { Backend } from '../backend/backend.ts';
import { demoArticleId } from '../backend/open-backend.ts';
import type { Config } from '../config.ts';
import { createCaller } from '../domain/callers/caller.ts';
import type { Access } from './access/access.ts';

const LOOKUP_MS = 1_000;

/** The ID of a demo article that an update can be tried on; null over the service, and where the store has no demo. */
export async function findDemoArticle(
  config: Pick<Config, 'backend'>,
  backend: Backend,
  { tokens: [apiToken] }: Pick<Access, 'tokens'>,
): Promise<string | null> {
  if (config.backend.kind === 'rest' || apiToken === undefined) return null;
  const articleId = await demoArticleId();
  if (articleId === null) return null;
  const caller = createCaller(new Headers({ api_token: apiToken }), LOOKUP_MS);
  const [article] = await backend.articles(caller, [{ articleId }]);
  return article?.ok && article.value ? articleId : null;
}
