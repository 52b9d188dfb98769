import { expect, it } from 'vitest';
import { titleKeyOf } from '../../../src/core/articles/articles.ts';

it.each([
  ['no title', null, ''],
  ['capitals', 'Émile ΑΒ', 'émile αβ'],
  ['pairs of surrogates', '😀'.repeat(101), '😀'.repeat(100)],
  ['halves of pairs', '\ud83d'.repeat(101), '\ud83d'.repeat(100)],
  ['letters that lower case makes two of', 'İ'.repeat(100), 'i\u0307'.repeat(50)],
])('the key of a title with %s has at most 100 characters, in lower case', (_what, title, key) => {
  expect(titleKeyOf(title)).toBe(key);
});
