import { setTimeout as sleep } from 'node:timers/promises';
import type { JobState, JobWait } from '../../../src/core/articles/article-update-jobs.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';

/** The answer to a poll of a job. */
export interface PolledJob {
  readonly id: string;
  readonly state: JobState;
  readonly done: boolean;
  readonly waitingFor: JobWait | null;
  readonly summary: Readonly<Record<'total' | 'pending' | 'updated' | 'failed' | 'unknown' | 'notAttempted', number>>;
}

/** One result of a job. */
export interface JobResult {
  readonly __typename: string;
  readonly index: number;
  readonly articleId: string;
  readonly details: string | null;
  readonly evidence?: string;
  readonly readBack?: string;
  readonly reason?: string;
  readonly publication?: string | null;
}

export interface Submission {
  readonly idempotencyKey: string;
  readonly articles: readonly ArticleUpdate[];
  /** The most items of one part. */
  readonly partSize: number;
  readonly publish?: boolean;
}

/** A client of one gateway with one token, as a frontend has it. */
export interface JobClient {
  /** Sends a document; rejects with `GatewayAway` when no complete response arrives, else with the errors. */
  ask<Data>(query: string, variables?: object): Promise<Data>;
  submit(submission: Submission): Promise<{ readonly id: string; readonly replayed: boolean }>;
  poll(id: string): Promise<PolledJob>;
  resume(id: string): Promise<PolledJob>;
  cancel(id: string): Promise<PolledJob>;
  results(id: string): Promise<readonly JobResult[]>;
  /** Updates articles at once, and returns the type names of the outcomes. */
  update(articles: readonly ArticleUpdate[]): Promise<readonly string[]>;
}

/** No complete response arrived, so that nothing is known of the request. */
export class GatewayAway extends Error {
  override readonly name = 'GatewayAway';
}

/** A mutation about jobs was answered with an error. */
export class JobRefused extends Error {
  override readonly name = 'JobRefused';
  readonly type: string;

  constructor(type: string, message: string) {
    super(`${type}: ${message}`);
    this.type = type;
  }
}

const JOB = `
  fragment Job on ArticleUpdateJob {
    id state done waitingFor
    summary { total pending updated failed unknown notAttempted }
  }`;

const SUBMIT = `
  mutation ($input: SubmitArticleUpdateJobInput!, $idempotencyKey: String!) {
    outcome: submitArticleUpdateJob(input: $input, idempotencyKey: $idempotencyKey) {
      __typename
      ... on SubmitArticleUpdateJobPayload { replayed job { id } }
      ... on MutationError { message }
    }
  }`;

const changeDocument = (mutation: string) => `
  mutation ($id: ID!) {
    outcome: ${mutation}(id: $id) {
      __typename
      ... on ArticleUpdateJobPayload { job { ...Job } }
      ... on MutationError { message }
    }
  }
  ${JOB}`;
const RESUME = changeDocument('resumeArticleUpdateJob');
const CANCEL = changeDocument('cancelArticleUpdateJob');

const POLL = `query ($id: ID!) { job: articleUpdateJob(id: $id) { ...Job } } ${JOB}`;

const RESULTS = `
  query ($id: ID!, $after: String) {
    job: articleUpdateJob(id: $id) {
      results(first: 1000, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          __typename index articleId details
          ... on ArticleUpdated { evidence publication }
          ... on ArticleUpdateUnknown { readBack }
          ... on ArticleUpdateNotAttempted { reason }
        }
      }
    }
  }`;

const UPDATE = `
  mutation ($articles: [ArticleUpdateInput!]!) {
    outcome: bulkUpdateArticles(input: { articles: $articles }) {
      __typename
      ... on BulkUpdateArticlesPayload { results { __typename } }
    }
  }`;

interface Outcome {
  readonly __typename: string;
  readonly message?: string;
}

interface SubmitOutcome extends Outcome {
  readonly replayed?: boolean;
  readonly job?: { readonly id: string };
}

