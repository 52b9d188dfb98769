import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { CandidateKey, CreationOutcome } from '../articles/article-creations.ts';
import {
  type ArticleOutcome,
  type CompletedItems,
  NOT_ATTEMPTED_REASONS,
  PUBLICATIONS,
  READ_BACKS,
  type SharedOutcome,
  UPDATE_EVIDENCE,
} from '../articles/article-outcomes.ts';
import type {
  ArticleSnapshot,
  ArticleValues,
  ItemSnapshot,
  RevertTarget,
  SharedHistory,
} from '../articles/article-reverts.ts';
import { ARTICLE_CONTENT_TYPES, ARTICLE_TRANSLATION_STATUSES } from '../articles/articles.ts';
import {
  type ArticleUpdate,
  READ_PROPERTIES,
  SHARED_MEMBERS,
  type SharedName,
  type UpdateTarget,
} from '../articles/bulk-updates.ts';
import type { CategoryCreationOutcome } from '../articles/category-creations.ts';
import type { ItemFork } from '../articles/forks.ts';
import type { TextState } from '../articles/revisions.ts';
import { isObject, type JsonObject, jsonIn } from '../base/json.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { BackendError, ErrorOfKind } from '../errors.ts';
import type { Notice, Notices, ServiceError } from '../notices.ts';
import type {
  CompletedMembersUpdate,
  CompletedReaderGroupUpdate,
  MembersChange,
} from '../reader-groups/reader-group-updates.ts';

/**
 * All that the state keeps as JSON: items, their targets, outcomes, and the answers of idempotency keys. Each text names
 * the form in which it was written, and is decoded strictly, so that no member gets lost: see
 * docs/decisions/0031-ledger.md. Any change needs a new form, also an added member: raise `FORM` and `READABLE_FORMS`, then
 * run `node test/jobs/state/write-form.ts test/fixtures/state/form-N.sql`, where N is the new form. An added member is
 * optional, since earlier forms have none; one that is changed needs a schema of its own for each earlier form.
 */
const FORM = 6;

/** The member that names the form. */
const FORM_MEMBER = 'v';

/**
 * The forms that can be read. Form 5 added what all texts of an article share, and `attemptId`; form 6 `isHiddenUnknown`,
 * `draftVersionNumber`, `ifRevision`, a reason, forks, `notRestored`, and noted texts.
 */
const READABLE_FORMS: ReadonlySet<unknown> = new Set([4, 5, FORM]);

/** A schema for each member. One that is missing or does not exist breaks the build. */
type ShapeOf<T> = { readonly [Member in keyof T]-?: z.ZodType<T[Member]> };

/** The reason why a text can't be decoded quotes no values. */
export type Decoded<T> = Result<T, string>;

const text = z.string().nullable();
const optionalText = text.optional();
const jsonObject = z.custom<JsonObject>(isObject).nullable();

const TARGET = {
  articleId: z.string(),
  languageCode: optionalText,
  versionNumber: z.int().nullish(),
  ifRevision: z.string().optional(),
} satisfies ShapeOf<UpdateTarget>;

const UPDATE = {
  ...TARGET,
  title: optionalText,
  content: optionalText,
  htmlContent: optionalText,
  categoryId: optionalText,
  hidden: z.boolean().optional(),
  translationStatus: z.enum(ARTICLE_TRANSLATION_STATUSES).nullish(),
  source: optionalText,
  order: z.int().optional(),
} satisfies ShapeOf<ArticleUpdate>;

/** Sorted, so that equal updates have equal texts. */
const UPDATE_MEMBERS = Object.keys(UPDATE).sort();

/** Equal for equal updates, whatever the form. A part of a job is compared by it with what was stored before. */
export const canonicalUpdate = (update: ArticleUpdate): string => JSON.stringify(update, UPDATE_MEMBERS);

export const encodeUpdate = (update: ArticleUpdate): string => withForm(canonicalUpdate(update));

const updateSchema = z.object(UPDATE);

export const decodeUpdate = (kept: string): Decoded<ArticleUpdate> => decode(kept, updateSchema);

