import { vi } from 'vitest';
import type { Gateway } from '../../support/gateway.ts';

const JOB = `fragment J on ArticleUpdateJob {
  id name state done waitingFor endedAt summary { total pending updated failed unknown notAttempted }
}`;

const ERROR = `fragment E on MutationError { __typename code message retryable mayHaveApplied
  ... on ValidationError { issues { path message } }
  ... on IdempotencyError { indexes } }`;

const SUBMIT = `mutation ($input: SubmitArticleUpdateJobInput!, $key: String!) {
  result: submitArticleUpdateJob(input: $input, idempotencyKey: $key) {
    ... on SubmitArticleUpdateJobPayload { replayed job { ...J } } ...E
  }
} ${JOB} ${ERROR}`;

const change = (mutation: string) => `mutation ($id: ID!) {
  result: ${mutation}(id: $id) { ... on ArticleUpdateJobPayload { job { ...J } } ...E }
} ${JOB} ${ERROR}`;

const FIND = `query ($id: ID!) { articleUpdateJob(id: $id) { ...J } } ${JOB}`;

export interface JobAnswer {
  readonly id: string;
  readonly name: string | null;
  readonly state: string;
  readonly done: boolean;
  readonly summary: Readonly<Record<string, number>>;
}

/** Sends the operations of jobs with one caller's headers. */
export function jobsClient(gateway: Gateway, headers?: Record<string, string>) {
  const send = async (query: string, variables: object): Promise<Record<string, unknown>> => {
    const { body } = await gateway.send(query, variables, headers);
    if (!body.data) throw new Error(JSON.stringify(body));
    return body.data;
  };
  const find = async (id: string): Promise<JobAnswer | null> => {
    const { articleUpdateJob } = await send(FIND, { id });
    return articleUpdateJob === null ? null : Object(articleUpdateJob);
  };
  return {
    send,
    find,
    submit: async (key: string, input: object) => Object((await send(SUBMIT, { key, input }))['result']),
    cancel: async (id: string) => Object((await send(change('cancelArticleUpdateJob'), { id }))['result']),
    resume: async (id: string) => Object((await send(change('resumeArticleUpdateJob'), { id }))['result']),
    /** The job once every item has ended. */
    untilDone: (id: string): Promise<JobAnswer> =>
      vi.waitFor(
        async () => {
          const job = await find(id);
          if (!job?.done) throw new Error(`The job is not done: ${JSON.stringify(job)}`);
          return job;
        },
        { timeout: 120_000, interval: 20 },
      ),
  };
}
