import type { InputFieldBuilder, InputRef, InterfaceFieldBuilder, ObjectFieldBuilder, OutputRef } from '@pothos/core';
import type { CreationOutcome } from '../../../core/articles/article-creations.ts';
import {
  type ArticleOutcome,
  type CompletedItems,
  isRetryable,
  type NotAttemptedReason,
  outcomeCountsOf,
  type Publication,
} from '../../../core/articles/article-outcomes.ts';
import type { JobCounts } from '../../../core/articles/article-update-jobs.ts';
import { articleKeyOf, type UpdateTarget } from '../../../core/articles/bulk-updates.ts';
import type { CategoryCreationOutcome } from '../../../core/articles/category-creations.ts';
import type { Caller } from '../../../core/callers/caller.ts';
import type { Notice, Notices, ServiceError } from '../../../core/notices.ts';
import type { KeyedResult } from '../../../core/writes/idempotency-keys.ts';
import { builder, type EnumValues, type SchemaTypes } from '../builder.ts';
import { authorizeRead } from '../context.ts';
import { ChangedFieldType } from '../field-changes.ts';
import { NoticeType, ServiceErrorType } from '../mutation-errors.ts';
import { REPLAYED_DESCRIPTION } from '../mutations.ts';
import { ArticleType, loadArticle } from './articles.ts';

/** The counts that the summary of every write has. */
export const countFields = (t: ObjectFieldBuilder<SchemaTypes, JobCounts>) => ({
  total: t.exposeInt('total', { description: 'The number of submitted items.' }),
  failed: t.exposeInt('failed', { description: 'The number of items that the service refused.' }),
  unknown: t.exposeInt('unknown', {
    description: 'The number of items that were sent, and whose outcome is unknown.',
  }),
  notAttempted: t.exposeInt('notAttempted', {
    description: 'The number of items that were not sent, or refused before anything of them was applied.',
  }),
});

export const BulkUpdateSummary = builder.objectRef<JobCounts>('BulkUpdateSummary').implement({
  description: 'The items of a write of articles or of a job, counted by how they ended.',
  fields: (t) => ({
    ...countFields(t),
    pending: t.exposeInt('pending', {
      description: 'The number of items of a job that have not ended yet. 0 for the answer of a bulk update.',
    }),
    updated: t.exposeInt('updated', { description: 'The number of items whose article was updated.' }),
  }),
});

/** The fields of the input of a write that is made in the name of a team account. */
export const accountInputFields = <Item>(
  t: InputFieldBuilder<SchemaTypes, 'InputObject'>,
  item: InputRef<Item>,
  bounds = 'from 1 to 10,000, unless the gateway is set to another maximum (`MAX_BULK_ITEMS`)',
) => ({
  articles: t.field({ type: [item], required: true, description: `The articles, in their order, ${bounds}.` }),
  userId: t.id({
    required: true,
    description:
      'The ID of the team account in whose name it is done, as in `TeamAccount.userId`, which becomes the contributor of a new article. Not empty.',
  }),
});

interface ItemsPayload<Outcome> extends Notices {
  readonly replayed: boolean;
  readonly results: Iterable<Outcome>;
  readonly summary: JobCounts;
  readonly serviceErrors: readonly ServiceError[];
  /** Computes the warnings of the gateway when `warnings` is selected, since they need a look at every item. */
  readonly itemWarnings?: () => readonly Notice[];
}

interface PayloadOptions<Outcome> {
  readonly description: string;
  readonly outcomes: OutputRef<Outcome>;
  readonly summary: OutputRef<JobCounts>;
  /** The subjects of the warnings of the gateway, as the end of a sentence. */
  readonly ownWarnings?: string;
}

