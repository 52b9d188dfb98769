import {
  notRestoredOf,
  type RevertMember,
  revertMembersOf,
  revertOutcomeOf,
} from '../../core/articles/article-reverts.ts';
import {
  type PreviewedRevertItem,
  type RevertPreview,
  type RevertSummary,
  validateRevert,
} from '../../core/articles/article-update-jobs.ts';
import { err } from '../../core/base/result.ts';
import { jobNotFound } from '../../core/errors.ts';
import type { SubmittedRevert } from '../../jobs/article-update-jobs.ts';
import { ArticleUpdateJobType, JOB_ID_DESCRIPTION, jobIdOf } from './article-update-jobs.ts';
import { IfPublishedType } from './articles/bulk-updates.ts';
import { builder, globalId, NodeInterface } from './builder.ts';
import { connectionOf, createConnectionType, pageArgs, toPageRequest } from './connections.ts';
import { authorize, authorizeRead, type Context } from './context.ts';
import { ChangedFieldType } from './field-changes.ts';
import { openRead, unwrapResult } from './graphql-errors.ts';
import { NoticeType } from './mutation-errors.ts';
import { createResultType, exampleOf, KEYED_WRITE_ERROR_KINDS, runMutation } from './mutations.ts';

const RevertSummaryType = builder.objectRef<RevertSummary>('RevertSummary').implement({
  description: 'The items of a job that may have changed an article, counted by whether that can be put back.',
  fields: (t) => ({
    total: t.exposeInt('total', { description: 'The number of items that were updated, or whose outcome is unknown.' }),
    restorable: t.exposeInt('restorable', {
      description:
        'Those of which an update can put back what stood before, or a part of it (`RevertItem.notRestored`).',
    }),
    notRestorable: t.exposeInt('notRestorable', {
      description:
        'The others: what stood before could not be read, or no update can set it, such as no category, no text, or a translation in progress.',
    }),
  }),
});

const RevertMemberType = builder.objectRef<RevertMember>('RevertMember').implement({
  description:
    'A member of an article that the job had set, with its values. A revert puts `before` back where the text is as the job left it, whatever the service has made of `asLeft`.',
  fields: (t) => ({
    name: t.field({
      type: ChangedFieldType,
      description: 'The member.',
      resolve: ({ name }) => name,
    }),
    before: t.expose('before', { type: 'JSON', nullable: true, description: 'The value before the job.' }),
    asLeft: t.expose('asLeft', { type: 'JSON', nullable: true, description: 'The value that the job set.' }),
    now: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The value now, read for this page; null also where the article could not be read.',
      resolve: ({ now }) => now ?? null,
    }),
  }),
});

const RevertItem = builder.objectRef<PreviewedRevertItem>('RevertItem').implement({
  description: 'What a revert would put back of one text. Several items of the job for one text are one.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: globalId(
      t,
      'The global ID of the item, by which `node` reads it again, with the article as it is then: for callers who may write articles.',
    ),
    index: t.int({
      description: 'The position in the job of the last item of the text.',
      resolve: ({ target }) => target.index,
    }),
    articleId: t.id({
      description: 'The ID of the article, as it was submitted.',
      resolve: ({ target }) => target.update.articleId,
    }),
    members: t.field({
      type: [RevertMemberType],
      description: 'The members that the job had set; empty where what stood before could not be read.',
      resolve: ({ target, now }) => revertMembersOf(target, now) ?? [],
    }),
    notRestored: t.field({
      type: [ChangedFieldType],
      description:
        'The members that would not be put back, since no update can set what was before: no category, no text, no position, or another status.',
      resolve: ({ target }) => notRestoredOf(target),
    }),
    details: t.string({
      nullable: true,
      description: 'Why nothing would be put back, as the article stands now; null where it would be put back.',
      resolve: ({ target, now }) => revertOutcomeOf(target, now)?.details ?? null,
    }),
  }),
});

/** Finds an item of a revert, as its preview shows it. Resolves to null where the job or the item does not exist. */
export async function findRevertItem(
  context: Context,
  jobId: string,
  index: number,
): Promise<PreviewedRevertItem | null> {
  unwrapResult(authorize(context, 'articles:write'));
  const page = await context.jobs.previewRevertItems(context.caller, jobId, { limit: 1, after: `${index + 1}` });
  if (!page.ok && (page.error.kind === 'job-not-found' || page.error.kind === 'validation')) return null;
  const [edge] = unwrapResult(page).edges;
  return edge?.node.target.index === index ? edge.node : null;
}

const RevertItemConnection = createConnectionType('RevertItem', RevertItem, 'items of a revert');

const RevertArticleUpdateJobPreview = builder.objectRef<RevertPreview>('RevertArticleUpdateJobPreview').implement({
  description: 'What a revert of a job would do, if it began now. Nothing was written.',
  fields: (t) => ({
    summary: t.expose('summary', {
      type: RevertSummaryType,
      description: 'Counts from what is kept with the job, without a call to the service.',
    }),
    items: t.field({
      type: RevertItemConnection,
      nullable: true,
      description:
        'What would be put back, in the order of the revert: the last items first. The articles are read for the page, so a page with texts may have as many items as one query may take calls (`MAX_UPSTREAM_CALLS`).',
      args: pageArgs,
      resolve: async ({ jobId }, args, context) => {
        const { jobs, caller } = authorizeRead(context);
        return connectionOf(await openRead(jobs.previewRevertItems(caller, jobId, toPageRequest(args))));
      },
    }),
  }),
});

