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
import type { Caller } from '../../../core/callers/caller.ts';
import type { Notice, Notices, ServiceError } from '../../../core/notices.ts';
import type { KeyedResult } from '../../../core/writes/idempotency-keys.ts';
import {
  builder,
  createEnumType,
  createObjectType,
  flag,
  integer,
  iterable,
  json,
  list,
  one,
  type SchemaTypes,
} from '../builder.ts';
import { authorizeRead } from '../context.ts';
import { NoticeType, ServiceErrorType } from '../mutation-errors.ts';
import { REPLAYED_DESCRIPTION } from '../mutations.ts';
import { ArticleType, loadArticle } from './articles.ts';

/** The counts that the summary of every write has. */
export const OUTCOME_COUNTS = {
  total: integer('The number of submitted items.'),
  failed: integer('The number of items that the service refused.'),
  unknown: integer('The number of items that were sent, and whose outcome is unknown.'),
  notAttempted: integer('The number of items that were not sent, or refused before anything of them was applied.'),
};

export const BulkUpdateSummary = createObjectType<JobCounts>('BulkUpdateSummary', {
  description: 'The items of a write of articles or of a job, counted by how they ended.',
  members: {
    ...OUTCOME_COUNTS,
    pending: integer('The number of items of a job that have not ended yet. 0 for the answer of a bulk update.'),
    updated: integer('The number of items whose article was updated.'),
  },
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

/** A write in which each item has an outcome, as its payload shows it. */
interface ItemsPayload<Outcome> extends Notices {
  readonly replayed: boolean;
  readonly results: Iterable<Outcome>;
  readonly summary: JobCounts;
  readonly serviceErrors: readonly ServiceError[];
  /** Made once, and only for those who ask: the items of a plain update are not looked at for them. */
  readonly itemWarnings?: () => readonly Notice[];
}

interface PayloadOptions<Outcome> {
  readonly description: string;
  readonly outcomes: OutputRef<Outcome>;
  readonly summary: OutputRef<JobCounts>;
  /** What the gateway warns of, as the end of a sentence. */
  readonly ownWarnings?: string;
}

/** Creates the payload of a write in which each item has an outcome. */
export const createItemsPayload = <Outcome>(
  name: string,
  { description, outcomes, summary, ownWarnings }: PayloadOptions<Outcome>,
) =>
  createObjectType<ItemsPayload<Outcome>>(name, {
    description,
    members: {
      results: iterable(outcomes)(
        'One outcome for each submitted item, in the submitted order. The items to send again are those whose outcome is `retryable`.',
      ),
      summary: one(summary)('The submitted items, counted by how they ended.'),
      replayed: flag(REPLAYED_DESCRIPTION),
      serviceErrors: list(ServiceErrorType)(
        'Errors that the service sent beside the outcomes, in the order of its answers.',
      ),
      information: list(NoticeType)('Information of the service, in the order of its answers, without repeats.'),
      extensionData: json.orNull(
        'Extension data of the answer of the service; null where there is none, and where the write took several calls or shared one with other callers.',
      ),
    },
    fields: (t) => ({
      warnings: t.field({
        type: [NoticeType],
        description: `Warnings of the service, in the order of its answers, without repeats${ownWarnings ? `; after them those of the gateway about items that were sent as they are: ${ownWarnings}` : '.'}`,
        resolve: ({ warnings, itemWarnings }) => (itemWarnings ? [...warnings, ...itemWarnings()] : warnings),
      }),
    }),
  });

/** The payload of a write. The response of one that was not replayed has the time to wait after a rate limit. */
export function itemsPayloadOf<Outcome extends ArticleOutcome | CreationOutcome, Item>(
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

/** A generator, so that each outcome is created only when the executor reaches it. */
function* outcomesOfItems<Outcome, Item>(
  outcomes: readonly Outcome[],
  items: readonly Item[],
): Generator<OutcomeOf<Item, Outcome>> {
  for (const [index, outcome] of outcomes.entries()) yield { ...outcome, index, item: items[index] };
}

/** An outcome with its item. */
export type OutcomeOf<Item, Outcome> = Outcome & { readonly index: number; readonly item: Item | undefined };

export type OutcomeOfItem = OutcomeOf<UpdateTarget, ArticleOutcome>;

type OutcomeOfKind<K extends ArticleOutcome['kind']> = Extract<OutcomeOfItem, { kind: K }>;

const OUTCOME_TYPE_NAMES = {
  updated: 'ArticleUpdated',
  failed: 'ArticleUpdateFailed',
  unknown: 'ArticleUpdateUnknown',
  'not-attempted': 'ArticleUpdateNotAttempted',
} as const satisfies Record<ArticleOutcome['kind'], string>;

/** The fields of the outcome of any item. */
export const outcomeFields = (
  t: InterfaceFieldBuilder<SchemaTypes, OutcomeOf<unknown, ArticleOutcome | CreationOutcome>>,
) => ({
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
      'Whether sending this item again, unchanged, is safe and may help. True only of items that were not attempted, and not where the reason is UNAUTHENTICATED, FORBIDDEN, REJECTED, CHANGED_SINCE, BEFORE_NOT_READABLE or NOT_RESTORABLE.',
    resolve: isRetryable,
  }),
});

export const ArticleUpdateOutcome = builder.interfaceRef<OutcomeOfItem>('ArticleUpdateOutcome').implement({
  description: 'What became of one item of a write of articles or of a job. `__typename` says how the item ended.',
  resolveType: ({ kind }) => OUTCOME_TYPE_NAMES[kind],
  fields: (t) => ({
    ...outcomeFields(t),
    articleId: t.exposeID('articleId', { description: 'The ID of the article, as it was submitted.' }),
  }),
});

const UpdateEvidence = createEnumType(
  'UpdateEvidence',
  'How the gateway knows that an article was updated or created.',
  {
    ANSWER: 'The service confirmed it in its answer.',
    READ_BACK: 'The article was read afterwards, and is as it was asked to be.',
  },
);

export const evidenceField = (t: ObjectFieldBuilder<SchemaTypes, Pick<OutcomeOfKind<'updated'>, 'evidence'>>) =>
  t.field({
    type: UpdateEvidence,
    description: 'How the gateway knows that the article was updated or created.',
    resolve: ({ evidence = 'ANSWER' }) => evidence,
  });

const ArticlePublication = createEnumType<Publication>(
  'ArticlePublication',
  'What became of the publication of an article, or of its end, that was asked for.',
  {
    PUBLISHED: 'The version is the public one.',
    UNPUBLISHED: 'The article has no public version.',
    NOT_ATTEMPTED: 'The article was updated, and its publication was not sent.',
    FAILED: 'The article was updated, and the service refused its publication.',
    UNKNOWN: 'The article was updated, and no answer tells whether it was published.',
  },
);

const ReadBack = createEnumType('ReadBack', 'What reading the article told about an update whose outcome is unknown.', {
  NOT_TRIED: 'The article was not read.',
  DIFFERS: 'The article was read, and is not as the update asked for.',
  NOT_READABLE: 'The article, or a property that the update changes, could not be read. No read returns `source`.',
});

const NotAttemptedReasonType = createEnumType<NotAttemptedReason>(
  'NotAttemptedReason',
  'Why an item of a bulk update was not attempted.',
  {
    RATE_LIMITED: 'The service accepts no more calls for now (HTTP 429).',
    UNAUTHENTICATED: 'The service did not accept the API token (HTTP 401).',
    FORBIDDEN: 'The API token does not permit the update (HTTP 403).',
    UNAVAILABLE: 'The service could not be reached, or too many calls to the service were waiting.',
    REJECTED: 'The service refused the call with the item as a whole, before anything of it was applied.',
    OUT_OF_TIME:
      'Too little was left of the time that the request may take, which `details` names. Send the item again, or set a larger `REQUEST_TIMEOUT_MS` on the gateway.',
    AFTER_UNKNOWN: 'The outcome of items before this one is unknown, and nothing was sent after them.',
    CANCELLED: 'The bulk update was cancelled before the item was sent.',
    CHANGED_SINCE: 'The article is no longer as the job that is reverted has left it.',
    BEFORE_NOT_READABLE: 'What the article was before could not be read, and was to be kept.',
    NOT_RESTORABLE: "The service can't be told what the article was before.",
  },
);

export const NOT_ATTEMPTED_MEMBERS = {
  reason: one(NotAttemptedReasonType)('Why the item was not attempted.'),
  retryAfterSeconds: integer.orNull(
    'How long to wait before the item is sent again, in whole seconds; null where there is no need to wait, or where the service does not say.',
  ),
};

createObjectType<OutcomeOfKind<'updated'>>('ArticleUpdated', {
  description: 'An item whose article was updated, published or unpublished, as was asked for.',
  interfaces: [ArticleUpdateOutcome],
  fields: (t) => ({
    article: t.field({
      type: ArticleType,
      nullable: true,
      description:
        'The article after the whole bulk update, read only where this field is selected. Over the service, that costs one call for each item where the text is selected; else the lists of the articles serve many items by few calls. Null, with an error at this place, where the article could not be read; the update stands.',
      resolve: (...[{ item }, _args, context, info]) =>
        item ? loadArticle(articleKeyOf(item), authorizeRead(context), info) : null,
    }),
    evidence: evidenceField(t),
    publication: t.field({
      type: ArticlePublication,
      nullable: true,
      description: 'What became of the publication that was asked for; null where none was.',
      resolve: ({ publication }) => publication,
    }),
  }),
});

createObjectType<OutcomeOfKind<'failed'>>('ArticleUpdateFailed', {
  description:
    'An item of a bulk update that the service refused. Nothing of the item was applied; `details` says why.',
  interfaces: [ArticleUpdateOutcome],
});

createObjectType<OutcomeOfKind<'unknown'>>('ArticleUpdateUnknown', {
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

createObjectType<OutcomeOfKind<'not-attempted'>>('ArticleUpdateNotAttempted', {
  description: 'An item of a bulk update that was not sent, or that was refused before anything of it was applied.',
  interfaces: [ArticleUpdateOutcome],
  members: NOT_ATTEMPTED_MEMBERS,
});
