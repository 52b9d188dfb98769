import type {
  ArticleOutcome,
  CompletedBulkUpdate,
  NotAttemptedReason,
} from '../../../src/core/articles/article-outcomes.ts';
import type { ArticleSnapshot, ArticleValues, ItemSnapshot } from '../../../src/core/articles/article-reverts.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import type { TextState } from '../../../src/core/articles/revisions.ts';
import { err, ok, type Result } from '../../../src/core/base/result.ts';
import { type BackendError, type BackendErrorKind, mayHaveApplied } from '../../../src/core/errors.ts';
import type {
  CompletedMembersUpdate,
  CompletedReaderGroupUpdate,
} from '../../../src/core/reader-groups/reader-group-updates.ts';
import {
  type AnswerCodec,
  bulkUpdateAnswer,
  membersAnswer,
  previewTokenAnswer,
  type RevertItem,
  readerGroupAnswer,
} from '../../../src/core/writes/codec.ts';

/* Values of everything that the state keeps. Each member is present in one of them, and each kind of value it may have. */

const FULL: Required<ArticleUpdate> = {
  articleId: 'Article-1',
  languageCode: 'de',
  title: 'Title "1" \u2028 é 😀',
  content: 'Text\nof two lines',
  htmlContent: '<p>Text</p>',
  categoryId: 'category',
  hidden: true,
  versionNumber: 3,
  ifRevision: 'Revision-1',
  translationStatus: 'TRANSLATED',
  source: 'Source',
  order: 7,
};

const NULLS: ArticleUpdate = {
  articleId: 'Article-2',
  languageCode: null,
  title: null,
  content: null,
  htmlContent: null,
  categoryId: null,
  hidden: false,
  versionNumber: null,
  translationStatus: null,
  source: null,
  order: 1,
};

export const UPDATES: readonly ArticleUpdate[] = [
  FULL,
  NULLS,
  { articleId: '' },
  ...(['NONE', 'NEEDS_TRANSLATION', 'IN_PROGRESS', 'UNRECOGNIZED'] as const).map((translationStatus) => ({
    articleId: translationStatus,
    translationStatus,
  })),
];

const IMAGE: Required<ArticleSnapshot> = {
  languageCode: 'de',
  versionNumber: 3,
  latestVersionNumber: 3,
  publicVersionNumber: 2,
  translationStatus: 'TRANSLATED',
  contentType: 'WYSIWYG',
  title: 'Title before',
  content: null,
  htmlContent: '<p>Before</p>',
  categoryId: 'before',
  hidden: true,
  order: 7,
};

export const NOTED: TextState = {
  versionNumber: 3,
  publicVersionNumber: 2,
  modifiedAt: '2026-01-01T00:00:00.000Z',
  rest: 'digest',
};

/** What jobs keep of their items. */
export const KEPT_ITEMS: readonly ItemSnapshot[] = [
  { update: FULL, image: IMAGE, read: NOTED },
  {
    update: NULLS,
    image: {
      ...{ languageCode: 'en', versionNumber: 1, latestVersionNumber: null, publicVersionNumber: null },
      ...{ translationStatus: null, contentType: null, title: null, categoryId: null, hidden: false, order: null },
    },
  },
  { update: { articleId: 'unreadable', source: 'S' }, image: null },
];

const PREVIOUS: Required<ArticleValues> = {
  title: 'Title before',
  content: null,
  categoryId: null,
  hidden: true,
  order: null,
  translationStatus: 'NONE',
};

export const REVERT_ITEMS: readonly RevertItem[] = KEPT_ITEMS.map((kept, n) => ({
  update: { articleId: 'Article-1', title: 'Title before' },
  target: {
    ...{ ...kept, isUnknown: n === 0, publicVersionNumbers: [null, 2] },
    ...(n === 0 && { noted: NOTED, previous: PREVIOUS, putBackBefore: ['categoryId', 'hidden', 'order'] }),
  },
}));

const OLD_REASONS = [
  'RATE_LIMITED',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'UNAVAILABLE',
  'REJECTED',
  'OUT_OF_TIME',
  'AFTER_UNKNOWN',
  'CANCELLED',
] as const;

const notAttempted = (reasons: readonly NotAttemptedReason[]) =>
  reasons.map(
    (reason, n) =>
      ({
        kind: 'not-attempted',
        articleId: 'a',
        details: n % 2 === 0 ? null : 'Not sent.',
        reason,
        retryAfterSeconds: n % 2 === 0 ? null : n,
      }) as const,
  );

const FIRST_OUTCOMES: readonly ArticleOutcome[] = [
  { kind: 'updated', articleId: 'a', details: null },
  { kind: 'updated', articleId: 'a', details: 'Seen.', evidence: 'ANSWER' },
  { kind: 'updated', articleId: 'a', details: 'Seen.', evidence: 'READ_BACK' },
  { kind: 'failed', articleId: 'a', details: null },
  { kind: 'failed', articleId: 'a', details: 'Refused.' },
  { kind: 'unknown', articleId: 'a', details: null },
  ...(['NOT_TRIED', 'DIFFERS', 'NOT_READABLE'] as const).map(
    (readBack) => ({ kind: 'unknown', articleId: 'a', details: 'Cut.', readBack }) as const,
  ),
  ...notAttempted(OLD_REASONS),
];