const RevertArticleUpdateJobPayload = builder.objectRef<SubmittedRevert>('RevertArticleUpdateJobPayload').implement({
  description: 'The job that puts back what another one has changed. It goes on when the request has ended.',
  fields: (t) => ({
    job: t.expose('job', {
      type: ArticleUpdateJobType,
      description: 'The new job, as it is now. Its items are counted while they are prepared.',
    }),
    warnings: t.expose('warnings', {
      type: [NoticeType],
      description:
        'A warning about items of the reverted job of which only a part can be put back (`ITEM_PARTLY_RESTORABLE`): no update can set the rest. `extensionData` has the `indexes` of the first 100, and their `total`.',
    }),
    replayed: t.exposeBoolean('replayed', {
      description: 'True when the revert was begun before with this key, so that this request had no effect.',
    }),
  }),
});

const PREVIEW_EXAMPLE = exampleOf('previewRevertArticleUpdateJob', {
  args: 'id: "WyJBcnRpY2xlVXBkYXRlSm9iIiwiajEiXQ"',
  payload: RevertArticleUpdateJobPreview,
  selection:
    'summary { total restorable notRestorable } items(first: 20) { nodes { articleId members { name before asLeft now } notRestored } }',
});

const EXAMPLE = exampleOf('revertArticleUpdateJob', {
  args: 'id: "WyJBcnRpY2xlVXBkYXRlSm9iIiwiajEiXQ", idempotencyKey: "undo-2026-01"',
  payload: RevertArticleUpdateJobPayload,
  selection: 'replayed warnings { description } job { id state summary { total } }',
});

builder.mutationField('previewRevertArticleUpdateJob', (t) =>
  t.field({
    type: createResultType('PreviewRevertArticleUpdateJobResult', {
      description: 'A preview of a revert, or the reason why there is none.',
      payload: RevertArticleUpdateJobPreview,
      errorKinds: ['validation', 'unauthenticated', 'forbidden', 'rate-limited', 'unavailable', 'job-not-found'],
    }),
    nullable: true,
    description: `Shows what \`revertArticleUpdateJob\` would put back, and writes nothing. A mutation, so that no client keeps the answer in a cache. Needs the scopes \`articles:write\` and \`read\`, and a subject where clients have JWTs.${PREVIEW_EXAMPLE}`,
    args: { id: t.arg.id({ required: true, description: JOB_ID_DESCRIPTION }) },
    resolve: (_root, { id }, context) =>
      runMutation(context, {
        write: 'bulkUpdateArticles',
        isPreview: true,
        // A global ID of another type is answered like that of a job that does not exist.
        validation: validateRevert({ publish: false, ifPublished: 'UPDATE' }),
        send: async () => {
          const jobId = jobIdOf(id);
          return jobId === null ? err(jobNotFound()) : context.jobs.previewRevert(context.caller, jobId);
        },
      }),
  }),
);

builder.mutationField('revertArticleUpdateJob', (t) =>
  t.field({
    type: createResultType('RevertArticleUpdateJobResult', {
      description: 'The new job, or the error that says why none was begun.',
      payload: RevertArticleUpdateJobPayload,
      errorKinds: [...KEYED_WRITE_ERROR_KINDS, 'job-not-found'],
    }),
    nullable: true,
    description: `Puts back what a job has changed that is done and was submitted with \`keepBefore\`: as a job of its own, the last items first. An article is put back only where it still stands as the job left it: by the time and the versions that were noted after the write, whatever the service has made of the text; else by the members that the job had set, the versions, and the translation status; else its item is not attempted (\`CHANGED_SINCE\`). Members that no update can set to what stood before are left (\`notRestored\`); where there are no others, the item is NOT_RESTORABLE. An article is read at most a second before it is written, and what somebody changes within that second is overwritten. A published version is forked, and what stood before is put back in the draft, unless \`ifPublished\` says otherwise; readers see it once the draft is published, as with \`publish\`. A revert can be reverted. One revert of a job runs at a time, else the answer is an IdempotencyError. Needs the scope \`articles:write\`, with \`publish\` also \`articles:publish\`, and a subject where clients have JWTs.${EXAMPLE}`,
    args: {
      id: t.arg.id({ required: true, description: JOB_ID_DESCRIPTION }),
      idempotencyKey: t.arg.string({
        required: true,
        description:
          'A text that the client makes up for the revert, such as a UUID: 1 to 255 visible ASCII characters. The same request again has no effect.',
      }),
      publish: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'true where each article is published once it is put back. Needs `userId`.',
      }),
      userId: t.arg.id({
        description:
          'The ID of the team account that publishes, and that becomes the contributor of new drafts. Needed with `publish`, and where a version is forked: without it, items of published versions are not put back (PUBLISHED).',
      }),
      ifPublished: t.arg({
        type: IfPublishedType,
        required: true,
        defaultValue: 'FORK',
        description: 'What becomes of items whose version is published, as in `BulkUpdateArticlesInput`.',
      }),
    },
    resolve: (_root, { id, idempotencyKey, publish, userId, ifPublished }, context) => {
      const mayPublish = publish ? authorize(context, 'articles:publish') : null;
      if (mayPublish?.ok === false) return mayPublish.error;
      const jobId = jobIdOf(id);
      return runMutation(context, {
        write: 'bulkUpdateArticles',
        idempotencyKey,
        validation: validateRevert({ publish, userId, ifPublished }),
        send: async (valid) =>
          jobId === null
            ? err(jobNotFound())
            : context.jobs.revert(context.caller, { jobId, idempotencyKey, ...valid }),
      });
    },
  }),
);
