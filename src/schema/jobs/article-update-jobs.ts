import type { ArticleUpdateJob, JobState, JobWait } from '../../domain/jobs/article-update-jobs.ts';
import { BulkUpdateSummary } from '../articles/bulk-update-summary.ts';
import { builder } from '../builder.ts';
import { authorizeRead, type Context } from '../context.ts';
import { unwrapResult } from '../errors/graphql-errors.ts';
import { createConnectionType, pageArgs, toPageRequest } from '../relay/connections.ts';
import { decodeGlobalId, encodeGlobalId } from '../relay/global-ids.ts';
import { NodeInterface } from '../relay/nodes.ts';

const JOB_STATES = {
  OPEN: { description: 'Further parts of the job may be submitted. Nothing is sent before the last one.' },
  RUNNING: {
    description: 'The job sends its items, waits until it may (`waitingFor`), or reads back what is unknown.',
  },
  PAUSED: {
    description:
      'The job sends nothing, since the gateway has no API token for it that the service accepts: after a restart, or after the service refused the token. `resumeArticleUpdateJob` of the same caller lets it go on.',
  },
  COMPLETED: { description: 'Every item has ended.' },
  CANCELLED: {
    description:
      'The job was cancelled, by its caller or because it was paused for 30 days (`JOB_KEEP_DAYS`). Items that had not begun are not attempted.',
  },
  EXPIRED: {
    description:
      'The last part of the job did not come within an hour of the part before it (`JOB_OPEN_SECONDS`). Nothing was sent.',
  },
} as const satisfies Record<JobState, { description: string }>;

const JobStateType = builder.enumType('ArticleUpdateJobState', {
  description: 'How far a job has come.',
  values: JOB_STATES,
});

const JOB_WAITS = {
  RATE_LIMIT: { description: 'The service accepts no more calls of the API token for now.' },
  SERVICE: { description: 'The service, or what the gateway keeps of the job, cannot be reached now.' },
} as const satisfies Record<JobWait, { description: string }>;

const JobWaitType = builder.enumType('JobWait', {
  description: 'Why a running job sends nothing for now. It goes on by itself, however long that takes.',
  values: JOB_WAITS,
});

export const ArticleUpdateJobType = builder.objectRef<ArticleUpdateJob>('ArticleUpdateJob');

ArticleUpdateJobType.implement({
  description:
    'A bulk update of any size, which goes on without the request that submitted it, also after a restart of the gateway. Ask for it again to watch it: that costs no call to the service. Only its caller can see it, who has the same API token and the same JWT subject. It is deleted 30 days after its end (`JOB_KEEP_DAYS`).',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      description: 'The global ID of the job, for `articleUpdateJob`, `node` and the mutations of jobs.',
      resolve: ({ jobId }) => encodeGlobalId('ArticleUpdateJob', [jobId]),
    }),
    state: t.expose('state', { type: JobStateType, description: 'How far the job has come.' }),
    done: t.boolean({
      description:
        'True when every item has ended, so that nothing of the job changes any more: there is no need to ask again.',
      resolve: ({ endedAt }) => endedAt !== null,
    }),
    waitingFor: t.expose('waitingFor', {
      type: JobWaitType,
      nullable: true,
      description: 'Why the running job sends nothing for now; null where it sends, and in every other state.',
    }),
    summary: t.expose('counts', {
      type: BulkUpdateSummary,
      description:
        'The items of the job, counted by how they ended. An unknown item may become an updated one until the job is done, since the gateway reads its article.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'The time at which the first part was submitted.',
    }),
    estimatedEndAt: t.expose('estimatedEndAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the job is going to be done, from its pending items and what is known of the rate limit; null where that cannot be told, and for a job that is done.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which the last item ended; null before.',
    }),
  }),
});

/** Null for the ID of anything else. */
export function jobIdOf(id: string): string | null {
  const decoded = decodeGlobalId(id);
  const [jobId] = decoded?.typeName === 'ArticleUpdateJob' ? decoded.parts : [];
  return typeof jobId === 'string' ? jobId : null;
}

/** Throws where the jobs cannot be read. */
export const findArticleUpdateJob = async (
  { jobs, caller }: Context,
  jobId: string,
): Promise<ArticleUpdateJob | null> => unwrapResult(await jobs.find(caller, jobId));

const ArticleUpdateJobConnection = createConnectionType('ArticleUpdateJob', ArticleUpdateJobType, 'jobs');

builder.queryFields((t) => ({
  articleUpdateJob: t.field({
    type: ArticleUpdateJobType,
    nullable: true,
    description:
      'A job of the caller, read without a call to the service; null where the caller has no job with this ID. Needs the scope `read`, and a subject where clients have JWTs.',
    args: {
      id: t.arg.id({ required: true, description: 'The global ID of the job, as `ArticleUpdateJob.id` has it.' }),
    },
    resolve: (_root, { id }, context) => {
      authorizeRead(context);
      const jobId = jobIdOf(id);
      return jobId === null ? null : findArticleUpdateJob(context, jobId);
    },
  }),
  articleUpdateJobs: t.field({
    type: ArticleUpdateJobConnection,
    nullable: true,
    description:
      'The jobs of the caller, the latest first, read without a call to the service. Jobs that ended more than 30 days ago are deleted (`JOB_KEEP_DAYS`). Needs the scope `read`, and a subject where clients have JWTs.',
    args: pageArgs,
    resolve: async (_root, args, context) => {
      const { jobs, caller } = authorizeRead(context);
      return unwrapResult(await jobs.list(caller, toPageRequest(args)));
    },
  }),
}));
