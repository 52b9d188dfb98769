import { describe, expect, it } from 'vitest';
import { isSameValue } from '../../../src/core/base/members.ts';

describe('isSameValue', () => {
  it.each<[unknown, unknown]>([
    ['a', 'a'],
    [null, null],
    [undefined, undefined],
    [[], []],
    [
      ['a', ['b', null]],
      ['a', ['b', null]],
    ],
    [new Date(1_000), new Date(1_000)],
  ])('finds %j and %j equal', (one, other) => {
    expect(isSameValue(one, other)).toBe(true);
  });

  it.each<[unknown, unknown]>([
    ['a', 'b'],
    [null, undefined],
    [[], null],
    [['a'], []],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [new Date(1_000), new Date(2_000)],
    [1, '1'],
  ])('finds %j and %j different', (one, other) => {
    expect(isSameValue(one, other)).toBe(false);
  });
});