export const OUTCOMES: readonly ArticleOutcome[] = [
  ...FIRST_OUTCOMES,
  ...(['PUBLISHED', 'UNPUBLISHED', 'NOT_ATTEMPTED', 'FAILED', 'UNKNOWN'] as const).map(
    (publication) => ({ kind: 'updated', articleId: 'a', details: null, publication }) as const,
  ),
  ...notAttempted(['CHANGED_SINCE', 'BEFORE_NOT_READABLE', 'NOT_RESTORABLE']),
];

const NOTICES = {
  warnings: [{ description: 'Warning', code: 'W1', extensionData: { nested: { list: [1, null] } } }],
  information: [{ description: null, code: null, extensionData: null }],
  extensionData: { any: 'thing' },
};

const SERVICE_ERRORS = [
  { description: 'Error', errorCode: 'E1', customData: { a: 1 }, extensionData: { b: [] } },
  { description: null, errorCode: null, customData: null, extensionData: null },
];

const change = (name: string) => ({
  added: [`${name}-added`],
  removed: [`${name}-removed`],
  alreadyMembers: [`${name}-already`],
  notMembers: [],
});

const bulkUpdateWith = (outcomes: readonly ArticleOutcome[]): CompletedBulkUpdate => ({
  ...NOTICES,
  outcomes,
  serviceErrors: SERVICE_ERRORS,
});

const READER_GROUPS: readonly CompletedReaderGroupUpdate[] = [
  { ...NOTICES, serviceResult: false },
  { warnings: [], information: [], extensionData: null, serviceResult: null },
];

const MEMBERS: CompletedMembersUpdate = {
  ...NOTICES,
  readers: change('reader'),
  invitedSsoUsers: change('invited'),
};

const error = { message: 'Message', serviceErrors: SERVICE_ERRORS };

/** One error of each kind with all of its members. */
const ERRORS_BY_KIND = {
  validation: {
    ...error,
    kind: 'validation',
    source: 'SERVICE',
    issues: [
      { path: ['a', '1'], message: 'Issue' },
      { path: [], argument: 'key', message: 'Issue' },
    ],
  },
  'reader-group-not-found': { ...error, kind: 'reader-group-not-found' },
  unauthenticated: { ...error, kind: 'unauthenticated' },
  forbidden: { ...error, kind: 'forbidden' },
  'rate-limited': { ...error, kind: 'rate-limited', retryAfterSeconds: 3 },
  rejected: {
    ...error,
    kind: 'rejected',
    httpStatus: 400,
    mayHaveApplied: true,
    warnings: NOTICES.warnings,
    information: NOTICES.information,
  },
  unavailable: { ...error, kind: 'unavailable', isOutOfTime: true, foreignStatus: 403 },
  'outcome-unknown': { ...error, kind: 'outcome-unknown' },
  'not-offered': { ...error, kind: 'not-offered' },
  'query-too-costly': { ...error, kind: 'query-too-costly' },
  'too-costly': { ...error, kind: 'too-costly', calls: 3, allowed: 2 },
  'idempotency-conflict': { ...error, kind: 'idempotency-conflict', indexes: [1, 2] },
  'idempotency-in-progress': { ...error, kind: 'idempotency-in-progress' },
  'job-not-found': { ...error, kind: 'job-not-found' },
  'changed-since': { ...error, kind: 'changed-since', groupId: 'g1' },
} as const satisfies { readonly [Kind in BackendErrorKind]: Required<Extract<BackendError, { kind: Kind }>> };

/** Others keep no key. */
const ERRORS = Object.values<BackendError>(ERRORS_BY_KIND).filter(mayHaveApplied);

const GROUP = 'updateReaderGroup';

interface AnswerSample {
  readonly operation: string;
  readonly idempotencyKey: string;
  /** The text that is kept, and what it says. */
  readonly kept: string;
  readonly decode: (kept: string) => unknown;
  readonly result: unknown;
}

const answer = <Value>(
  operation: string,
  idempotencyKey: string,
  { codec, result }: { readonly codec: AnswerCodec<Value>; readonly result: Result<Value, BackendError> },
): AnswerSample => ({ operation, idempotencyKey, kept: codec.encode(result), decode: codec.decode, result });

/** The answers of keys. */
export const ANSWERS: readonly AnswerSample[] = [
  answer('bulkUpdateArticles', 'bulk', { codec: bulkUpdateAnswer, result: ok(bulkUpdateWith(FIRST_OUTCOMES)) }),
  answer('bulkUpdateArticles', 'bulk-3', { codec: bulkUpdateAnswer, result: ok(bulkUpdateWith(OUTCOMES)) }),
  ...READER_GROUPS.map((group, n) => answer(GROUP, `group-${n}`, { codec: readerGroupAnswer, result: ok(group) })),
  answer('changeReaderGroupMembers', 'members', { codec: membersAnswer, result: ok(MEMBERS) }),
  answer('preview of update_reader_group', 'preview', {
    codec: previewTokenAnswer,
    result: ok(1_700_000_600_000),
  }),
  ...ERRORS.map((error) => answer(GROUP, `error-${error.kind}`, { codec: readerGroupAnswer, result: err(error) })),
];
