import { z } from 'zod';
import { isObject, type JsonObject } from '../base/json.ts';
import { err, ok, type Result } from '../base/result.ts';
import type {
  ArticleOutcome,
  NotAttemptedReason,
  ReadBack,
  SharedOutcome,
  UpdateEvidence,
} from '../domain/articles/article-outcomes.ts';
import type { ArticleTranslationStatus } from '../domain/articles/articles.ts';
import type { ArticleUpdate, CompletedBulkUpdate, UpdateTarget } from '../domain/articles/bulk-updates.ts';
import type { BackendError, BackendErrorKind, ErrorOfKind, InputIssue } from '../domain/errors.ts';
import type { Notice, Notices, ServiceError } from '../domain/notices.ts';
import type { CompletedMembersUpdate, MembersChange } from '../domain/reader-groups/reader-group-members.ts';
import type { CompletedReaderGroupUpdate } from '../domain/reader-groups/reader-group-updates.ts';

/**
 * All that the state keeps as JSON: items, their targets, outcomes, and the answers of idempotency keys. Each text tells
 * the form in which it was written, and is decoded strictly, so that no member gets lost: see
 * docs/decisions/0031-ledger.md. A changed member needs a new form, with a schema of its own for each form before.
 */
const FORM = 2;

/** The member that tells the form. Texts of form 1 have none. */
const FORM_MEMBER = 'v';

/** The schemas of the forms that can be read. Forms 1 and 2 have the same members. */
const formsOf = <T>(schema: z.ZodType<T>): ReadonlyMap<unknown, z.ZodType<T>> =>
  new Map([
    [1, schema],
    [FORM, schema],
  ]);

/** A schema for each member. One that is missing or does not exist breaks the build. */
type ShapeOf<T> = { readonly [Member in keyof T]-?: z.ZodType<T[Member]> };

/** All values of a member. One that is missing or does not exist breaks the build. */
type ValuesOf<Value extends string> = { readonly [Name in Value]: Name };

/** The reason why a text can't be decoded names members, and no values. */
export type Decoded<T> = Result<T, string>;

const text = z.string().nullable();
const optionalText = text.optional();

const STATUSES = {
  NONE: 'NONE',
  NEEDS_TRANSLATION: 'NEEDS_TRANSLATION',
  TRANSLATED: 'TRANSLATED',
  IN_PROGRESS: 'IN_PROGRESS',
  UNRECOGNIZED: 'UNRECOGNIZED',
} as const satisfies ValuesOf<ArticleTranslationStatus>;

const TARGET = {
  articleId: z.string(),
  languageCode: optionalText,
  versionNumber: z.int().nullish(),
} satisfies ShapeOf<UpdateTarget>;

const UPDATE = {
  ...TARGET,
  title: optionalText,
  content: optionalText,
  htmlContent: optionalText,
  categoryId: optionalText,
  hidden: z.boolean().optional(),
  translationStatus: z.enum(STATUSES).nullish(),
  source: optionalText,
  order: z.int().optional(),
} satisfies ShapeOf<ArticleUpdate>;

/** Sorted, so that equal updates have equal texts. */
const UPDATE_MEMBERS = Object.keys(UPDATE).sort();

const UPDATES = formsOf<ArticleUpdate>(z.strictObject(UPDATE));

const TARGETS = formsOf<UpdateTarget>(z.strictObject(TARGET));

/** Equal for equal updates, whatever the form. A part of a job is compared by it with what was stored before. */
export const canonicalUpdate = (update: ArticleUpdate): string => JSON.stringify(update, UPDATE_MEMBERS);

export const encodeUpdate = (update: ArticleUpdate): string => withForm(canonicalUpdate(update));

export const decodeUpdate = (kept: string): Decoded<ArticleUpdate> => decode(kept, UPDATES);

export const encodeTarget = (update: UpdateTarget): string => withForm(JSON.stringify(update, Object.keys(TARGET)));

export const decodeTarget = (kept: string): Decoded<UpdateTarget> => decode(kept, TARGETS);

type OutcomeShapes = {
  readonly [Kind in SharedOutcome['kind']]: ShapeOf<Extract<SharedOutcome, { kind: Kind }>>;
};

const EVIDENCE = { ANSWER: 'ANSWER', READ_BACK: 'READ_BACK' } as const satisfies ValuesOf<UpdateEvidence>;

const READ_BACKS = {
  NOT_TRIED: 'NOT_TRIED',
  DIFFERS: 'DIFFERS',
  NOT_READABLE: 'NOT_READABLE',
} as const satisfies ValuesOf<ReadBack>;

