import { describe, expect, it } from 'vitest';
import {
  type BackendError,
  type BackendErrorKind,
  bulkUpdateTooCostly,
  forbidden,
  groupChangedSince,
  idempotencyConflict,
  idempotencyInProgress,
  jobNotFound,
  notOffered,
  outcomeUnknown,
  queryTooCostly,
  rateLimited,
  readerGroupNotFound,
  rejected,
  unauthenticated,
  unavailable,
  validationError,
} from '../../../src/core/errors.ts';
import { createNotice, createServiceError } from '../../../src/core/notices.ts';
import { decodeEnvelope } from '../../../src/service/v2/envelope.ts';
import {
  decodeError,
  encodeError,
  httpStatusOf,
  type NamedThing,
  saysMissing,
} from '../../../src/service/v2/errors.ts';
import { fixture, textOf } from '../../support/fixtures.ts';

const errorOf = (name: string) => {
  const { status, body } = fixture(name);
  const response = { httpStatus: status, envelope: decodeEnvelope(body), retryAfterSeconds: null };
  return decodeError(response, { mayHaveApplied: false });
};

describe('decodeError', () => {
  it('recognizes the text of an unknown reader group', () => {
    expect(errorOf('reader-group-update-unknown-group').kind).toBe('reader-group-not-found');
  });

  it('recognizes the text of a missing title, and names its path', () => {
    expect(errorOf('reader-group-update-title-missing')).toMatchObject({
      kind: 'validation',
      source: 'SERVICE',
      issues: [{ path: ['title'], message: 'The Title field is required.' }],
      serviceErrors: [{ description: 'The Title field is required.' }],
    });
  });

  it.each([
    ['reader-group-update-access-scope-missing', 1],
    ['reader-group-update-both-missing', 2],
    ['bulk-update-empty-body', 1],
    ['bulk-update-refused-without-items', 1],
    ['refused-with-success-true', 1],
  ])('keeps every error of %s', (name, count) => {
    const error = errorOf(name);
    expect(error.kind).toBe('rejected');
    expect(error.serviceErrors).toHaveLength(count);
  });

  it.each([
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [429, 'rate-limited'],
    [400, 'rejected'],
    [418, 'rejected'],
  ] as const)('reads a %i without a body as %s', (httpStatus, kind) => {
    const error = decodeError({ httpStatus, envelope: null, retryAfterSeconds: 7 }, { mayHaveApplied: false });
    expect(error.kind).toBe(kind);
  });

  it('keeps the time to wait, and mayHaveApplied', () => {
    const decode = (httpStatus: number) =>
      decodeError({ httpStatus, envelope: null, retryAfterSeconds: 7 }, { mayHaveApplied: true });
    expect(decode(429)).toMatchObject({ retryAfterSeconds: 7 });
    expect(decode(400)).toMatchObject({ mayHaveApplied: true, httpStatus: 400 });
  });
});

const rejection = { mayHaveApplied: false, serviceErrors: [], warnings: [createNotice('Mind this.')], information: [] };

const ERRORS = {
  validation: [validationError([{ path: ['a'], message: 'a is wrong.' }]), 400],
  'reader-group-not-found': [readerGroupNotFound([]), 400],
  'changed-since': [groupChangedSince('g1', { expected: 'r1', found: 'r2' }), 409],
  unauthenticated: [unauthenticated(), 401],
  forbidden: [forbidden(), 403],
  'rate-limited': [rateLimited(3), 429],
  rejected: [rejected({ ...rejection, httpStatus: null }), 400],
  unavailable: [unavailable(), 503],
  'outcome-unknown': [outcomeUnknown('timeout'), 500],
  'not-offered': [notOffered(), 404],
  'query-too-costly': [queryTooCostly('Too much.'), 400],
  'too-costly': [bulkUpdateTooCostly(2, 1), 400],
  'idempotency-conflict': [idempotencyConflict('Another input.'), 409],
  'idempotency-in-progress': [idempotencyInProgress(), 409],
  'job-not-found': [jobNotFound(), 404],
} satisfies Record<BackendErrorKind, readonly [BackendError, number]>;

