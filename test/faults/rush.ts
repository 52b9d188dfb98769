import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '../support/gateway.ts';

const UPDATE = `mutation ($input: BulkUpdateArticlesInput!) {
  bulkUpdateArticles(input: $input) {
    __typename
    ... on BulkUpdateArticlesPayload { results { __typename } }
    ... on RateLimitedError { retryAfterSeconds }
  }
}`;

/** Many clients that each write one article after another. */
export interface Rush {
  readonly clients: number;
  /** The mutations of each client. */
  readonly each: number;
  /** True where a client takes the next article that is left, so that none has work when the others have none. */
  readonly isWorkShared?: boolean;
}

export interface RushReport {
  /** Mutations that ended in `ArticleUpdated`. */
  readonly updated: number;
  /** Mutations that ended in `RateLimitedError`, and were sent again later. */
  readonly rateLimited: number;
  readonly others: readonly string[];
  readonly ms: number;
}

/** The gateway of the next request of a client. */
type GatewayOf = (client: number) => Pick<Gateway, 'send'>;

interface Outcome {
  readonly __typename: string;
  readonly results?: readonly { readonly __typename: string }[];
  readonly retryAfterSeconds?: number | null;
}

/**
 * Runs all clients concurrently. A client that gets `RateLimitedError` waits as long as it says, and sends the mutation
 * again.
 */
export async function rush(gatewayOf: GatewayOf, { clients, each, isWorkShared = false }: Rush): Promise<RushReport> {
  let updated = 0;
  let rateLimited = 0;
  const others: string[] = [];
  const write = async (client: number, articleId: string): Promise<void> => {
    const { body } = await gatewayOf(client).send(UPDATE, { input: { articles: [{ articleId, title: 'New' }] } });
    const outcome: Outcome = Object(body.data?.['bulkUpdateArticles']);
    if (outcome.__typename === 'RateLimitedError') {
      rateLimited += 1;
      await sleep((outcome.retryAfterSeconds ?? 1) * 1_000);
      return write(client, articleId);
    }
    if (outcome.results?.[0]?.__typename === 'ArticleUpdated') updated += 1;
    else others.push(outcome.__typename);
  };
  const all = articleNames(clients * each);
  const client = async (name: number) => {
    for (const article of isWorkShared ? all : articleNames(each)) await write(name, articleIdOf(name, article));
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: clients }, (_, name) => client(name)));
  return { updated, rateLimited, others, ms: performance.now() - begin };
}

/** The articles that the clients write where each has its own work. */
export const articleIdsOf = ({ clients, each }: Rush): readonly string[] =>
  Array.from({ length: clients }, (_, client) =>
    [...articleNames(each)].map((name) => articleIdOf(client, name)),
  ).flat();

const articleIdOf = (client: number, name: string): string => `${client}-${name}`;

function* articleNames(count: number): Generator<string> {
  for (let nth = 0; nth < count; nth += 1) yield `article-${nth}`;
}
