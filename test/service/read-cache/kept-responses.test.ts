import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/core/base/result.ts';
import { KeptResponses } from '../../../src/service/read-cache/kept-responses.ts';

const responseWith = (payload: unknown) => ({ sentAt: 0, payload: ok(payload) });

/** The bytes of an entry besides its payload, with a key of two characters. */
const ENTRY_BYTES = 512 + 4;

/** With the bytes that an entry and a value take besides the characters. */
const responseOf = (bytes: number) => responseWith('a'.repeat(bytes - ENTRY_BYTES - 48));

const found = (kept: KeptResponses, ...keys: readonly string[]) => keys.filter((key) => kept.find(key) !== undefined);

describe('kept responses', () => {
  it('make room for others in the order of their last use', () => {
    const kept = new KeptResponses(16_000);
    const keys = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8'];
    for (const key of keys) kept.tryAdd(key, responseOf(2_000));
    expect(kept.bytes).toBe(16_000);
    kept.find('a1');
    kept.tryAdd('b1', responseOf(2_000));
    expect(kept.bytes).toBe(16_000);
    expect(found(kept, ...keys, 'b1')).toEqual(['a1', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'b1']);
  });

  it('take an eighth of all bytes at most', () => {
    const kept = new KeptResponses(16_000);
    expect(kept.tryAdd('k1', responseOf(2_000))).toBe(true);
    expect(kept.tryAdd('k1', responseOf(2_001))).toBe(false);
    expect([kept.find('k1'), kept.bytes]).toEqual([undefined, 0]);
  });

  it('count a response that replaces another once', () => {
    const kept = new KeptResponses(16_000);
    for (let time = 0; time < 5; time += 1) kept.tryAdd('k1', responseOf(700));
    expect(kept.bytes).toBe(700);
  });

  it.each([
    ['a text', 'text', 48 + 4],
    ['a text with characters beyond Latin-1', 'texté…', 48 + 12],
    ['an object', { title: 'text', order: 1, hidden: null }, 4 * 48 + 4],
    ['lists in lists', [[], [{}]], 4 * 48],
  ])('count every value and every character of %s', (_name, payload, bytes) => {
    const kept = new KeptResponses(16_000);
    kept.tryAdd('k1', responseWith(payload));
    expect(kept.bytes).toBe(ENTRY_BYTES + bytes);
  });
});
