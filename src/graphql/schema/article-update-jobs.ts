import type { KeepBefore } from '../../core/articles/article-reverts.ts';
import {
  type ArticleUpdateJob,
  type ItemOutcome,
  type JobItemOutcome,
  type JobState,
  type JobWait,
  validateJobPart,
} from '../../core/articles/article-update-jobs.ts';
import type { BackendResult, Page } from '../../core/backend.ts';
import { MAX_RESULTS_PAGE_SIZE } from '../../core/base/limits.ts';
import { err } from '../../core/base/result.ts';
import { jobNotFound } from '../../core/errors.ts';
import { WRITES } from '../../core/writes/declarations.ts';
import type { SubmittedJob } from '../../jobs/article-update-jobs.ts';
import { ArticleUpdateOutcome, BulkUpdateSummary, type OutcomeOfItem } from './articles/article-outcomes.ts';
import { ArticleUpdateInput, IfPublishedType } from './articles/bulk-updates.ts';
import { builder, type EnumValues, globalId, NodeInterface } from './builder.ts';
import { connectionOf, createConnectionType, pageArgs, pageArgsUpTo, toPageRequest } from './connections.ts';
import { authorize, authorizeRead, type Context } from './context.ts';
import { invalidArgumentError, openRead } from './graphql-errors.ts';
import { createResultType, exampleOf, KEYED_WRITE_ERROR_KINDS, runMutation } from './mutations.ts';
import { decodeGlobalId } from './nodes.ts';

const JobStateType = builder.enumType('ArticleUpdateJobState', {
  description: 'How far a job has come.',
  values: {
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
  } satisfies EnumValues<JobState>,
});

const JobWaitType = builder.enumType('JobWait', {
  description: 'Why a running job sends nothing for now. It goes on by itself, however long that takes.',
  values: {
    RATE_LIMIT: { description: 'The service accepts no more calls of the API token for now.' },
    SERVICE: { description: 'The service, or what the gateway keeps of the job, cannot be reached now.' },
  } satisfies EnumValues<JobWait>,
});

