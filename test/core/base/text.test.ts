import { describe, expect, it } from 'vitest';
import { idProblem, textProblem } from '../../../src/core/base/text.ts';
import { emailPartProblem } from '../../../src/core/reader-groups/reader-groups.ts';

describe('idProblem', () => {
  it.each([
    'a',
    'x'.repeat(512),
    '...',
    'a/b',
    '..a',
    'a..',
    'a/..b',
    '.a/b.',
    'a%2Fb',
    '%2e%2ex',
    '__proto__',
    '😀',
    ' ',
    '\r\n',
  ])('accepts %j', (id) => {
    expect(idProblem(id)).toBeNull();
  });

  it.each([
    ['', 'must not be empty'],
    ['x'.repeat(513), 'must have at most 512 characters'],
    ['a\0', 'must not contain the character U+0000'],
    ['a\ud83d', 'must be well-formed Unicode: it contains half of a surrogate pair'],
  ])('rejects %j', (id, problem) => {
    expect(idProblem(id)).toBe(problem);
  });

  it('rejects whatever leads to another path once it is decoded, however often', () => {
    const encodings: readonly ((text: string) => string)[] = [
      (text) => text,
      (text) => text.replace(/\./gu, '%2e'),
      (text) => encodeURIComponent(text).replace(/\./gu, '%2E'),
      (text) => encodeURIComponent(encodeURIComponent(text).replace(/\./gu, '%2E')),
    ];
    for (const id of ['.', '..', '../x', '..\\x', 'x/..', 'x/../y', './x', 'x/.', '/..', 'a/b/../../../v2', '\\..'])
      for (const encode of encodings)
        expect([encode(id), idProblem(encode(id))]).toEqual([
          encode(id),
          'must have no part "." or ".." between slashes',
        ]);
  });

  it('leaves room for two escaped IDs in a URL of 16 kB', () => {
    for (const unit of ['/', '€', '😀']) {
      const id = unit.repeat(512 / unit.length);
      expect(encodeURIComponent(id).length * 2).toBeLessThan(10_000);
    }
  });
});

describe('textProblem', () => {
  it('accepts text of any length', () => {
    expect(textProblem('')).toBeNull();
    expect(textProblem('z'.repeat(1_000_000))).toBeNull();
  });
});

describe('emailPartProblem', () => {
  it.each(['', 'a', 'x'.repeat(320)])('accepts %j', (text) => {
    expect(emailPartProblem(text)).toBeNull();
  });

  it.each(['x'.repeat(321), '\0', '\ude00'])('rejects %j', (text) => {
    expect(emailPartProblem(text)).not.toBeNull();
  });
});
