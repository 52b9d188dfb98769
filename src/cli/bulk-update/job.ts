import { z } from 'zod';
import { toPrintable } from '../../base/printable.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { type GatewayClient, type GatewayOperation, GrowingPause, MUTATION_ERROR_FIELDS } from './gateway-client.ts';

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

export const SUBMIT_PART: GatewayOperation<{ result: { job: ShownJob; replayed: boolean } }> = {
  document: `mutation BulkUpdateSubmit($input: SubmitArticleUpdateJobInput!, $key: String!) {
  result: submitArticleUpdateJob(input: $input, idempotencyKey: $key) {
    ... on SubmitArticleUpdateJobPayload { replayed job { ${JOB_FIELDS} } }
    ${MUTATION_ERROR_FIELDS}
  }
}`,
  data: z.object({ result: z.object({ job: jobShape, replayed: z.boolean() }) }),
};

const jobMutation = (name: string): GatewayOperation<{ result: { job: ShownJob } }> => ({
  document: `mutation BulkUpdateChangeJob($id: ID!) {
  result: ${name}(id: $id) {
    ... on ArticleUpdateJobPayload { job { ${JOB_FIELDS} } }
    ... on MutationError { code message retryable }
  }
}`,
  data: z.object({ result: z.object({ job: jobShape }) }),
});

export const CANCEL_JOB = jobMutation('cancelArticleUpdateJob');

const RESUME_JOB = jobMutation('resumeArticleUpdateJob');

const rateLimitShape = z.object({
  limit: count.nullable(),
  remaining: count.nullable(),
  resetAt: z.string().nullable(),
});

export type ShownRateLimit = z.infer<typeof rateLimitShape>;

/** The job is null when the caller has none of this ID. */
const READ_JOB: GatewayOperation<{ job: ShownJob | null; rateLimit?: ShownRateLimit | null | undefined }> = {
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
const READ_OUTCOMES: GatewayOperation<z.infer<typeof outcomesShape>> = {
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

/** Is told how a job goes on. */
interface JobWatcher {
  watched(job: ShownJob, rateLimit: ShownRateLimit | null): void;
  note(text: string): void;
}

/** Polls a job until it is done. A paused job is resumed, but not twice at the same item. */
export async function watchJob(
  client: GatewayClient,
  submitted: ShownJob,
  watcher: JobWatcher,
): Promise<Result<ShownJob, string>> {
  const id = JSON.stringify({ id: submitted.id });
  const pause = new GrowingPause(client.signal);
  let job = submitted;
  let resumedWith: number | null = null;
  while (!job.done) {
    if (job.state === 'PAUSED') {
      if (resumedWith === job.summary.pending) return err(`the job is paused again at once. ${PAUSE_REASONS}`);
      resumedWith = job.summary.pending;
      watcher.note(`The job is paused, and goes on with your token. ${PAUSE_REASONS}`);
      const resumed = await client.repeat(RESUME_JOB, id);
      if (!resumed.answer.ok) return err(resumed.answer.error.message);
    }
    await pause.take();
    const { answer } = await client.repeat(READ_JOB, id);
    if (!answer.ok) return err(answer.error.message);
    if (answer.value.job === null) return err('the gateway does not know the job any more, or not for this token.');
    job = answer.value.job;
    watcher.watched(job, answer.value.rateLimit ?? null);
  }
  return ok(job);
}

const PAUSE_REASONS =
  'A job pauses where the gateway has no token for it: after a restart, after a change of the token or of UPSTREAM_URL, and when the service refuses the token.';

/** Reads the items that were not updated, by their index. Throws with a message for people when a page can't be read. */
export async function* readOutcomes(client: GatewayClient, jobId: string): AsyncGenerator<ShownOutcome> {
  let after: string | null = null;
  do {
    const variables: string = JSON.stringify({ id: jobId, after });
    const { answer } = await client.repeat(READ_OUTCOMES, variables);
    if (!answer.ok) throw new Error(`the outcomes cannot be read: ${answer.error.message}`);
    const { nodes, pageInfo } = answer.value.job.results;
    yield* nodes;
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
}
