import { describe, expect, it } from 'vitest';
import { createWeightedCache } from '../../src/execution/weighted-cache.ts';

describe('createWeightedCache', () => {
  it('keeps what fits', () => {
    const cache = createWeightedCache<number>(80);
    for (let key = 0; key < 8; key++) cache.set(`${key}`, key, 10);
    expect([0, 7, 8].map((key) => cache.get(`${key}`))).toEqual([0, 7, undefined]);
  });

  it('gives up what was not used for longest', () => {
    const cache = createWeightedCache<string>(40);
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) cache.set(key, key, 5);
    cache.get('a');
    cache.set('i', 'i', 5);
    expect(['a', 'b', 'c', 'i'].map((key) => cache.get(key))).toEqual(['a', undefined, 'c', 'i']);
  });

  it('gives up as many as the new one needs', () => {
    const cache = createWeightedCache<string>(80);
    for (const key of ['a', 'b', 'c', 'd']) cache.set(key, key, 2);
    for (let key = 0; key < 8; key++) cache.set(`${key}`, 'large', 9);
    cache.set('last', 'large', 10);
    expect(['a', 'd', '0', '1', 'last'].map((key) => cache.get(key) !== undefined)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it('does not keep what alone would push out most others', () => {
    const cache = createWeightedCache<string>(80);
    cache.set('small', 'small', 10);
    cache.set('large', 'large', 11);
    expect([cache.get('small'), cache.get('large')]).toEqual(['small', undefined]);
  });

  it('counts what is put again once', () => {
    const cache = createWeightedCache<number>(80);
    for (let round = 0; round < 100; round++) cache.set('a', round, 10);
    for (let key = 0; key < 7; key++) cache.set(`${key}`, key, 10);
    expect(cache.get('a')).toBe(99);
  });

  it('keeps nothing where it may weigh nothing', () => {
    const cache = createWeightedCache<number>(0);
    cache.set('a', 1, 1);
    expect(cache.get('a')).toBeUndefined();
  });
});
