import { z } from 'zod';
import { toPrintable } from '../../core/base/printable.ts';
import { type GatewayClient, MUTATION_ERROR_FIELDS, operation } from './gateway-client.ts';

const count = z.int();

/** A text that is printed on a terminal. */
const printable = z.string().transform(toPrintable);

export const jobShape = z.object({
  id: z.string().regex(/^[\x21-\x7e]+$/u),
  state: printable,
  done: z.boolean(),
  waitingFor: z.string().nullable(),
  createdAt: printable,
  estimatedEndAt: z.string().nullable(),
  summary: z.object({
    total: count,
    pending: count,
    updated: count,
    failed: count,
    unknown: count,
    notAttempted: count,
  }),
});

/** A job as the gateway shows it. Later gateways may have further states. */
export type ShownJob = z.infer<typeof jobShape>;

export const JOB_FIELDS = `id state done waitingFor createdAt estimatedEndAt
    summary { total pending updated failed unknown notAttempted }`;

/** Asks whether the gateway has jobs and accepts the caller. */
export const CHECK_GATEWAY = operation(
  'query BulkUpdateCheck { articleUpdateJobs(first: 1) { nodes { id } } }',
  z.object({ articleUpdateJobs: z.object({ nodes: z.array(z.unknown()) }) }),
);

/** One page, as large as the gateway gives it. */
export const LIST_JOBS = operation(
  `query BulkUpdateJobs {
  articleUpdateJobs(first: 100) { nodes { ${JOB_FIELDS} } pageInfo { hasNextPage } }
}`,
  z.object({
    articleUpdateJobs: z.object({ nodes: z.array(jobShape), pageInfo: z.object({ hasNextPage: z.boolean() }) }),
  }),
);

export const SUBMIT_PART = operation(
  `mutation BulkUpdateSubmit($input: SubmitArticleUpdateJobInput!, $key: String!) {
  result: submitArticleUpdateJob(input: $input, idempotencyKey: $key) {
    ... on SubmitArticleUpdateJobPayload { replayed job { ${JOB_FIELDS} } }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
  z.object({ result: z.object({ job: jobShape, replayed: z.boolean() }) }),
);

const jobMutation = (name: string) =>
  operation(
    `mutation BulkUpdateChangeJob($id: ID!) {
  result: ${name}(id: $id) {
    ... on ArticleUpdateJobPayload { job { ${JOB_FIELDS} } }
    ... on MutationError { code message retryable }
  }
}`,
    z.object({ result: z.object({ job: jobShape }) }),
  );

export const CANCEL_JOB = jobMutation('cancelArticleUpdateJob');

export const RESUME_JOB = jobMutation('resumeArticleUpdateJob');

/** The job is null when the caller has none of this ID. */
export const READ_JOB = operation(
  `query BulkUpdateJob($id: ID!) {
  job: articleUpdateJob(id: $id) { ${JOB_FIELDS} }
}`,
  z.object({ job: jobShape.nullable() }),
);

const outcomeShape = z.object({
  __typename: printable,
  index: count,
  articleId: z.string(),
  details: z.string().nullable(),
  retryable: z.boolean(),
  reason: z.string().optional(),
  readBack: z.string().optional(),
  publication: printable.nullish(),
});

/** The outcome of a row that was not updated, or not published. */
export type ShownOutcome = z.infer<typeof outcomeShape>;

const outcomePage = z.object({
  nodes: z.array(outcomeShape),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
});

/** A page of items, by their index. */
const readOutcomesOf = (outcomes: string, fields: string) =>
  operation(
    `query BulkUpdateOutcomes($id: ID!, $after: String) {
  job: articleUpdateJob(id: $id) {
    results(first: 1000, after: $after, outcomes: [${outcomes}]) {
      nodes {
        __typename
        index
        articleId
        details
        retryable
        ... on ArticleUpdateUnknown { readBack }
        ... on ArticleUpdateNotAttempted { reason }
        ${fields}
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`,
    z.object({ job: z.object({ results: outcomePage }) }),
  );

const NOT_UPDATED = 'FAILED, UNKNOWN, NOT_ATTEMPTED';

const READ_OUTCOMES = readOutcomesOf(NOT_UPDATED, '');

const READ_PUBLICATIONS = readOutcomesOf(`UPDATED, ${NOT_UPDATED}`, '... on ArticleUpdated { publication }');

/**
 * Reads the items that were not updated, by their index, and in a job that publishes also those that were. Throws with a
 * message for people when a page can't be read.
 */
export async function* readOutcomes(
  client: GatewayClient,
  jobId: string,
  publishes: boolean,
): AsyncGenerator<ShownOutcome> {
  const page = publishes ? READ_PUBLICATIONS : READ_OUTCOMES;
  let after: string | null = null;
  do {
    const variables: string = JSON.stringify({ id: jobId, after });
    const { answer } = await client.repeat(page, variables);
    if (!answer.ok) throw new Error(`the outcomes cannot be read: ${answer.error.message}`);
    const { nodes, pageInfo } = answer.value.job.results;
    yield* nodes;
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
}