export const createItemsPayload = <Outcome>(
  name: string,
  { description, outcomes, summary, ownWarnings }: PayloadOptions<Outcome>,
) =>
  builder.objectRef<ItemsPayload<Outcome>>(name).implement({
    description,
    fields: (t) => ({
      results: t.field({
        type: [outcomes],
        resolve: ({ results }) => results,
        description:
          'One outcome for each submitted item, in the submitted order. The items to send again are those whose outcome is `retryable`.',
      }),
      summary: t.expose('summary', { type: summary, description: 'The submitted items, counted by how they ended.' }),
      replayed: t.exposeBoolean('replayed', { description: REPLAYED_DESCRIPTION }),
      serviceErrors: t.expose('serviceErrors', {
        type: [ServiceErrorType],
        description: 'Errors that the service sent beside the outcomes, in the order of its answers.',
      }),
      information: t.expose('information', {
        type: [NoticeType],
        description: 'Information of the service, in the order of its answers, without repeats.',
      }),
      extensionData: t.expose('extensionData', {
        type: 'JSON',
        nullable: true,
        description:
          'Extension data of the answer of the service; null where there is none, and where the write took several calls or shared one with other callers.',
      }),

      warnings: t.field({
        type: [NoticeType],
        description: `Warnings of the service, in the order of its answers, without repeats${ownWarnings ? `; after them those of the gateway about items that were sent as they are: ${ownWarnings}` : '.'}`,
        resolve: ({ warnings, itemWarnings }) => (itemWarnings ? [...warnings, ...itemWarnings()] : warnings),
      }),
    }),
  });

type AnyOutcome = ArticleOutcome | CreationOutcome | CategoryCreationOutcome;

/** Creates the payload of a write. Records the time to wait after a rate limit, unless the outcomes were replayed. */
export function itemsPayloadOf<Outcome extends AnyOutcome, Item>(
  { value: { outcomes, ...notices }, replayed }: KeyedResult<CompletedItems<Outcome>>,
  items: readonly Item[],
  caller: Caller,
): ItemsPayload<OutcomeOf<Item, Outcome>> {
  for (const outcome of replayed ? [] : outcomes)
    if (outcome.kind === 'not-attempted' && outcome.reason === 'RATE_LIMITED')
      caller.request.report.add({ kind: 'rate-limit', retryAfterSeconds: outcome.retryAfterSeconds });
  const summary = { ...outcomeCountsOf(outcomes), total: outcomes.length, pending: 0 };
  return { ...notices, replayed, summary, results: { [Symbol.iterator]: () => outcomesOfItems(outcomes, items) } };
}

/** Yields each outcome with its item when the executor reaches it. */
function* outcomesOfItems<Outcome, Item>(
  outcomes: readonly Outcome[],
  items: readonly Item[],
): Generator<OutcomeOf<Item, Outcome>> {
  for (const [index, outcome] of outcomes.entries()) yield { ...outcome, index, item: items[index] };
}

export type OutcomeOf<Item, Outcome> = Outcome & { readonly index: number; readonly item: Item | undefined };

export type OutcomeOfItem = OutcomeOf<UpdateTarget, ArticleOutcome>;

type OutcomeOfKind<K extends ArticleOutcome['kind']> = Extract<OutcomeOfItem, { kind: K }>;

const OUTCOME_TYPE_NAMES = {
  updated: 'ArticleUpdated',
  failed: 'ArticleUpdateFailed',
  unknown: 'ArticleUpdateUnknown',
  'not-attempted': 'ArticleUpdateNotAttempted',
} as const satisfies Record<ArticleOutcome['kind'], string>;

export const outcomeFields = (t: InterfaceFieldBuilder<SchemaTypes, OutcomeOf<unknown, AnyOutcome>>) => ({
  index: t.exposeInt('index', {
    description: 'The position of the item in the submitted list or in the whole job, from 0.',
  }),
  details: t.exposeString('details', {
    nullable: true,
    description:
      'An explanation of the outcome for people, from the service, or else from the gateway; null where there is none.',
  }),
  retryable: t.boolean({
    description:
      'Whether sending this item again, unchanged, is safe and may help. True only of items that were not attempted, and not where the reason is UNAUTHENTICATED, FORBIDDEN, REJECTED, CHANGED_SINCE, BEFORE_NOT_READABLE, NOT_RESTORABLE or PUBLISHED.',
    resolve: isRetryable,
  }),
});