const IMAGE = {
  languageCode: z.string(),
  versionNumber: z.int(),
  latestVersionNumber: z.int().nullable(),
  publicVersionNumber: z.int().nullable(),
  translationStatus: z.enum(ARTICLE_TRANSLATION_STATUSES).nullable(),
  contentType: z.enum(ARTICLE_CONTENT_TYPES).nullable(),
  title: optionalText,
  content: optionalText,
  htmlContent: optionalText,
  categoryId: optionalText,
  hidden: z.boolean().optional(),
  order: z.int().nullish(),
} satisfies ShapeOf<ArticleSnapshot>;

const notedSchema = z.object({
  versionNumber: z.int(),
  publicVersionNumber: z.int().nullable(),
  modifiedAt: z.string(),
  rest: z.string(),
} satisfies ShapeOf<TextState>);

const KEPT = {
  update: updateSchema,
  image: z.object(IMAGE).nullable(),
  read: notedSchema.optional(),
} satisfies ShapeOf<ItemSnapshot>;

const snapshotSchema = z.object(KEPT);

/** Encodes the article of an item as it was before the item was sent. */
export const encodeSnapshot = (kept: ItemSnapshot): string => withForm(JSON.stringify(kept));

export const decodeSnapshot = (text: string): Decoded<ItemSnapshot> => decode(text, snapshotSchema);

const SHARED = {
  categoryId: optionalText,
  hidden: z.boolean().optional(),
  order: z.int().nullish(),
} satisfies ShapeOf<Pick<ArticleSnapshot, SharedName>>;

const valuesSchema = z.object({
  ...SHARED,
  title: optionalText,
  content: optionalText,
  translationStatus: z.enum(ARTICLE_TRANSLATION_STATUSES).nullish(),
} satisfies ShapeOf<ArticleValues>);

const sharedIndex = z.int().optional();

const historySchema = z.object({
  before: z.object(SHARED),
  previous: z.object(SHARED),
  asLeft: z.object({ ...SHARED, order: UPDATE.order } satisfies ShapeOf<SharedHistory['asLeft']>),
  indexes: z.object({
    categoryId: sharedIndex,
    hidden: sharedIndex,
    order: sharedIndex,
  } satisfies ShapeOf<SharedHistory['indexes']>),
  texts: z.object({
    categoryId: optionalText,
    hidden: optionalText,
    order: optionalText,
  } satisfies ShapeOf<SharedHistory['texts']>),
} satisfies ShapeOf<SharedHistory>);

/** What a job has made of the members that all texts of an article share. */
export const encodeHistory = (history: SharedHistory): string => withForm(JSON.stringify(history));

export const decodeHistory = (kept: string): Decoded<SharedHistory> => decode(kept, historySchema);

export const encodeNoted = (noted: TextState): string => withForm(JSON.stringify(noted));

export const decodeNoted = (kept: string): Decoded<TextState> => decode(kept, notedSchema);

const revertTargetSchema = z.object({
  ...KEPT,
  noted: notedSchema.optional(),
  previous: valuesSchema.optional(),
  putBackBefore: z.array(z.enum(SHARED_MEMBERS)).optional(),
  isUnknown: z.boolean(),
  publicVersionNumbers: z.array(z.int().nullable()),
} satisfies ShapeOf<RevertTarget>);

/** The item of a revert: the update that puts back, and what it is compared with. */
export interface RevertItem {
  readonly update: ArticleUpdate;
  readonly target: RevertTarget;
}

const revertItemSchema = z.object({ update: updateSchema, target: revertTargetSchema } satisfies ShapeOf<RevertItem>);

export const encodeRevertItem = (item: RevertItem): string => withForm(JSON.stringify(item));

export const decodeRevertItem = (kept: string): Decoded<RevertItem> => decode(kept, revertItemSchema);

export const encodeTarget = (update: UpdateTarget): string => withForm(JSON.stringify(update, Object.keys(TARGET)));

const forkSchema = z.object({
  languageCode: z.string(),
  versionNumber: z.int(),
  draftVersionNumber: z.int().optional(),
} satisfies ShapeOf<ItemFork>);

