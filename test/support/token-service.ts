import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { portOf } from './ports.ts';

/** A service that accepts all tokens but two. */
export interface TokenService extends AsyncDisposable {
  readonly url: string;
}

export const EXPIRED_TOKEN = 'expired';
/** The token that has no calls left in this minute. */
export const SPENT_TOKEN = 'spent';

const ARTICLE_PATH = /^\/v2\/Articles\/([^/?]+)\/en/u;
/** The text of the article that slow readers ask for. */
const LONG_TEXT = 'x'.repeat(500_000);

/** Each call is answered after `latencyMs`. */
export async function openTokenService(latencyMs: number): Promise<TokenService> {
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    request.resume();
    await delay(latencyMs);
    const token = headers['api_token'];
    if (token === EXPIRED_TOKEN) return response.writeHead(401).end();
    if (token === SPENT_TOKEN) {
      const limit = {
        'x-ratelimit-limit': 60,
        'x-ratelimit-remaining': 0,
        'x-ratelimit-reset': 20,
        'retry-after': '20',
      };
      return response.writeHead(429, limit).end();
    }
    const id = ARTICLE_PATH.exec(url)?.[1] ?? 'none';
    const data = url.startsWith('/v2/ProjectVersions') ? [] : articleOf(id);
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ data, success: true, errors: [], warnings: [], information: [] }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

const articleOf = (id: string) => ({
  id,
  title: `Title of ${id}`,
  language_code: 'en',
  project_version_id: 'version-1',
  category_id: 'category-1',
  version_number: 1,
  latest_version: 1,
  hidden: false,
  order: 1,
  content: id.startsWith('long') ? LONG_TEXT : 'Choose **Renew**.',
});
