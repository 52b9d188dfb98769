import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArticleOutcome } from '../../../src/core/articles/article-outcomes.ts';
import type { ArticleUpdate } from '../../../src/core/articles/bulk-updates.ts';
import {
  decodeBulkUpdate,
  decodeOutcomes,
  encodeArticleUpdate,
  encodeOutcomes,
} from '../../../src/service/v2/bulk-updates.ts';
import { decodeEnvelope } from '../../../src/service/v2/envelope.ts';
import { articleUpdate, id, overTheWire } from '../../support/arbitraries.ts';
import { fixture } from '../../support/fixtures.ts';

const textsOf = (body: unknown): readonly (string | null)[] => {
  const decoded = decodeBulkUpdate(body);
  return decoded.ok ? [] : decoded.error.map(({ description }) => description);
};

describe('encodeArticleUpdate', () => {
  it('writes null members and omits absent ones', () => {
    const update = { articleId: 'a', title: null, hidden: false };
    expect(overTheWire(encodeArticleUpdate(update))).toEqual({ article_id: 'a', title: null, hidden: false });
  });

  it('writes the translation status as a digit in a string', () => {
    expect(encodeArticleUpdate({ articleId: 'a', translationStatus: 'TRANSLATED' })).toMatchObject({
      translation_option: '2',
    });
  });

  it('is undone by decodeBulkUpdate', () => {
    fc.assert(
      fc.property(fc.array(articleUpdate, { minLength: 1 }), (updates) => {
        expect(decodeBulkUpdate(overTheWire(updates.map(encodeArticleUpdate)))).toEqual({ ok: true, value: updates });
      }),
    );
  });
});

describe('decodeBulkUpdate', () => {
  it.each([undefined, null, []])('has the documented error with its code for %j', (body) => {
    expect(decodeBulkUpdate(body)).toMatchObject({
      ok: false,
      error: [{ description: 'A non-empty request body is required.', errorCode: '400' }],
    });
  });

  it('treats order 0 and an empty translation_option as absent', () => {
    expect(decodeBulkUpdate([{ article_id: 'a', order: 0, translation_option: '' }])).toEqual({
      ok: true,
      value: [{ articleId: 'a' }],
    });
  });

  it('keeps a negative order and an unknown translation_option, so that their item can fail alone', () => {
    expect(decodeBulkUpdate([{ article_id: 'a', order: -1, translation_option: '7' }])).toMatchObject({
      ok: true,
      value: [{ order: -1, translationStatus: 'UNRECOGNIZED' }],
    });
  });

  it.each([{}, { article_id: null }])('accepts %j, whose item can only fail', (item) => {
    expect(decodeBulkUpdate([item])).toEqual({ ok: true, value: [{ articleId: '' }] });
  });

  it.each([
    ['an object instead of the array', {}, '$: '],
    ['a text', 'text', '$: '],
    ['an item that is null', [null], '$[0]: '],
    ['a nested array', [[]], '$[0]: '],
    ['null for hidden', [{}, { hidden: null }], '$[1].hidden: '],
    ['null for order', [{ order: null }], '$[0].order: '],
    ['a fraction for order', [{ order: 1.5 }], '$[0].order: '],
    ['an order beyond 32 bits', [{ order: 2 ** 31 }], '$[0].order: '],
    ['a version that is text', [{ version_number: '1' }], '$[0].version_number: '],
    ['a number for translation_option', [{ translation_option: 1 }], '$[0].translation_option: '],
    ['half of a surrogate pair', [{ title: '\ud800' }], '$[0].title: '],
    ['U+0000', [{ content: 'a\0b' }], '$[0].content: '],
  ])('names the path of %s', (_, body, path) => {
    const texts = textsOf(body);
    expect(texts).toHaveLength(1);
    expect(texts[0]?.slice(0, path.length)).toBe(path);
  });

  it('names every path, up to a maximum', () => {
    expect(textsOf([{ hidden: null, order: null }, 5])).toHaveLength(3);
    const texts = textsOf(Array.from({ length: 100_000 }, () => 5));
    expect(texts).toHaveLength(101);
    expect(texts.at(-1)).toBe('There is more that does not fit.');
  });

  it('never quotes the request', () => {
    expect(textsOf([{ hidden: 'secret', order: 'secret', title: 5 }]).join()).not.toContain('secret');
  });

  it('ignores a member called __proto__', () => {
    const decoded = decodeBulkUpdate(JSON.parse('[{"article_id":"a","__proto__":{"title":"x","hidden":true}}]'));
    expect(decoded).toEqual({ ok: true, value: [{ articleId: 'a' }] });
    expect(Object.prototype).not.toHaveProperty('hidden');
  });
});

const sent = (...ids: readonly string[]): readonly ArticleUpdate[] => ids.map((articleId) => ({ articleId }));
const kinds = (payload: readonly unknown[], updates: readonly ArticleUpdate[]) =>
  decodeOutcomes(payload, updates).map(({ kind }) => kind);
const done = (article_id: unknown, success: unknown = true) => ({ article_id, success, details: null });

