import { describe, expect, it } from 'vitest';
import { checkResponse } from './check-response.ts';
import { checkV2Response } from './check-v2-response.ts';
import type { InputPosition } from './positions.ts';
import { BULK, type V2Position } from './v2.ts';

const position: InputPosition = {
  operation: 'mutation',
  field: 'bulkUpdateArticles',
  path: ['input', 'articles', 0, 'order'],
};

const kindOf = (answer: unknown, status = 200) => checkResponse(position, { status, body: Object(answer) }).kind;

const issueAt = (...path: string[]) => ({ data: { answer: { __typename: 'ValidationError', issues: [{ path }] } } });

const errorOf = (error: object) => ({ errors: [{ extensions: { code: 'BAD_USER_INPUT' }, ...error }] });

const itemWith = (__typename: string, details: string | null) => ({
  data: { answer: { __typename: 'BulkUpdateArticlesPayload', results: [{ __typename, details }] } },
});

const previewWith = (...path: string[]) => ({
  data: {
    answer: { __typename: 'BulkUpdateArticlesPreview', results: [{ issues: path.length > 0 ? [{ path }] : [] }] },
  },
});

describe('checkResponse', () => {
  it('accepts a rejection that names the position, one above it or one within it', () => {
    expect(kindOf(issueAt('input', 'articles', '0', 'order'))).toBe('refused');
    expect(kindOf(issueAt('input', 'articles'))).toBe('refused');
    expect(
      kindOf(errorOf({ message: 'Variable "$input" got invalid value 0.5 at "input.articles[0].order"; …' })),
    ).toBe('refused');
    expect(kindOf(itemWith('ArticleUpdateFailed', 'There is no such article.'))).toBe('refused');
    expect(kindOf(previewWith('input', 'articles', '0'))).toBe('refused');
  });

  it('reports a rejection that names another position, or none', () => {
    expect(kindOf(issueAt('input', 'articles', '0', 'title'))).toBe('fault');
    expect(kindOf(issueAt())).toBe('fault');
    expect(kindOf(errorOf({ message: 'Variable "$input" got invalid value "xxx…' }))).toBe('fault');
    expect(kindOf(previewWith('input', 'articles', '0', 'title'))).toBe('fault');
    expect(kindOf({ errors: [{ message: 'Unexpected error.', extensions: { code: 'INTERNAL' } }] })).toBe('fault');
    expect(kindOf(itemWith('ArticleUpdateFailed', null))).toBe('fault');
  });

  it('accepts a refusal that names what the value requires, or that says that the revision is another one', () => {
    const at = (member: string) => ({ ...position, path: ['input', member] });
    const userId = { status: 200, body: issueAt('input', 'userId') };
    expect(checkResponse(at('publish'), userId).kind).toBe('refused');
    expect(checkResponse(at('keepBefore'), userId).kind).toBe('fault');
    const notAttempted = (reason: string) => {
      const results = [{ __typename: 'ArticleUpdateNotAttempted', details: 'It was not attempted.', reason }];
      return { status: 200, body: { data: { answer: { __typename: 'BulkUpdateArticlesPayload', results } } } };
    };
    expect(checkResponse(at('ifRevision'), notAttempted('CHANGED_SINCE')).kind).toBe('refused');
    expect(checkResponse(at('ifRevision'), notAttempted('UNAVAILABLE')).kind).toBe('fault');
    expect(checkResponse(at('order'), notAttempted('CHANGED_SINCE')).kind).toBe('fault');
  });

  it('reports an error without a code, and one of a mutation that tells nothing of its write', () => {
    const issues = [{ path: ['input', 'articles'] }];
    const at = (extensions: object) => ({ errors: [{ message: 'No.', path: ['answer'], extensions }] });
    expect(kindOf(at({ code: 'VALIDATION_FAILED', issues, mayHaveApplied: false }))).toBe('refused');
    expect(kindOf(at({ code: 'VALIDATION_FAILED', issues }))).toBe('fault');
    expect(kindOf(at({ issues, mayHaveApplied: false }))).toBe('fault');
  });

  it('reports a 5xx and an uncertain outcome', () => {
    expect(kindOf({ data: {} }, 500)).toBe('fault');
    expect(kindOf(itemWith('ArticleUpdateUnknown', 'Who knows.'))).toBe('fault');
    expect(kindOf({ data: { answer: { __typename: 'OutcomeUnknownError' } } })).toBe('fault');
  });

  it('accepts a value that was accepted', () => {
    expect(kindOf(itemWith('ArticleUpdated', null))).toBe('accepted');
    expect(kindOf(previewWith())).toBe('accepted');
  });
});

describe('checkV2Response', () => {
  const order: V2Position = { kind: 'body', route: BULK, base: [{}], path: [0, 'order'] };
  const refusal = (description: string) => JSON.stringify({ success: false, errors: [{ description }] });
  const kind = (text: string, status = 400) => checkV2Response(order, { status, text }).kind;

  it('accepts a rejection that names the member, and no other', () => {
    expect(kind(refusal('$[0].order: Invalid input'))).toBe('refused');
    expect(kind(refusal('$[0].title: Invalid input'))).toBe('fault');
    expect(kind(refusal('Something is wrong.'))).toBe('fault');
  });

  it('reports a body that is not an envelope, and a 5xx', () => {
    expect(kind('<html></html>')).toBe('fault');
    expect(kind(refusal('$[0].order: Invalid input'), 500)).toBe('fault');
  });
});
