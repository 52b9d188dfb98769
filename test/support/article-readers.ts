import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { text } from 'node:stream/consumers';

const READ = 'query ($id: ID!) { article(articleId: $id, languageCode: "en") { articleId content } }';

/** How a request ended: its status, 0 where it has none, and `isRight` where the answer is the right one. */
export interface Ended {
  readonly status: number;
  readonly isRight: boolean;
  readonly ms: number;
}

export interface Client {
  /** Reads one article, and the whole answer. */
  read(token: string, articleId: string): Promise<Ended>;
  close(): void;
}

/** A client with one connection for each request that is under way. */
export function openClient(port: number): Client {
  const agent = new Agent({ keepAlive: true });
  return {
    async read(token, articleId) {
      const since = performance.now();
      const response = await post({ port, token, articleId, agent }).catch(() => null);
      const body = response === null ? '' : await text(response).catch(() => '');
      const isRight = body.startsWith(`{"data":{"article":{"articleId":"${articleId}"`);
      return { status: response?.statusCode ?? 0, isRight, ms: performance.now() - since };
    },
    close: () => agent.destroy(),
  };
}

interface Post {
  readonly port: number;
  readonly token: string;
  readonly articleId: string;
  readonly agent?: Agent;
}

/** Resolves to a response whose body is not read yet. */
export function post({ port, token, articleId, agent }: Post): Promise<IncomingMessage> {
  const body = JSON.stringify({ query: READ, variables: { id: articleId } });
  const headers = {
    'x-api-token': token,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sendRequest({ host: '127.0.0.1', port, path: '/graphql', method: 'POST', headers, agent: agent ?? false })
    .once('response', resolve)
    .once('error', reject)
    .end(body);
  return promise;
}