describe('decodeOutcomes', () => {
  it.each([
    ['in order', [done('a'), done('b', false)], ['updated', 'failed']],
    ['reordered', [done('b', false), done('a')], ['updated', 'failed']],
    ['with null IDs, as many as sent', [done(null), done(null, false)], ['updated', 'failed']],
    ['without IDs at all, as v1', [{ success: true }, { success: false }], ['updated', 'failed']],
    ['with null IDs, fewer than sent', [done(null)], ['unknown', 'unknown']],
    ['with null IDs, more than sent', [done(null), done(null), done(null)], ['unknown', 'unknown']],
    ['with one missing', [done('b')], ['unknown', 'updated']],
    ['with a surplus', [done('a'), done('b'), done('c')], ['updated', 'updated']],
    ['about other articles', [done('x'), done('y')], ['unknown', 'unknown']],
    ['with an ID at the position of a null one', [done(null), done('a', false)], ['failed', 'unknown']],
    ['twice, and the entries agree', [done('x'), done('a'), done('a')], ['updated', 'unknown']],
    ['twice, and the entries contradict each other', [done('x'), done('a'), done('a', false)], ['unknown', 'unknown']],
    ['without a flag', [done('a', null), { article_id: 'b' }], ['unknown', 'unknown']],
    ['with a flag that is text', [done('a', 'true'), done('b', 1)], ['unknown', 'unknown']],
    ['with no entries', [], ['unknown', 'unknown']],
    ['with entries that are none', [null, 'updated'], ['unknown', 'unknown']],
  ])('reads a response %s', (_, payload, expected) => {
    expect(kinds(payload, sent('a', 'b'))).toEqual(expected);
  });

  it('keeps the details of an item, and explains an unknown item', () => {
    const [first, second] = decodeOutcomes([{ article_id: 'a', success: false, details: 'No.' }], sent('a', 'b'));
    expect(first).toEqual({ kind: 'failed', articleId: 'a', details: 'No.' });
    expect(second?.details).toMatch(/no entry/u);
  });

  it('has one outcome for each item, in order, and none is updated that the response does not confirm', () => {
    const entry = fc.oneof(
      fc.record({ article_id: fc.oneof(fc.constantFrom('a', 'b', 'c', null), id), success: fc.boolean() }),
      fc.jsonValue(),
    );
    const ids = fc.uniqueArray(fc.oneof(fc.constantFrom('a', 'b', 'c'), id));
    fc.assert(
      fc.property(fc.array(entry), ids, (payload, articleIds) => {
        const outcomes = decodeOutcomes(payload, sent(...articleIds));
        expect(outcomes.map(({ articleId }) => articleId)).toEqual(articleIds);
        for (const [index, { kind, articleId }] of outcomes.entries()) {
          if (kind === 'updated') expect(confirms({ payload, index, articleId, count: articleIds.length })).toBe(true);
        }
      }),
    );
  });

  it('reads what encodeOutcomes wrote', () => {
    const kind = fc.constantFrom('updated', 'failed');
    const outcome = fc.record({ kind, articleId: id, details: fc.option(fc.string()) });
    const outcomes = fc.uniqueArray(outcome, { selector: ({ articleId }) => articleId });
    fc.assert(
      fc.property(outcomes, fc.boolean(), (written: readonly ArticleOutcome[], isReversed) => {
        const entries = encodeOutcomes(isReversed ? written.toReversed() : written);
        expect(decodeOutcomes(entries, sent(...written.map(({ articleId }) => articleId)))).toEqual(written);
      }),
    );
  });
});

interface Claim {
  readonly payload: readonly unknown[];
  readonly index: number;
  readonly articleId: string;
  readonly count: number;
}

/** True where an entry for this article has success, or the one at its position in a complete response, without an ID. */
function confirms({ payload, index, articleId, count }: Claim): boolean {
  const named = payload.some((entry) => hasMembers(entry, { article_id: articleId, success: true }));
  const atPosition = payload[index];
  const hasNoId = typeof Object(atPosition).article_id !== 'string';
  return named || (payload.length === count && hasNoId && hasMembers(atPosition, { success: true }));
}

const hasMembers = (entry: unknown, members: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(members).every(([name, value]) => Object(entry)[name] === value);

describe('encodeOutcomes', () => {
  it('writes success for updated items only', () => {
    const outcomes: readonly ArticleOutcome[] = [
      ...(['updated', 'failed', 'unknown'] as const).map((kind) => ({ kind, articleId: '', details: kind })),
      { kind: 'not-attempted', articleId: '', details: 'not-attempted', reason: 'RATE_LIMITED', retryAfterSeconds: 7 },
    ];
    expect(encodeOutcomes(outcomes)).toEqual([
      { article_id: null, success: true, details: 'updated' },
      { article_id: null, success: false, details: 'failed' },
      { article_id: null, success: false, details: 'unknown' },
      { article_id: null, success: false, details: 'not-attempted' },
    ]);
  });
});

describe('a published response to the bulk update', () => {
  const A = '7b4d7c2e-0d1c-4b1b-9c55-1f4c62c0a001';
  const B = '7b4d7c2e-0d1c-4b1b-9c55-1f4c62c0a002';

  it.each([
    ['bulk-update-success', ['updated', 'updated']],
    ['bulk-update-mixed', ['updated', 'failed']],
    ['bulk-update-items-without-success', ['updated', 'failed']],
    ['bulk-update-null-ids', ['updated', 'failed']],
  ])('%s has an outcome for each item', (name, expected) => {
    const payload = decodeEnvelope(fixture(name).body)?.payload;
    expect(Array.isArray(payload) && kinds(payload, sent(A, B))).toEqual(expected);
  });
});