interface ChangeOutcome extends Outcome {
  readonly job?: PolledJob;
}

interface ResultsPage {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly JobResult[];
}

interface UpdateOutcome extends Outcome {
  readonly results?: readonly { readonly __typename: string }[];
}

const refusedBy = ({ __typename, message = '' }: Outcome) => new JobRefused(__typename, message);

export function createJobClient(urlNow: () => string, token: string): JobClient {
  const ask = <Data>(query: string, variables: object = {}) => sendTo<Data>(urlNow(), token, { query, variables });
  const change = async (document: string, id: string) => {
    const { outcome } = await ask<{ readonly outcome: ChangeOutcome }>(document, { id });
    if (outcome.job === undefined) throw refusedBy(outcome);
    return outcome.job;
  };
  const resultsPage = async (id: string, after: string | null) => {
    const { job } = await ask<{ readonly job: { readonly results: ResultsPage } | null }>(RESULTS, { id, after });
    if (job === null) throw new Error(`There is no job ${id}.`);
    return job.results;
  };
  return {
    ask,
    submit: (submission) => submitInParts(ask, submission),
    async poll(id) {
      const { job } = await ask<{ readonly job: PolledJob | null }>(POLL, { id });
      if (job === null) throw new Error(`There is no job ${id}.`);
      return job;
    },
    resume: (id) => change(RESUME, id),
    cancel: (id) => change(CANCEL, id),
    async results(id) {
      const all: JobResult[] = [];
      let page = await resultsPage(id, null);
      all.push(...page.nodes);
      while (page.pageInfo.hasNextPage) {
        page = await resultsPage(id, page.pageInfo.endCursor);
        all.push(...page.nodes);
      }
      return all;
    },
    async update(articles) {
      const { outcome } = await ask<{ readonly outcome: UpdateOutcome }>(UPDATE, { articles });
      return outcome.results?.map(({ __typename }) => __typename) ?? [outcome.__typename];
    },
  };
}

async function submitInParts(
  ask: JobClient['ask'],
  { idempotencyKey, articles, partSize, publish = false }: Submission,
) {
  let startIndex = 0;
  while (true) {
    const part = articles.slice(startIndex, startIndex + partSize);
    const moreToCome = startIndex + partSize < articles.length;
    const input = { articles: part, startIndex, moreToCome, ...(publish && { publish, userId: 'user' }) };
    const { outcome } = await ask<{ readonly outcome: SubmitOutcome }>(SUBMIT, { input, idempotencyKey });
    if (outcome.job === undefined) throw refusedBy(outcome);
    if (!moreToCome) return { id: outcome.job.id, replayed: outcome.replayed === true };
    startIndex += partSize;
  }
}

async function sendTo<Data>(url: string, token: string, body: object): Promise<Data> {
  const { data, errors } = await answerOf(url, token, body);
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

async function answerOf(url: string, token: string, body: object) {
  try {
    const headers = { 'content-type': 'application/json', api_token: token };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return JSON.parse(await response.text());
  } catch (error) {
    // `fetch` and a truncated body throw these.
    if (error instanceof TypeError || error instanceof SyntaxError) throw new GatewayAway('', { cause: error });
    throw error;
  }
}

const PAUSE_MS = 100;

/** Repeats the work while the gateway is away, and throws what else happens, or when the time is up. */
export async function whileAway<Value>(untilMs: number, work: () => Promise<Value>): Promise<Value> {
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof GatewayAway) || performance.now() > untilMs) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

/** Polls a job until it is as asked, or the time is up; returns it as it is then. */
export async function pollUntil(
  client: JobClient,
  id: string,
  { isAs, untilMs }: { readonly isAs: (job: PolledJob) => boolean; readonly untilMs: number },
): Promise<PolledJob> {
  while (true) {
    const job = await whileAway(untilMs, () => client.poll(id));
    if (isAs(job) || performance.now() > untilMs) return job;
    await sleep(PAUSE_MS);
  }
}

export const isDone = ({ done }: PolledJob): boolean => done;