const REASONS = {
  RATE_LIMITED: 'RATE_LIMITED',
  UNAUTHENTICATED: 'UNAUTHENTICATED',
  FORBIDDEN: 'FORBIDDEN',
  UNAVAILABLE: 'UNAVAILABLE',
  REJECTED: 'REJECTED',
  OUT_OF_TIME: 'OUT_OF_TIME',
  AFTER_UNKNOWN: 'AFTER_UNKNOWN',
  CANCELLED: 'CANCELLED',
} as const satisfies ValuesOf<NotAttemptedReason>;

const OUTCOMES = {
  updated: { kind: z.literal('updated'), details: text, evidence: z.enum(EVIDENCE).optional() },
  failed: { kind: z.literal('failed'), details: text },
  unknown: { kind: z.literal('unknown'), details: text, readBack: z.enum(READ_BACKS).optional() },
  'not-attempted': {
    kind: z.literal('not-attempted'),
    details: text,
    reason: z.enum(REASONS),
    retryAfterSeconds: z.number().nullable(),
  },
} satisfies OutcomeShapes;

const OUTCOME_MEMBERS = [...new Set(Object.values(OUTCOMES).flatMap((shape) => Object.keys(shape)))];

const SHARED_OUTCOMES = formsOf<SharedOutcome>(
  z.discriminatedUnion('kind', [
    z.strictObject(OUTCOMES.updated),
    z.strictObject(OUTCOMES.failed),
    z.strictObject(OUTCOMES.unknown),
    z.strictObject(OUTCOMES['not-attempted']),
  ]),
);

/** The outcome without the ID of its article, as a text that every database can hold. */
export const encodeOutcome = (outcome: SharedOutcome): string => withForm(JSON.stringify(outcome, OUTCOME_MEMBERS));

export const decodeOutcome = (kept: string): Decoded<SharedOutcome> => decode(kept, SHARED_OUTCOMES);

/** Converts the result of a write with an idempotency key to what is kept, and back. */
export interface AnswerCodec<Value> {
  /** Members that no type names, such as texts of articles, are not kept. */
  encode(result: Result<Value, BackendError>): string;
  decode(kept: string): Decoded<Result<Value, BackendError>>;
}

/** `z.object`, which drops unknown members of what is written, or `z.strictObject`, which refuses them in what is read. */
type ObjectOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.ZodObject<Shape>;

const jsonObject = z.custom<JsonObject>(isObject).nullable();

/** Made twice: to write and to read. */
const answersOf = (object: ObjectOf) => {
  const notices = noticesOf(object);
  const serviceErrors = z.array(
    object({
      ...{ description: text, errorCode: text },
      ...{ customData: jsonObject, extensionData: jsonObject },
    } satisfies ShapeOf<ServiceError>),
  );
  const articleId = z.string();
  const outcome: z.ZodType<ArticleOutcome> = z.discriminatedUnion('kind', [
    object({ ...OUTCOMES.updated, articleId }),
    object({ ...OUTCOMES.failed, articleId }),
    object({ ...OUTCOMES.unknown, articleId }),
    object({ ...OUTCOMES['not-attempted'], articleId }),
  ]);
  const ids = z.array(z.string());
  const change = object({
    ...{ added: ids, removed: ids, alreadyMembers: ids, notMembers: ids },
  } satisfies ShapeOf<MembersChange>);
  const outcomes = z.array(outcome);
  const serviceResult = z.boolean().nullable();
  return {
    error: errorOf(object, { ...notices, serviceErrors }),
    bulkUpdate: object({ ...notices, outcomes, serviceErrors } satisfies ShapeOf<CompletedBulkUpdate>),
    readerGroup: object({ ...notices, serviceResult } satisfies ShapeOf<CompletedReaderGroupUpdate>),
    members: object({ ...notices, readers: change, invitedSsoUsers: change } satisfies ShapeOf<CompletedMembersUpdate>),
  };
};

function noticesOf(object: ObjectOf) {
  const notice = object({ description: text, code: text, extensionData: jsonObject } satisfies ShapeOf<Notice>);
  const notices = z.array(notice);
  return { warnings: notices, information: notices, extensionData: jsonObject } satisfies ShapeOf<Notices>;
}

type ErrorShapes = { readonly [Kind in BackendErrorKind]: ShapeOf<ErrorOfKind<Kind>> };

interface ErrorParts extends Omit<ShapeOf<Notices>, 'extensionData'> {
  readonly serviceErrors: z.ZodType<readonly ServiceError[]>;
}