export const ArticleUpdateOutcome = builder.interfaceRef<OutcomeOfItem>('ArticleUpdateOutcome').implement({
  description: 'What became of one item of a write of articles or of a job. `__typename` says how the item ended.',
  resolveType: ({ kind }) => OUTCOME_TYPE_NAMES[kind],
  fields: (t) => ({
    ...outcomeFields(t),
    articleId: t.exposeID('articleId', { description: 'The ID of the article, as it was submitted.' }),
    draftVersionNumber: t.int({
      nullable: true,
      description:
        'The number of the draft that was made of a published version for the item (`ifPublished: FORK`), also where the draft was then not changed; null where none was made.',
      resolve: ({ draftVersionNumber }) => draftVersionNumber ?? null,
    }),
  }),
});

const UpdateEvidence = builder.enumType('UpdateEvidence', {
  description: 'How the gateway knows that an article or a category was updated or created.',
  values: {
    ANSWER: { description: 'The service confirmed it in its answer.' },
    READ_BACK: { description: 'The article was read afterwards, and is as it was asked to be.' },
  },
});

export const evidenceField = <T extends AnyOutcome>(t: ObjectFieldBuilder<SchemaTypes, T>) =>
  t.field({
    type: UpdateEvidence,
    description: 'How the gateway knows that it was updated or created.',
    resolve: (outcome) => ('evidence' in outcome && outcome.evidence) || 'ANSWER',
  });

const ArticlePublication = builder.enumType('ArticlePublication', {
  description: 'What became of the publication of an article, or of its end, that was asked for.',
  values: {
    PUBLISHED: { description: 'The version is the public one.' },
    UNPUBLISHED: { description: 'The article has no public version.' },
    NOT_ATTEMPTED: { description: 'The article was updated, and its publication was not sent.' },
    FAILED: { description: 'The article was updated, and the service refused its publication.' },
    UNKNOWN: { description: 'The article was updated, and no answer tells whether it was published.' },
  } satisfies EnumValues<Publication>,
});

const ReadBack = builder.enumType('ReadBack', {
  description: 'What reading the article told about an update whose outcome is unknown.',
  values: {
    NOT_TRIED: { description: 'The article was not read.' },
    DIFFERS: { description: 'The article was read, and is not as the update asked for.' },
    NOT_READABLE: {
      description: 'The article, or a property that the update changes, could not be read. No read returns `source`.',
    },
  },
});

const NotAttemptedReasonType = builder.enumType('NotAttemptedReason', {
  description: 'Why an item of a bulk update was not attempted.',
  values: {
    RATE_LIMITED: { description: 'The service accepts no more calls for now (HTTP 429).' },
    UNAUTHENTICATED: { description: 'The service did not accept the API token (HTTP 401).' },
    FORBIDDEN: { description: 'The API token does not permit the update (HTTP 403).' },
    UNAVAILABLE: { description: 'The service could not be reached, or too many calls to the service were waiting.' },
    REJECTED: {
      description: 'The service refused the call with the item as a whole, before anything of it was applied.',
    },
    OUT_OF_TIME: {
      description:
        'Too little was left of the time that the request may take, which `details` names. Send the item again, or set a larger `REQUEST_TIMEOUT_MS` on the gateway.',
    },
    AFTER_UNKNOWN: { description: 'The outcome of items before this one is unknown, and nothing was sent after them.' },
    CANCELLED: { description: 'The bulk update was cancelled before the item was sent.' },
    CHANGED_SINCE: {
      description:
        'The article no longer has the revision that was sent, or is no longer as the job that is reverted has left it. `details` says what was expected, what is there, and when it was last changed.',
    },
    BEFORE_NOT_READABLE: { description: 'What the article was before could not be read, and was to be kept.' },
    NOT_RESTORABLE: { description: "The service can't be told what the article was before." },
    PUBLISHED: { description: 'The version is published, and was not to be changed.' },
  } satisfies EnumValues<NotAttemptedReason>,
});

