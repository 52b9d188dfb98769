import { describe, expect, it } from 'vitest';
import { IdMap } from '../../../src/core/base/id-map.ts';

describe('an IdMap', () => {
  it('finds an ID in another case, also one that was added after a look', () => {
    const map = new IdMap([['A1', 1]]);
    expect([map.get('a1'), map.has('a1'), map.get('b1'), map.has('b1')]).toEqual([1, true, undefined, false]);
    map.set('B1', 2);
    expect(map.get('b1')).toBe(2);
  });

  it('finds the ID itself before others that differ in case, and none of several others', () => {
    const map = new IdMap([
      ['a1', 1],
      ['A1', 2],
      ['Ab', 3],
      ['aB', 4],
    ]);
    expect([map.get('a1'), map.get('A1'), map.get('ab'), map.has('ab')]).toEqual([1, 2, undefined, false]);
  });
});