function errorOf(object: ObjectOf, { serviceErrors, warnings, information }: ErrorParts): z.ZodType<BackendError> {
  const kind = <Kind extends BackendErrorKind>(name: Kind) => ({
    kind: z.literal(name),
    message: z.string(),
    serviceErrors,
  });
  const [path, message] = [z.array(z.string()), z.string()];
  const issue = object({ path, message, argument: z.string().optional() } satisfies ShapeOf<InputIssue>);
  const [flag, count] = [z.boolean(), z.number()];
  const shapes = {
    validation: { ...kind('validation'), source: z.enum(['GATEWAY', 'SERVICE']), issues: z.array(issue) },
    'reader-group-not-found': kind('reader-group-not-found'),
    unauthenticated: kind('unauthenticated'),
    forbidden: kind('forbidden'),
    'rate-limited': { ...kind('rate-limited'), retryAfterSeconds: count.nullable() },
    rejected: {
      ...{ ...kind('rejected'), httpStatus: count.nullable(), mayHaveApplied: flag },
      ...{ warnings, information },
    },
    unavailable: { ...kind('unavailable'), isOutOfTime: flag.exactOptional() },
    'outcome-unknown': kind('outcome-unknown'),
    'not-offered': kind('not-offered'),
    'query-too-costly': kind('query-too-costly'),
    'too-costly': { ...kind('too-costly'), calls: count, allowed: count },
    'idempotency-conflict': { ...kind('idempotency-conflict'), indexes: z.array(count) },
    'idempotency-in-progress': kind('idempotency-in-progress'),
    'job-not-found': kind('job-not-found'),
  } satisfies ErrorShapes;
  return z.discriminatedUnion('kind', [
    object(shapes.validation),
    object(shapes['reader-group-not-found']),
    object(shapes.unauthenticated),
    object(shapes.forbidden),
    object(shapes['rate-limited']),
    object(shapes.rejected),
    object(shapes.unavailable),
    object(shapes['outcome-unknown']),
    object(shapes['not-offered']),
    object(shapes['query-too-costly']),
    object(shapes['too-costly']),
    object(shapes['idempotency-conflict']),
    object(shapes['idempotency-in-progress']),
    object(shapes['job-not-found']),
  ]);
}

const WRITTEN = answersOf(z.object);
const READ = answersOf(z.strictObject);

function answerCodec<Value>(written: z.ZodType<Value>, read: z.ZodType<Value>): AnswerCodec<Value> {
  const forms = formsOf<Result<Value, BackendError>>(
    z.strictObject({ value: read.optional(), error: READ.error.optional() }).transform(({ value, error }, context) => {
      if (error !== undefined && value === undefined) return err(error);
      if (error === undefined && value !== undefined) return ok(value);
      context.addIssue('It has neither a value nor an error, or both.');
      return z.NEVER;
    }),
  );
  return {
    encode: (result) =>
      withForm(
        JSON.stringify(
          result.ok ? { value: written.parse(result.value) } : { error: WRITTEN.error.parse(result.error) },
        ),
      ),
    decode: (kept) => decode(kept, forms),
  };
}

export const bulkUpdateAnswer = answerCodec<CompletedBulkUpdate>(WRITTEN.bulkUpdate, READ.bulkUpdate);

export const readerGroupAnswer = answerCodec<CompletedReaderGroupUpdate>(WRITTEN.readerGroup, READ.readerGroup);

export const membersAnswer = answerCodec<CompletedMembersUpdate>(WRITTEN.members, READ.members);

/** When the token of a preview expires, in milliseconds since 1970. */
export const previewTokenAnswer = answerCodec<number>(z.number(), z.number());

/** Adds the form to the text of an object that has members. */
function withForm(json: string): string {
  return `{"${FORM_MEMBER}":${FORM},${json.slice(1)}`;
}

/** The longest reason. The names of unknown members may be of any length. */
const MAX_REASON_CHARS = 300;

/** No other value is quoted: it may be of any size. */
const nameOfForm = (form: unknown): string => (typeof form === 'number' ? `${form}` : `of the type ${typeof form}`);

function decode<T>(kept: string, forms: ReadonlyMap<unknown, z.ZodType<T>>): Decoded<T> {
  let json: unknown;
  try {
    json = JSON.parse(kept);
  } catch {
    return err('It is no JSON.');
  }
  if (!isObject(json)) return err('It is no object.');
  const { [FORM_MEMBER]: form = 1, ...value } = json;
  const schema = forms.get(form);
  if (schema === undefined) return err(`It has the unknown form ${nameOfForm(form)}.`);
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  return err(z.prettifyError(parsed.error).replace(/\s+/gu, ' ').slice(0, MAX_REASON_CHARS));
}
