import { describe, expect, it } from 'vitest';
import { judge } from './check-response.ts';
import { judgeV2 } from './check-v2-response.ts';
import type { Place } from './positions.ts';
import { BULK, type V2Place } from './v2.ts';

const place: Place = {
  operation: 'mutation',
  field: 'bulkUpdateArticles',
  path: ['input', 'articles', 0, 'order'],
};

const kindOf = (answer: unknown, status = 200) => judge(place, { status, body: Object(answer) }).kind;

const issueAt = (...path: string[]) => ({ data: { answer: { __typename: 'ValidationError', issues: [{ path }] } } });

const itemWith = (__typename: string, details: string | null) => ({
  data: { answer: { __typename: 'BulkUpdateArticlesPayload', results: [{ __typename, details }] } },
});

describe('the judge of answers to bad values', () => {
  it('takes a refusal that names the place, what is above it or what is within it', () => {
    expect(kindOf(issueAt('input', 'articles', '0', 'order'))).toBe('refused');
    expect(kindOf(issueAt('input', 'articles'))).toBe('refused');
    expect(
      kindOf({ errors: [{ message: 'Variable "$input" got invalid value 0.5 at "input.articles[0].order"; …' }] }),
    ).toBe('refused');
    expect(kindOf(itemWith('ArticleUpdateFailed', 'There is no such article.'))).toBe('refused');
  });

  it('finds fault with a refusal that names another place, or none', () => {
    expect(kindOf(issueAt('input', 'articles', '0', 'title'))).toBe('fault');
    expect(kindOf(issueAt())).toBe('fault');
    expect(kindOf({ errors: [{ message: 'Variable "$input" got invalid value "xxx…' }] })).toBe('fault');
    expect(kindOf({ errors: [{ message: 'Unexpected error.', extensions: { code: 'INTERNAL' } }] })).toBe('fault');
    expect(kindOf(itemWith('ArticleUpdateFailed', null))).toBe('fault');
  });

  it('finds fault with a 5xx and with an outcome that is not certain', () => {
    expect(kindOf({ data: {} }, 500)).toBe('fault');
    expect(kindOf(itemWith('ArticleUpdateUnknown', 'Who knows.'))).toBe('fault');
    expect(kindOf({ data: { answer: { __typename: 'OutcomeUnknownError' } } })).toBe('fault');
  });

  it('takes what was accepted', () => {
    expect(kindOf(itemWith('ArticleUpdated', null))).toBe('accepted');
  });
});

describe('the judge of answers of /v2', () => {
  const order: V2Place = { kind: 'body', route: BULK, base: [{}], path: [0, 'order'] };
  const refusal = (description: string) => JSON.stringify({ success: false, errors: [{ description }] });
  const kind = (text: string, status = 400) => judgeV2(order, { status, text }).kind;

  it('takes a refusal that names the member, and nothing else', () => {
    expect(kind(refusal('$[0].order: Invalid input'))).toBe('refused');
    expect(kind(refusal('$[0].title: Invalid input'))).toBe('fault');
    expect(kind(refusal('Something is wrong.'))).toBe('fault');
  });

  it('finds fault with what is no envelope, and with a 5xx', () => {
    expect(kind('<html></html>')).toBe('fault');
    expect(kind(refusal('$[0].order: Invalid input'), 500)).toBe('fault');
  });
});
