import { bytesOf } from '../harness/http-request.ts';
import type { RunningProcess } from '../harness/processes.ts';
import { type Arrival, callMethod } from '../harness/rpc.ts';
import { OTHER_TOKEN } from './backends.ts';

const PER_SECOND = 10;
/** Requests of one plan. Another one follows until the large update has ended. */
const PLANNED = 20;
const CONNECTIONS = 20;

const READ = 'query ($id: ID!) { article(articleId: $id, languageCode: "en") { articleId title } }';
const UPDATE = `mutation ($id: ID!, $title: String!) {
  bulkUpdateArticles(input: { articles: [{ articleId: $id, title: $title, hidden: false }] }) {
    ... on BulkUpdateArticlesPayload { results { __typename articleId } }
    ... on MutationError { message }
  }
}`;

/** What other callers met while the large update went on. */
export interface Others {
  /** The times of their answers, in milliseconds. */
  readonly times: readonly number[];
  /** The requests that were not answered rightly. */
  readonly wrong: readonly string[];
}

/** Another caller reads and updates an article of its own in turn, ten times a second, until the work has ended. */
export async function besideOthers(
  { load, port, articleId }: { readonly load: RunningProcess; readonly port: number; readonly articleId: string },
  work: Promise<unknown>,
): Promise<Others> {
  const times: number[] = [];
  const wrong: string[] = [];
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  for (let from = 0; !isOver; from += PLANNED) {
    const arrivals = plan(articleId, from);
    const { answers, failure } = await callMethod(load.child, 'arrivals', { port, connections: CONNECTIONS, arrivals });
    times.push(...answers.map(({ sentAt, answeredAt }) => answeredAt - sentAt));
    const rightly = answers.filter(({ isRight }) => isRight).length;
    wrong.push(...Array.from({ length: PLANNED - rightly }, () => failure ?? 'no answer'));
  }
  await ended;
  return { times, wrong };
}

const plan = (articleId: string, from: number): readonly Arrival[] =>
  Array.from({ length: PLANNED }, (_, index) => {
    const isUpdate = index % 2 === 0;
    const title = `Edited meanwhile, ${from + index}`;
    const variables = { id: articleId, ...(isUpdate && { title }) };
    const body = { query: isUpdate ? UPDATE : READ, variables };
    const request = bytesOf({ method: 'POST', path: '/graphql', body, token: OTHER_TOKEN }).toString();
    return { atMs: (1_000 * index) / PER_SECOND, request, mark: isUpdate ? '"ArticleUpdated"' : `"${articleId}"` };
  });