describe('encodeError', () => {
  it.each(Object.entries(ERRORS))('encodes %s with its status and at least one error', (_, [error, status]) => {
    const envelope = encodeError(error, 'null');
    expect(httpStatusOf(error)).toBe(status);
    expect(envelope).toMatchObject({ success: false, errors: [{ description: expect.stringMatching(/./u) }] });
    expect(envelope).not.toHaveProperty('data');
    expect(envelope).not.toHaveProperty('result');
  });

  it('keeps the status of a rejection that has one, and its warnings', () => {
    const error = rejected({ ...rejection, httpStatus: 413 });
    expect(httpStatusOf(error)).toBe(413);
    expect(encodeError(error, 'null')).toMatchObject({ warnings: [{ description: 'Mind this.' }], information: null });
  });

  it('writes the documented text for an unknown group without errors of the service', () => {
    const envelope = encodeError(readerGroupNotFound([]), 'null');
    expect(JSON.stringify(envelope)).toBe(textOf(fixture('reader-group-update-unknown-group')));
  });

  it('writes one error per issue', () => {
    const issues = ['One.', 'Two.'].map((message) => ({ path: [], message }));
    expect(encodeError(validationError(issues), 'empty')).toMatchObject({
      errors: [{ description: 'One.' }, { description: 'Two.' }],
      warnings: [],
    });
  });

  it('prefers the errors of the service', () => {
    const error = rejected({ ...rejection, httpStatus: 400, serviceErrors: [createServiceError('No.', '400')] });
    expect(encodeError(error, 'empty')).toMatchObject({ errors: [{ description: 'No.', error_code: '400' }] });
  });
});

const saying = (text: string) =>
  rejected({ ...rejection, httpStatus: 400, serviceErrors: [createServiceError(text, '400')] });

describe('saysMissing', () => {
  it.each<[NamedThing, string]>([
    ['article', 'Article not found'],
    ['article', 'Article not found.'],
    ['article', 'Article Id not found'],
    ['article', 'Article Version not found'],
    ['article', 'Invalid Article Version'],
    ['article', 'Invalid Language code'],
    ['article', 'The article version does not exist.'],
    ['article', "The article with id 'some one' does not exist in your project."],
    ['article', 'Cannot find article with id 5b291e6b-fa40-4ab9-941e-f8fffc23b3761'],
    [
      'article',
      'Article with Id ad6ef117-1e8f-4817-800b-6ed8e2304bf2 with the language code en does not contain version 2',
    ],
    ['language', 'The supplied project version id does not exist in your project'],
    ['language', 'The supplied workspace id 46f48bc7-760f-4b07-b2d2-fce4aa8ba2341 does not exist in your project..'],
    ['language', 'The project version Id or the language code does not exist.'],
    ['category tree', 'Invalid project Version ID'],
    ['reader group', 'The reader group Id does not exist.'],
    ['team account', 'The user id does not exist.'],
    ['team account', 'Could not find user with given id'],
    ['team account', "The user with id 'f11efc6f' does not exist in your project."],
    ['article', 'Not found.'],
  ])('is true of a missing %s where the service says %j', (thing, text) => {
    expect(saysMissing(saying(text), thing)).toBe(true);
  });

  it.each<[NamedThing, string]>([
    ['article', 'The API version was not found.'],
    ['article', 'API version not found'],
    ['article', 'Version not found'],
    ['article', 'Invalid version'],
    ['article', 'The requested API version does not exist in this language.'],
    ['article', 'The article service was not found.'],
    ['article', 'The article could not be read: its index was not found.'],
    ['article', 'The host of the article was not found.'],
    ['article', 'Category not found'],
    ['language', 'The API version was not found'],
    ['category tree', 'Invalid version'],
    ['reader group', 'The reader group service does not exist.'],
    ['team account', 'The user agent was not found.'],
    ['team account', 'Invalid user agent'],
  ])('is false of a missing %s where the service says %j', (thing, text) => {
    expect(saysMissing(saying(text), thing)).toBe(false);
  });
});
