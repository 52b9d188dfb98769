import { createServer } from 'node:http';
import { readBytes } from '../../baselines/bodies.ts';
import { port } from '../settings.ts';
import type { Query } from './query.ts';
import { type BareReads, readArticle, readArticles, readGroups } from './reads.ts';
import type { TextChange } from './updates.ts';

interface BareStore {
  readonly query: Query;
  readonly update: (changes: readonly TextChange[]) => Promise<unknown>;
}

/**
 * Serves each operation at a path of its own: it parses the JSON of the request, runs its statements, and writes the
 * JSON of the response. This is the least that a handler on `node:http` costs.
 */
export function serveBare({ query, update }: BareStore): void {
  const operations: Readonly<Record<string, (input: BareReads & { articles: TextChange[] }) => Promise<unknown>>> = {
    '/articles': (input) => readArticles(query, input),
    '/groups': (input) => readGroups(query, input),
    '/article': (input) => readArticle(query, input),
    '/update': ({ articles }) => update(articles),
  };
  createServer(async (request, response) => {
    const input = JSON.parse((await readBytes(request)).toString());
    const body = JSON.stringify({ data: await operations[request.url ?? '']?.(input) });
    response.writeHead(200, ['content-type', 'application/json', 'content-length', `${Buffer.byteLength(body)}`]);
    response.end(body);
  }).listen(port, '127.0.0.1');
}
