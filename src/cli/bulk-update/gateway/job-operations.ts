import { z } from 'zod';
import { toPrintable } from '../../../base/printable.ts';
import { type GatewayMutation, type GatewayOperation, mutationDataOf } from './gateway-client.ts';
import { MUTATION_ERROR_FIELDS } from './gateway-failures.ts';

const count = z.int();

/** A text that is printed on a terminal. */
const printable = z.string().transform(toPrintable);

const jobShape = z.object({
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

const JOB_FIELDS = `id state done waitingFor createdAt estimatedEndAt
    summary { total pending updated failed unknown notAttempted }`;

/** Asks whether there is a gateway. */
export const CHECK_GATEWAY: GatewayOperation<unknown> = {
  document: 'query BulkUpdateCheck { __typename }',
  data: z.object({ __typename: z.string() }),
};

/** Asks whether the gateway has jobs and accepts the caller. */
export const CHECK_JOBS: GatewayOperation<unknown> = {
  document: 'query BulkUpdateCheck { articleUpdateJobs(first: 1) { nodes { id } } }',
  data: z.object({ articleUpdateJobs: z.object({ nodes: z.array(z.unknown()) }) }),
};

export const SUBMIT_PART: GatewayMutation<{ job: ShownJob; replayed: boolean }> = {
  document: `mutation BulkUpdateSubmit($input: SubmitArticleUpdateJobInput!, $key: String!) {
  result: submitArticleUpdateJob(input: $input, idempotencyKey: $key) {
    ... on SubmitArticleUpdateJobPayload { replayed job { ${JOB_FIELDS} } }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
  data: mutationDataOf(z.object({ job: jobShape, replayed: z.boolean() })),
};

const jobMutation = (name: string): GatewayMutation<{ job: ShownJob }> => ({
  document: `mutation BulkUpdateChangeJob($id: ID!) {
  result: ${name}(id: $id) {
    ... on ArticleUpdateJobPayload { job { ${JOB_FIELDS} } }
    ... on MutationError { code message retryable }
  }
}`,
  data: mutationDataOf(z.object({ job: jobShape })),
});

export const CANCEL_JOB = jobMutation('cancelArticleUpdateJob');

export const RESUME_JOB = jobMutation('resumeArticleUpdateJob');

const rateLimitShape = z.object({
  limit: count.nullable(),
  remaining: count.nullable(),
  resetAt: z.string().nullable(),
});

export type ShownRateLimit = z.infer<typeof rateLimitShape>;

/** The job is null when the caller has none of this ID. */
export const READ_JOB: GatewayOperation<{ job: ShownJob | null; rateLimit?: ShownRateLimit | null | undefined }> = {
  document: `query BulkUpdateJob($id: ID!) {
  job: articleUpdateJob(id: $id) { ${JOB_FIELDS} }
  rateLimit { limit remaining resetAt }
}`,
  data: z.object({ job: jobShape.nullable(), rateLimit: rateLimitShape.nullish() }),
};

const outcomeShape = z.object({
  __typename: printable,
  index: count,
  articleId: z.string(),
  details: z.string().nullable(),
  retryable: z.boolean(),
  reason: z.string().optional(),
  readBack: z.string().optional(),
});

/** How a row ended that was not updated. */
export type ShownOutcome = z.infer<typeof outcomeShape>;

const outcomesShape = z.object({
  job: z.object({
    results: z.object({
      nodes: z.array(outcomeShape),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
    }),
  }),
});

/** A page of the items that were not updated, by their index. */
export const READ_OUTCOMES: GatewayOperation<z.infer<typeof outcomesShape>> = {
  document: `query BulkUpdateOutcomes($id: ID!, $after: String) {
  job: articleUpdateJob(id: $id) {
    results(first: 1000, after: $after, outcomes: [FAILED, UNKNOWN, NOT_ATTEMPTED]) {
      nodes {
        __typename
        index
        articleId
        details
        retryable
        ... on ArticleUpdateUnknown { readBack }
        ... on ArticleUpdateNotAttempted { reason }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`,
  data: outcomesShape,
};
