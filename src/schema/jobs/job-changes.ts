import type { BackendResult } from '../../backend/backend.ts';
import { err } from '../../base/result.ts';
import type { ArticleUpdateJob } from '../../domain/jobs/article-update-jobs.ts';
import { jobNotFound } from '../../domain/jobs/job-errors.ts';
import { builder } from '../builder.ts';
import { authorize, type Context } from '../context.ts';
import { errorTypeName, errorTypesOf, toErrorOfKinds } from '../errors/errors.ts';
import { ArticleUpdateJobType, jobIdOf } from './article-update-jobs.ts';

interface JobPayload {
  readonly kind: 'payload';
  readonly job: ArticleUpdateJob;
}

const ArticleUpdateJobPayload = builder.objectRef<JobPayload>('ArticleUpdateJobPayload').implement({
  description: 'The job after the mutation.',
  fields: (t) => ({
    job: t.expose('job', { type: ArticleUpdateJobType, description: 'The job, as it is now.' }),
  }),
});

const JOB_ERROR_KINDS = ['job-not-found', 'unauthenticated', 'forbidden', 'unavailable'] as const;

const ArticleUpdateJobResult = builder.unionType('ArticleUpdateJobResult', {
  description: 'The job, or the error that says why it was not changed.',
  types: [ArticleUpdateJobPayload, ...errorTypesOf(JOB_ERROR_KINDS)],
  resolveType: (result) => (result.kind === 'payload' ? 'ArticleUpdateJobPayload' : errorTypeName(result)),
});

async function changeJob(context: Context, id: string, change: (jobId: string) => BackendResult<ArticleUpdateJob>) {
  const result = await callForJob(context, id, change);
  return result.ok ? { kind: 'payload' as const, job: result.value } : toErrorOfKinds(JOB_ERROR_KINDS, result.error);
}

/** An ID of anything else is that of no job. */
async function callForJob(
  context: Context,
  id: string,
  change: (jobId: string) => BackendResult<ArticleUpdateJob>,
): BackendResult<ArticleUpdateJob> {
  const authorization = authorize(context, 'articles:write');
  if (!authorization.ok) return authorization;
  const jobId = jobIdOf(id);
  if (jobId === null) return err(jobNotFound());
  context.writes += 1;
  const result = await change(jobId);
  if (!result.ok) context.writes -= 1;
  return result;
}

const exampleOf = (mutation: string) => `
\`\`\`graphql
mutation {
  ${mutation}(id: "WyJBcnRpY2xlVXBkYXRlSm9iIiwiajEiXQ") {
    ... on ArticleUpdateJobPayload { job { state done summary { pending notAttempted } } }
    ... on MutationError { message retryable }
  }
}
\`\`\``;

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: 'The global ID of the job, as `ArticleUpdateJob.id` has it.' });
  return {
    cancelArticleUpdateJob: t.field({
      type: ArticleUpdateJobResult,
      nullable: true,
      description: `Cancels a job of the caller. No item begins after the answer: items that had not begun are not attempted, and those in flight keep their outcomes, for which the job is read again until it is \`done\`. A job that has ended stays as it is. Needs the scope \`articles:write\`, and a subject where clients have JWTs.\n${exampleOf('cancelArticleUpdateJob')}`,
      args: { id },
      resolve: (...[_root, args, context]) =>
        changeJob(context, args.id, (jobId) => context.jobs.cancel(context.caller, jobId)),
    }),
    resumeArticleUpdateJob: t.field({
      type: ArticleUpdateJobResult,
      nullable: true,
      description: `Lets a paused job of the caller go on, with the API token of this request. It stays paused where the token or the service is not that with which it began. A job that is not paused stays as it is. Needs the scope \`articles:write\`, and a subject where clients have JWTs.\n${exampleOf('resumeArticleUpdateJob')}`,
      args: { id },
      resolve: (...[_root, args, context]) =>
        changeJob(context, args.id, (jobId) => context.jobs.resume(context.caller, jobId)),
    }),
  };
});
