import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shellWord, toPrintable, toPrintableJson, toPrintableLines } from '../../../src/core/base/printable.ts';
import { UNPRINTABLES } from '../../support/unprintables.ts';

const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...UNPRINTABLES), fc.constantFrom('"', '\\', "'"), fc.string({ unit: 'binary' })),
});

describe('what people read', () => {
  it('has an escape in place of each unprintable character', () => {
    for (const one of UNPRINTABLES) {
      const written = `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
      expect(toPrintable(`a${one}b`)).toBe(`a${written}b`);
      expect(toPrintableLines(`a${one}b`)).toBe(one === '\n' || one === '\t' ? `a${one}b` : `a${written}b`);
    }
    expect(toPrintable('\u{e0041}')).toBe('\\udb40\\udc41');
    expect(toPrintable('größer 日本 語 🎈')).toBe('größer 日本 語 🎈');
  });

  it('never has an unprintable character, and parses to the same value where it is JSON', () => {
    fc.assert(
      fc.property(text, fc.anything(), (one, value) => {
        const json = toPrintableJson({ [one]: [one, value] });
        expect(json).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]*$/u);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ [one]: [one, value] })));
        expect(toPrintableLines(one)).toMatch(/^(?:[\n\t]|[^\p{C}\p{Zl}\p{Zp}])*$/u);
      }),
    );
  });

  it('is a word of a shell that stands for the printable text', () => {
    const texts = [...UNPRINTABLES, "it's", '\\', "\\'\u202e\\x41f"].map((one) => `a${one}b`);
    const script = texts.map((one) => `printf '%s\\0' ${shellWord(one)}`).join('\n');
    expect(script).toMatch(/^(?:\n|[^\p{C}\p{Zl}\p{Zp}])*$/u);
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect({ stderr, words: stdout.split('\0').slice(0, -1) }).toEqual({ stderr: '', words: texts.map(toPrintable) });
  });
});
