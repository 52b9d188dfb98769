import { TOKEN } from '../target.ts';
import type { MeasuredGateway } from './measured-gateway.ts';
import { createSender } from './request.ts';

const QUERIES = [
  '{ projectVersions { name languages { code } } }',
  '{ articles(first: 20) { nodes { title category { name } } } }',
  '{ readers(first: 5) { nodes { email } } }',
  '{ __schema { types { name fields { name } } } }',
  'mutation { bulkUpdateArticles(input: { articles: [{ articleId: "none", title: "x" }] }) { __typename } }',
  // The first response without data loads what writes it.
  '{ unknown }',
];

const TIMES = 30;

/** Sends common queries until they are compiled, so that neither that nor what is loaded once is charged to a later one. */
export async function warmUp({ origin }: MeasuredGateway): Promise<void> {
  const sender = createSender(origin);
  const headers = { 'content-type': 'application/json', api_token: TOKEN };
  for (let times = 0; times < TIMES; times += 1) {
    for (const query of QUERIES) {
      await sender.send({ method: 'POST', path: '/graphql', headers, body: JSON.stringify({ query }) });
    }
  }
  sender.close();
}