export const ArticleUpdateJobType = builder.objectRef<ArticleUpdateJob>('ArticleUpdateJob').implement({
  description:
    'A bulk update of any size, which goes on without the request that submitted it, also after a restart of the gateway. Ask for it again to watch it: that costs no call to the service. Only its caller can see it, who has the same API token and the same JWT subject. It is deleted 30 days after its end (`JOB_KEEP_DAYS`).',
  interfaces: [NodeInterface],
  fields: (t) => ({
    name: t.exposeString('name', {
      nullable: true,
      description:
        'What people call the job, as its first part had it; null where that had none, and for a revert. It is deleted with the job, and is in no log.',
    }),
    state: t.expose('state', { type: JobStateType, description: 'How far the job has come.' }),
    waitingFor: t.expose('waitingFor', {
      type: JobWaitType,
      nullable: true,
      description: 'Why the running job sends nothing for now; null where it sends, and in every other state.',
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
    isRevertible: t.exposeBoolean('isRevertible', {
      description:
        'True when `revertArticleUpdateJob` may put something back: the job is done, was submitted with `keepBefore`, and changed an article.',
    }),
    estimatedCalls: t.exposeInt('estimatedCalls', {
      nullable: true,
      description:
        'About how many calls to the service its pending items take, with those that read what stands before (`keepBefore`): of an open job, what it costs to close it. 0 over the embedded store, null for a job that is done.',
    }),
    id: globalId(t, 'The global ID of the job, for `articleUpdateJob`, `node` and the mutations of jobs.'),
    done: t.boolean({
      description:
        'True when every item has ended, so that nothing of the job changes any more: there is no need to ask again.',
      resolve: ({ endedAt }) => endedAt !== null,
    }),
    summary: t.expose('counts', {
      type: BulkUpdateSummary,
      description:
        'The items of the job, counted by how they ended. An unknown item may become an updated one until the job is done, since the gateway reads its article.',
    }),
  }),
});

export function jobIdOf(id: string): string | null {
  const decoded = decodeGlobalId(id);
  const [jobId] = decoded?.typeName === 'ArticleUpdateJob' ? decoded.parts : [];
  return typeof jobId === 'string' ? jobId : null;
}

/** Finds a job of the caller. Rejects where the jobs cannot be read. */
export const findArticleUpdateJob = async (
  { jobs, caller }: Context,
  jobId: string,
): Promise<ArticleUpdateJob | null> => openRead(jobs.find(caller, jobId));

export const JOB_ID_DESCRIPTION = 'The global ID of the job, as `ArticleUpdateJob.id` has it.';

builder.objectFields(ArticleUpdateJobType, (t) => ({
  revertOf: t.field({
    type: ArticleUpdateJobType,
    nullable: true,
    description: 'The job whose changes this one puts back; null where it is no revert, or that job was deleted.',
    resolve: ({ revertOfId }, _args, context) =>
      revertOfId === null ? null : findArticleUpdateJob(context, revertOfId),
  }),
  revertedBy: t.field({
    type: ArticleUpdateJobType,
    nullable: true,
    description: 'The latest job that puts back the changes of this one; null where there is none.',
    resolve: ({ jobId }, _args, { jobs, caller }) => openRead(jobs.findRevert(caller, jobId)),
  }),
}));

const ArticleUpdateJobConnection = createConnectionType('ArticleUpdateJob', ArticleUpdateJobType, 'jobs');

builder.queryFields((t) => ({
  articleUpdateJob: t.field({
    type: ArticleUpdateJobType,
    nullable: true,
    description:
      'A job of the caller, read without a call to the service; null where the caller has no job with this ID. Needs the scope `read`, and a subject where clients have JWTs.',
    args: {
      id: t.arg.id({ required: true, description: JOB_ID_DESCRIPTION }),
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
      return connectionOf(await openRead(jobs.list(caller, toPageRequest(args))));
    },
  }),
}));

const ItemOutcomeType = builder.enumType('ItemOutcome', {
  description: 'How an item of a job has ended, which selects its type.',
  values: {
    UPDATED: { description: 'The article was updated: `ArticleUpdated`.' },
    FAILED: { description: 'The service refused the item: `ArticleUpdateFailed`.' },
    UNKNOWN: { description: 'The item was sent, and its outcome is unknown: `ArticleUpdateUnknown`.' },
    NOT_ATTEMPTED: {
      description: 'The item was not sent, or refused before anything of it was applied: `ArticleUpdateNotAttempted`.',
    },
  } satisfies EnumValues<ItemOutcome>,
});

const ArticleUpdateOutcomeConnection = createConnectionType(
  'ArticleUpdateOutcome',
  ArticleUpdateOutcome,
  'outcomes of items',
);

const withItem = ({ index, outcome, target }: JobItemOutcome): OutcomeOfItem => ({ ...outcome, index, item: target });

const withItems = (page: Page<JobItemOutcome>): Page<OutcomeOfItem> => ({
  ...page,
  edges: page.edges.map(({ cursor, node }) => ({ cursor, node: withItem(node) })),
});

/** Throws for an empty list, which would select nothing. Null selects all outcomes. */
function toOutcomes(outcomes: readonly ItemOutcome[] | null | undefined): readonly ItemOutcome[] | null {
  if (outcomes?.length === 0) {
    throw invalidArgumentError(['outcomes'], 'outcomes must name at least one outcome; leave it out to get all.');
  }
  return outcomes ? [...new Set(outcomes)] : null;
}

builder.objectField(ArticleUpdateJobType, 'results', (t) =>
  t.field({
    type: ArticleUpdateOutcomeConnection,
    nullable: true,
    description:
      'The items of the job that have ended, by their position in the job. An item that is still pending is left out, so that a page of a running job may be followed by items that came before its end: read the results again when the job is done. Costs no call to the service, whatever the size of the job, unless `article` is selected.',
    args: {
      ...pageArgsUpTo(MAX_RESULTS_PAGE_SIZE),
      outcomes: t.arg({
        type: [ItemOutcomeType],
        description: 'The items that ended in one of these ways, at least one; all where it is left out or null.',
      }),
    },
    resolve: async ({ jobId }, { outcomes, ...args }, context) => {
      const { jobs, caller } = authorizeRead(context);
      const request = { page: toPageRequest(args, MAX_RESULTS_PAGE_SIZE), outcomes: toOutcomes(outcomes) };
      return connectionOf(withItems(await openRead(jobs.results(caller, jobId, request))));
    },
  }),
);

interface JobPayload {
  readonly job: ArticleUpdateJob;
}

const ArticleUpdateJobPayload = builder.objectRef<JobPayload>('ArticleUpdateJobPayload').implement({
  description: 'The job after the mutation.',
  fields: (t) => ({ job: t.expose('job', { type: ArticleUpdateJobType, description: 'The job, as it is now.' }) }),
});

const ArticleUpdateJobResult = createResultType('ArticleUpdateJobResult', {
  description: 'The job, or the error that says why it was not changed.',
  payload: ArticleUpdateJobPayload,
  errorKinds: ['job-not-found', 'unauthenticated', 'forbidden', 'unavailable', 'rejected'],
});

function addJobChange(change: 'cancel' | 'resume', effect: string): void {
  const name = `${change}ArticleUpdateJob`;
  const example = exampleOf(name, {
    args: 'id: "WyJBcnRpY2xlVXBkYXRlSm9iIiwiajEiXQ"',
    payload: ArticleUpdateJobPayload,
    selection: 'job { state done summary { pending notAttempted } }',
  });
  builder.mutationField(name, (t) =>
    t.field({
      type: ArticleUpdateJobResult,
      nullable: true,
      description: `${effect} Needs the scope \`articles:write\`, and a subject where clients have JWTs.${example}`,
      args: { id: t.arg.id({ required: true, description: JOB_ID_DESCRIPTION }) },
      resolve: async (_root, { id }, context) => {
        const changed = await changeJob(context, id, change);
        return changed.ok ? { job: changed.value } : changed.error;
      },
    }),
  );
}

/** Cancels or resumes a job. A global ID of another type is answered like that of a job that does not exist. */
async function changeJob(context: Context, id: string, change: 'cancel' | 'resume'): BackendResult<ArticleUpdateJob> {
  const authorization = authorize(context, WRITES.bulkUpdateArticles.scope);
  if (!authorization.ok) return authorization;
  const jobId = jobIdOf(id);
  if (jobId === null) return err(jobNotFound());
  context.writes += 1;
  const result = await context.jobs[change](context.caller, jobId);
  if (!result.ok) context.writes -= 1;
  return result;
}

addJobChange(
  'cancel',
  'Cancels a job of the caller. No item begins after the answer: items that had not begun are not attempted, and those in flight keep their outcomes, for which the job is read again until it is `done`. A job that has ended stays as it is.',
);

addJobChange(
  'resume',
  'Lets a paused job of the caller go on, with the API token of this request. It stays paused where the token or the service is not that with which it began. A job that is not paused stays as it is. A job with `publish` needs the scope `articles:publish` as well.',
);

const KeepBeforeType = builder.enumType('KeepBefore', {
  description:
    'Whether a job keeps what stands in an article before it changes the article, so that `revertArticleUpdateJob` can put it back.',
  values: {
    NEVER: { description: 'Nothing is kept.' },
    ALWAYS: { description: 'An item of which not all can be read before is not sent (`BEFORE_NOT_READABLE`).' },
    WHERE_POSSIBLE: { description: 'Such an item is sent, and cannot be put back.' },
  } satisfies EnumValues<KeepBefore>,
});

const NAME_DESCRIPTION =
  'What people call the job, such as "Replace hub by base in 12 articles": 1 to 200 characters, none of them a control character. Spaces at its ends are cut off. All parts of a job have the same, else the answer is an IdempotencyError.';

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
    name: t.string({ description: NAME_DESCRIPTION }),
    publish: t.boolean({
      required: true,
      defaultValue: false,
      description:
        'true where each article is published once it is updated, in the version that the update wrote: the named one, or the latest. `ArticleUpdated.publication` tells what became of it. Needs `userId`, and the scope `articles:publish`. All parts of a job have the same `publish`, `userId` and `publishMessage`, else the answer is an IdempotencyError.',
    }),
    userId: t.id({
      description:
        'The ID of the team account that publishes, and that becomes the contributor of new drafts, as in `TeamAccount.userId`. Needed with `publish` and with `ifPublished: FORK`, and not allowed without both.',
    }),
    keepBefore: t.field({
      type: KeepBeforeType,
      required: true,
      defaultValue: 'NEVER',
      description:
        'Whether what stands in each article before is read, and kept with the job, for as long as the job is (`JOB_KEEP_DAYS`) and within the same room (`MAX_STATE_BYTES`). Over the service, that takes a read of each article whose text is set, and of a list for up to 100 others; items that set texts then go 10 at a time. `ALWAYS` refuses `source`, which cannot be read. All parts of a job have the same.',
    }),
    ifPublished: t.field({
      type: IfPublishedType,
      required: true,
      defaultValue: 'UPDATE',
      description:
        'What becomes of items that change the text of a published version, as in `BulkUpdateArticlesInput`. FORK needs `userId`. The fork and the update of an item are recorded each for itself, so that after a crash no version is forked again; a fork without an answer is looked for. All parts of a job have the same.',
    }),
    publishMessage: t.string({
      description:
        'A message that the service keeps with the publication: at most 1,000 characters, and only with `publish`.',
    }),
  }),
});

