import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBulkUpdate, encodeArticleUpdate } from '../../src/v2/bulk-updates.ts';
import { articleUpdate, overTheWire } from '../support/arbitraries.ts';

const textsOf = (body: unknown): readonly (string | null)[] => {
  const decoded = decodeBulkUpdate(body);
  return decoded.ok ? [] : decoded.error.map(({ description }) => description);
};

describe('encodeArticleUpdate', () => {
  it('writes a null and leaves out what is absent', () => {
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
  it.each([undefined, null, []])('answers %j with the documented error and its code', (body) => {
    expect(decodeBulkUpdate(body)).toMatchObject({
      ok: false,
      error: [{ description: 'A non-empty request body is required.', errorCode: '400' }],
    });
  });

  it('takes order 0 and an empty translation_option for not set', () => {
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

  it.each([{}, { article_id: null }])('takes %j, whose item can only fail', (item) => {
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
  ])('names the place of %s', (_, body, place) => {
    const texts = textsOf(body);
    expect(texts).toHaveLength(1);
    expect(texts[0]?.slice(0, place.length)).toBe(place);
  });

  it('names every place, and stops where an answer would grow without end', () => {
    expect(textsOf([{ hidden: null, order: null }, 5])).toHaveLength(3);
    const texts = textsOf(Array.from({ length: 100_000 }, () => 5));
    expect(texts).toHaveLength(101);
    expect(texts.at(-1)).toBe('There is more that does not fit.');
  });

  it('never quotes what was sent', () => {
    expect(textsOf([{ hidden: 'secret', order: 'secret', title: 5 }]).join()).not.toContain('secret');
  });

  it('is not touched by a member called __proto__', () => {
    const decoded = decodeBulkUpdate(JSON.parse('[{"article_id":"a","__proto__":{"title":"x","hidden":true}}]'));
    expect(decoded).toEqual({ ok: true, value: [{ articleId: 'a' }] });
    expect(Object.prototype).not.toHaveProperty('hidden');
  });
});