export const encodeItemFork = (fork: ItemFork): string => withForm(JSON.stringify(fork));

export const decodeItemFork = (kept: string): Decoded<ItemFork> => decode(kept, forkSchema);

const targetSchema = z.object(TARGET);

export const decodeTarget = (kept: string): Decoded<UpdateTarget> => decode(kept, targetSchema);

const drafted = { draftVersionNumber: z.int().optional() };

type OutcomeShape<Kind extends SharedOutcome['kind']> = ShapeOf<Extract<SharedOutcome, { kind: Kind }>>;

const failedSchema = z.object({
  kind: z.literal('failed'),
  details: text,
  ...drafted,
} satisfies OutcomeShape<'failed'>);

const notAttemptedSchema = z.object({
  kind: z.literal('not-attempted'),
  details: text,
  reason: z.enum(NOT_ATTEMPTED_REASONS),
  retryAfterSeconds: z.number().nullable(),
  ...drafted,
} satisfies OutcomeShape<'not-attempted'>);

const outcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('updated'),
    details: text,
    evidence: z.enum(UPDATE_EVIDENCE).optional(),
    publication: z.enum(PUBLICATIONS).optional(),
    notRestored: z.array(z.enum(READ_PROPERTIES)).readonly().optional(),
    isHiddenUnknown: z.literal(true).optional(),
    ...drafted,
  } satisfies OutcomeShape<'updated'>),
  failedSchema,
  z.object({
    kind: z.literal('unknown'),
    details: text,
    readBack: z.enum(READ_BACKS).optional(),
    isHiddenUnknown: z.literal(true).optional(),
    ...drafted,
  } satisfies OutcomeShape<'unknown'>),
  notAttemptedSchema,
]);

/** The outcome without the ID of its article, as a text that every database can hold. */
export const encodeOutcome = (outcome: SharedOutcome): string =>
  withForm(JSON.stringify(outcomeSchema.encode(outcome)));

export const decodeOutcome = (kept: string): Decoded<SharedOutcome> => decode(kept, outcomeSchema);

/** Converts the result of a write with an idempotency key to what is kept, and back. */
export interface AnswerCodec<Value> {
  /**
   * Members that no type names, such as texts of articles, are not kept. Takes no error but those after which the write may
   * have taken effect: the others keep no key.
   */
  encode(result: Result<Value, BackendError>): string;
  decode(kept: string): Decoded<Result<Value, BackendError>>;
}

const notices = z.array(
  z.object({ description: text, code: text, extensionData: jsonObject } satisfies ShapeOf<Notice>),
);
const noticeShape = {
  warnings: notices,
  information: notices,
  extensionData: jsonObject,
} satisfies ShapeOf<Notices>;

const serviceErrors = z.array(
  z.object({
    description: text,
    errorCode: text,
    customData: jsonObject,
    extensionData: jsonObject,
  } satisfies ShapeOf<ServiceError>),
);

const errorShape = { message: z.string(), serviceErrors };

const errorSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('outcome-unknown'), ...errorShape } satisfies ShapeOf<ErrorOfKind<'outcome-unknown'>>),
  z.object({
    kind: z.literal('idempotency-in-progress'),
    ...errorShape,
  } satisfies ShapeOf<ErrorOfKind<'idempotency-in-progress'>>),
  z.object({
    kind: z.literal('rejected'),
    ...errorShape,
    httpStatus: z.number().nullable(),
    mayHaveApplied: z.boolean(),
    warnings: notices,
    information: notices,
  } satisfies ShapeOf<ErrorOfKind<'rejected'>>),
]);

function answerCodec<Value>(value: z.ZodType<Value>): AnswerCodec<Value> {
  const schema = z.object({ value: value.optional(), error: errorSchema.optional() });
  return {
    encode: (result) =>
      withForm(JSON.stringify(schema.parse(result.ok ? { value: result.value } : { error: result.error }))),
    decode: (kept) => {
      const decoded = decode(kept, schema);
      if (!decoded.ok) return decoded;
      const { value: answer, error } = decoded.value;
      if (error !== undefined && answer === undefined) return ok(err(error));
      if (error === undefined && answer !== undefined) return ok(ok(answer));
      return err('It has neither a value nor an error, or both.');
    },
  };
}

