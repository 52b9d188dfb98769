import { ok } from '../../base/result.ts';
import { validateKeyed } from '../../domain/jobs/idempotency-keys.ts';
import { validateJobPart } from '../../domain/jobs/job-parts.ts';
import type { SubmittedJob } from '../../jobs/article-update-jobs.ts';
import { ArticleUpdateInput } from '../articles/article-update-input.ts';
import { builder } from '../builder.ts';
import { errorTypeName, errorTypesOf, toErrorOfKinds } from '../errors/errors.ts';
import { runMutation } from '../run-mutation.ts';
import { ArticleUpdateJobType } from './article-update-jobs.ts';

const SubmitArticleUpdateJobInput = builder.inputType('SubmitArticleUpdateJobInput', {
  description:
    'A job, or a part of one that is submitted in several. A part is bounded as any request: by its bytes (`MAX_BODY_BYTES`) and its items (`MAX_BULK_ITEMS`).',
  fields: (t) => ({
    articles: t.field({
      type: [ArticleUpdateInput],
      required: true,
      description:
        'The changes, in the order in which they are made: from 1 to 10,000 items in one part (`MAX_BULK_ITEMS`), and at most 1,000,000 in all parts of a job (`MAX_JOB_ITEMS`). The same article may be changed by several items. Only a part that closes a job may be empty, after another part.',
    }),
    startIndex: t.int({
      required: true,
      defaultValue: 0,
      description:
        'The position in the job of the first of these items, from 0: the number of items in the parts before. Items that were submitted before have no effect where they are equal, and make the request an IdempotencyError where they are not. A position behind the end of what was submitted is a ValidationError.',
    }),
    moreToCome: t.boolean({
      required: true,
      defaultValue: false,
      description:
        'true where further parts follow with the same `idempotencyKey`: nothing is sent before the last part. The job expires, with nothing sent, when no further part comes within an hour (`JOB_OPEN_SECONDS`).',
    }),
  }),
});

interface SubmitPayload extends SubmittedJob {
  readonly kind: 'payload';
}

const SubmitArticleUpdateJobPayload = builder.objectRef<SubmitPayload>('SubmitArticleUpdateJobPayload').implement({
  description: 'The job is kept on disk: it goes on when the request has ended.',
  fields: (t) => ({
    job: t.expose('job', { type: ArticleUpdateJobType, description: 'The job, as it is now.' }),
    replayed: t.exposeBoolean('replayed', {
      description: 'True when this part was submitted before, so that this request had no effect.',
    }),
  }),
});

const SUBMIT_ERROR_KINDS = [
  'idempotency-conflict',
  'idempotency-in-progress',
  'validation',
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'unavailable',
] as const;

const SubmitArticleUpdateJobResult = builder.unionType('SubmitArticleUpdateJobResult', {
  description: 'The job, or the error that says why nothing of this part was kept.',
  types: [SubmitArticleUpdateJobPayload, ...errorTypesOf(SUBMIT_ERROR_KINDS)],
  resolveType: (result) => (result.kind === 'payload' ? 'SubmitArticleUpdateJobPayload' : errorTypeName(result)),
});

const EXAMPLE = `
\`\`\`graphql
mutation {
  submitArticleUpdateJob(
    idempotencyKey: "rename-2026-01"
    input: { articles: [{ articleId: "unpack-the-hub", title: "First steps" }] }
  ) {
    ... on SubmitArticleUpdateJobPayload { replayed job { id state summary { total } } }
    ... on MutationError { message retryable }
  }
}
\`\`\``;

builder.mutationField('submitArticleUpdateJob', (t) =>
  t.field({
    type: SubmitArticleUpdateJobResult,
    nullable: true,
    description: `Submits a bulk update of any size, in one or more parts, and answers as soon as it is kept. The job then sends its items by itself, waits for the rate limit and through outages, and finds out by reading what became of an item without an answer. Nothing is sent twice. Watch it by the query \`articleUpdateJob\`. A caller may have 5 jobs that have not ended, one more is a RateLimitedError; where the gateway has no room for more (\`MAX_STATE_BYTES\`), the error is ServiceUnavailableError. Needs the scope \`articles:write\`, and a subject where clients have JWTs.\n${EXAMPLE}`,
    args: {
      input: t.arg({ type: SubmitArticleUpdateJobInput, required: true, description: 'The items of the job.' }),
      idempotencyKey: t.arg.string({
        required: true,
        description:
          'A text that the client makes up for the job, such as a UUID: 1 to 255 visible ASCII characters. It names the job among those of the caller: all parts of a job have the same key, and submitting a part again has no effect.',
      }),
    },
    resolve: async (_root, { input, idempotencyKey }, context) => {
      const result = await runMutation(context, {
        scope: 'articles:write',
        validation: validateKeyed(idempotencyKey, validateJobPart(input, context.limits.maxBulkItems)),
        send: async (part) => {
          const submitted = await context.jobs.submit(context.caller, { ...part, idempotencyKey });
          return submitted.ok ? ok({ ...submitted.value, kind: 'payload' as const }) : submitted;
        },
      });
      return result.ok ? result.value : toErrorOfKinds(SUBMIT_ERROR_KINDS, result.error);
    },
  }),
);
