import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ArticleOutcome, ArticleUpdate } from '../../src/domain/articles/bulk-updates.ts';
import { decodeOutcomes, encodeOutcomes } from '../../src/v2/bulk-updates.ts';
import { decodeEnvelope } from '../../src/v2/envelope.ts';
import { id } from '../support/arbitraries.ts';
import { fixture } from '../support/fixtures.ts';

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
    ['with an ID in the place of a null one', [done(null), done('a', false)], ['failed', 'unknown']],
    ['twice, and the entries agree', [done('x'), done('a'), done('a')], ['updated', 'unknown']],
    ['twice, and the entries contradict each other', [done('x'), done('a'), done('a', false)], ['unknown', 'unknown']],
    ['without a flag', [done('a', null), { article_id: 'b' }], ['unknown', 'unknown']],
    ['with a flag that is text', [done('a', 'true'), done('b', 1)], ['unknown', 'unknown']],
    ['with no entries', [], ['unknown', 'unknown']],
    ['with entries that are none', [null, 'updated'], ['unknown', 'unknown']],
  ])('reads an answer %s', (_, payload, expected) => {
    expect(kinds(payload, sent('a', 'b'))).toEqual(expected);
  });

  it('keeps the details of an item, and says why an item is unknown', () => {
    const [first, second] = decodeOutcomes([{ article_id: 'a', success: false, details: 'No.' }], sent('a', 'b'));
    expect(first).toEqual({ kind: 'failed', articleId: 'a', details: 'No.' });
    expect(second?.details).toMatch(/no entry/u);
  });

  it('gives one outcome per item, in order, and none is updated that the answer does not confirm', () => {
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

/** Some entry says of this article that it succeeded, or the one in its place of a complete answer names no article. */
function confirms({ payload, index, articleId, count }: Claim): boolean {
  const named = payload.some((entry) => hasMembers(entry, { article_id: articleId, success: true }));
  const inPlace = payload[index];
  const isNameless = typeof Object(inPlace).article_id !== 'string';
  return named || (payload.length === count && isNameless && hasMembers(inPlace, { success: true }));
}

const hasMembers = (entry: unknown, members: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(members).every(([name, value]) => Object(entry)[name] === value);

describe('encodeOutcomes', () => {
  it('writes success for what was updated and for nothing else', () => {
    const outcomes = (['updated', 'failed', 'unknown', 'not-attempted'] as const).map(
      (kind): ArticleOutcome => ({ kind, articleId: '', details: kind }),
    );
    expect(encodeOutcomes(outcomes)).toEqual([
      { article_id: null, success: true, details: 'updated' },
      { article_id: null, success: false, details: 'failed' },
      { article_id: null, success: false, details: 'unknown' },
      { article_id: null, success: false, details: 'not-attempted' },
    ]);
  });
});

describe('a published answer to the bulk update', () => {
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