export const notAttemptedFields = (
  t: ObjectFieldBuilder<SchemaTypes, Pick<OutcomeOfKind<'not-attempted'>, 'reason' | 'retryAfterSeconds'>>,
) => ({
  reason: t.expose('reason', { type: NotAttemptedReasonType, description: 'Why the item was not attempted.' }),
  retryAfterSeconds: t.exposeInt('retryAfterSeconds', {
    nullable: true,
    description:
      'How long to wait before the item is sent again, in whole seconds; null where there is no need to wait, or where the service does not say.',
  }),
});

builder.objectRef<OutcomeOfKind<'updated'>>('ArticleUpdated').implement({
  description: 'An item whose article was updated, published or unpublished, as was asked for.',
  interfaces: [ArticleUpdateOutcome],
  fields: (t) => ({
    article: t.field({
      type: ArticleType,
      nullable: true,
      description:
        'The article after the whole bulk update, read only where this field is selected. Over the service, that costs one call for each item where the text is selected; else the lists of the articles serve many items by few calls. Null, with an error at this place, where the article could not be read; the update stands.',
      resolve: (...[{ item, draftVersionNumber }, _args, context, info]) => {
        if (!item) return null;
        const target =
          item.versionNumber == null ? item : { ...item, versionNumber: draftVersionNumber ?? item.versionNumber };
        return loadArticle(articleKeyOf(target), authorizeRead(context), info);
      },
    }),
    evidence: evidenceField(t),
    notRestored: t.field({
      type: [ChangedFieldType],
      description:
        'In a revert: the members that the job had set and that were not put back, since no update can set what was before (no category, no text, no position, or another status). Empty where all were put back, and for all other items.',
      resolve: ({ notRestored = [] }) => notRestored,
    }),
    publication: t.field({
      type: ArticlePublication,
      nullable: true,
      description: 'What became of the publication that was asked for; null where none was.',
      resolve: ({ publication }) => publication,
    }),
  }),
});

builder.objectRef<OutcomeOfKind<'failed'>>('ArticleUpdateFailed').implement({
  description:
    'An item of a bulk update that the service refused. Nothing of the item was applied; `details` says why.',
  interfaces: [ArticleUpdateOutcome],
});

builder.objectRef<OutcomeOfKind<'unknown'>>('ArticleUpdateUnknown').implement({
  description:
    'An item of a bulk update that was sent, and whose outcome is unknown: no answer of the service says whether the article was updated. Read the article before you send the item again.',
  interfaces: [ArticleUpdateOutcome],
  fields: (t) => ({
    readBack: t.field({
      type: ReadBack,
      description: 'What reading the article told about the update.',
      resolve: ({ readBack = 'NOT_TRIED' }) => readBack,
    }),
  }),
});

builder.objectRef<OutcomeOfKind<'not-attempted'>>('ArticleUpdateNotAttempted').implement({
  description: 'An item of a bulk update that was not sent, or that was refused before anything of it was applied.',
  interfaces: [ArticleUpdateOutcome],
  fields: (t) => ({
    ...notAttemptedFields(t),
    current: t.field({
      type: ArticleType,
      nullable: true,
      description:
        'The article as it is now, where the reason is CHANGED_SINCE, read only where this field is selected; else null. Over the service it costs as much as `ArticleUpdated.article`.',
      resolve: (...[{ item, reason }, _args, context, info]) =>
        item && reason === 'CHANGED_SINCE' ? loadArticle(articleKeyOf(item), authorizeRead(context), info) : null,
    }),
  }),
});