const articleOutcomeSchema: z.ZodType<ArticleOutcome> = outcomeSchema.and(z.object({ articleId: z.string() }));

const itemsAnswer = <Outcome>(outcome: z.ZodType<Outcome>) =>
  answerCodec<CompletedItems<Outcome>>(
    z.object({
      ...noticeShape,
      outcomes: z.array(outcome),
      serviceErrors,
    } satisfies ShapeOf<CompletedItems<Outcome>>),
  );

export const bulkUpdateAnswer = itemsAnswer(articleOutcomeSchema);

type CreationShape<Kind extends CreationOutcome['kind']> = ShapeOf<Extract<CreationOutcome, { kind: Kind }>>;

const creationOutcomeSchema: z.ZodType<CreationOutcome> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('created'),
    details: text,
    articleId: z.string(),
    evidence: z.enum(UPDATE_EVIDENCE).optional(),
  } satisfies CreationShape<'created'>),
  z.object({
    kind: z.literal('unknown'),
    details: text,
    candidates: z.array(z.object({ articleId: z.string(), languageCode: z.string() } satisfies ShapeOf<CandidateKey>)),
    attemptId: z.string().optional(),
  } satisfies CreationShape<'unknown'>),
  failedSchema,
  notAttemptedSchema,
]);

export const creationAnswer = itemsAnswer(creationOutcomeSchema);

export const categoryCreationAnswer = itemsAnswer<CategoryCreationOutcome>(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('created'), details: text, categoryId: z.string() }),
    z.object({ kind: z.literal('unknown'), details: text }),
    failedSchema,
    notAttemptedSchema,
  ]),
);

export const readerGroupAnswer = answerCodec<CompletedReaderGroupUpdate>(
  z.object({
    ...noticeShape,
    serviceResult: z.boolean().nullable(),
  } satisfies ShapeOf<CompletedReaderGroupUpdate>),
);

const ids = z.array(z.string());

const membersChange = z.object({
  added: ids,
  removed: ids,
  alreadyMembers: ids,
  notMembers: ids,
} satisfies ShapeOf<MembersChange>);

export const membersAnswer = answerCodec<CompletedMembersUpdate>(
  z.object({
    ...noticeShape,
    readers: membersChange,
    invitedSsoUsers: membersChange,
  } satisfies ShapeOf<CompletedMembersUpdate>),
);

/** What is kept of a preview: until when its token is good, and the revisions that it has shown. */
export interface PreviewRecord {
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  /** One for each item, or that of the one object; null where there is none. */
  readonly revisions: readonly (string | null)[];
}

/** Releases before revisions kept the time alone. */
export const previewTokenAnswer = answerCodec<PreviewRecord | number>(
  z.union([z.number(), z.object({ expiresAt: z.number(), revisions: z.array(text) } satisfies ShapeOf<PreviewRecord>)]),
);

/** Adds the form to the text of an object that has members. */
function withForm(json: string): string {
  return `{"${FORM_MEMBER}":${FORM},${json.slice(1)}`;
}

const MAX_REASON_CHARS = 300;

function decode<T>(kept: string, schema: z.ZodType<T>): Decoded<T> {
  const json = jsonIn(kept);
  if (json === undefined) return err('It is no JSON.');
  if (!isObject(json)) return err('It is no object.');
  const { [FORM_MEMBER]: form, ...value } = json;
  if (!READABLE_FORMS.has(form)) return err('It has an unknown form.');
  const parsed = schema.safeParse(value);
  if (!parsed.success) return err(z.prettifyError(parsed.error).replace(/\s+/gu, ' ').slice(0, MAX_REASON_CHARS));
  // The schemas drop members that they do not know.
  return isDeepStrictEqual(parsed.data, value) ? ok(parsed.data) : err('It has members that are not known.');
}
