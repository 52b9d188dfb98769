import { describe, expect, it } from 'vitest';
import { editDistance } from '../../../src/core/base/spelling.ts';

describe('the distance of two names', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['title', 'title', 0],
    ['titel', 'title', 1],
    ['tile', 'title', 1],
    ['titlee', 'title', 1],
    ['tidle', 'title', 1],
    ['kitten', 'sitting', 3],
    ['PROT', 'PORT', 1],
    ['a'.repeat(64), 'b'.repeat(64), 64],
    ['a'.repeat(65), 'a'.repeat(65), Number.POSITIVE_INFINITY],
  ])('of %j and %j is %d, in both directions', (one, other, distance) => {
    expect([editDistance(one, other), editDistance(other, one)]).toEqual([distance, distance]);
  });
});