const SubmitArticleUpdateJobPayload = builder.objectRef<SubmittedJob>('SubmitArticleUpdateJobPayload').implement({
  description: 'The job is kept on disk: it goes on when the request has ended.',
  fields: (t) => ({
    job: t.expose('job', { type: ArticleUpdateJobType, description: 'The job, as it is now.' }),
    replayed: t.exposeBoolean('replayed', {
      description: 'True when this part was submitted before, so that this request had no effect.',
    }),
  }),
});

const EXAMPLE = exampleOf('submitArticleUpdateJob', {
  args: 'idempotencyKey: "rename-2026-01", input: { articles: [{ articleId: "unpack-the-hub", title: "First steps" }] }',
  payload: SubmitArticleUpdateJobPayload,
  selection: 'replayed job { id state summary { total } }',
});

builder.mutationField('submitArticleUpdateJob', (t) =>
  t.field({
    type: createResultType('SubmitArticleUpdateJobResult', {
      description: 'The job, or the error that says why nothing of this part was kept.',
      payload: SubmitArticleUpdateJobPayload,
      errorKinds: KEYED_WRITE_ERROR_KINDS,
    }),
    nullable: true,
    description: `Submits a bulk update of any size, in one or more parts, and answers as soon as it is kept. The job then sends its items by itself, waits for the rate limit and through outages, and finds out by reading what became of an item without an answer. Nothing is sent twice. Watch it by the query \`articleUpdateJob\`. A caller may have 5 jobs that have not ended, one more is a RateLimitedError; where the gateway has no room for more (\`MAX_STATE_BYTES\`), the error is ServiceUnavailableError. Needs the scope \`articles:write\`, with \`publish\` also \`articles:publish\`, and a subject where clients have JWTs.${EXAMPLE}`,
    args: {
      input: t.arg({ type: SubmitArticleUpdateJobInput, required: true, description: 'The items of the job.' }),
      idempotencyKey: t.arg.string({
        required: true,
        description:
          'A text that the client makes up for the job, such as a UUID: 1 to 255 visible ASCII characters. It names the job among those of the caller: all parts of a job have the same key, and submitting a part again has no effect.',
      }),
    },
    resolve: (_root, { input, idempotencyKey }, context) => {
      const mayPublish = authorize(context, input.publish ? 'articles:publish' : WRITES.bulkUpdateArticles.scope);
      if (!mayPublish.ok) return mayPublish.error;
      return runMutation(context, {
        write: 'bulkUpdateArticles',
        idempotencyKey,
        validation: validateJobPart(input, context.limits.maxBulkItems),
        send: (part) => context.jobs.submit(context.caller, { ...part, idempotencyKey }),
      });
    },
  }),
);
