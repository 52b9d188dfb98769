import { describe, expect, it } from 'vitest';
import { textDiff } from '../../../src/cli/bulk-update/text-diff.ts';

describe('textDiff', () => {
  it('shows the lines that differ, with their places in the old text', () => {
    const before = '# Lamps\n\nPair a lamp.\nThen wait.\n\nThe end.\n';
    const after = '# Lamps\n\nPair any lamp.\nThen wait.\nA minute is enough.\n\nThe end.\n';
    expect(textDiff(before, after)).toEqual([
      'line 3:',
      '- Pair a lamp.',
      '+ Pair any lamp.',
      'line 5:',
      '+ A minute is enough.',
    ]);
  });

  it('shows a long line from shortly before its first difference', () => {
    const start = 'x'.repeat(500);
    const [, removed, added] = textDiff(`${start}old${'y'.repeat(500)}`, `${start}new`);
    expect(removed).toBe(`- …${'x'.repeat(20)}old${'y'.repeat(57)}…`);
    expect(added).toBe(`+ …${'x'.repeat(20)}new`);
  });

  it('shows few lines of texts of any length', () => {
    const textOf = (name: string) => Array.from({ length: 100_000 }, (_, n) => `${name} ${n}`).join('\n');
    const whole = textDiff(textOf('old'), textOf('new'));
    expect(whole).toHaveLength(1 + 2 * 6);
    expect(whole[6]).toBe('- and 99995 more lines');
    const lines = Array.from({ length: 200 }, (_, n) => `${n}`);
    const places = textDiff(lines.join('\n'), lines.map((line, n) => (n % 2 ? line : `${line}!`)).join('\n'));
    expect(places).toHaveLength(10 * 3 + 1);
    expect(places.at(-1)).toBe('and 90 more places');
  });

  it('shows a text that was empty, and one that is', () => {
    expect(textDiff('', 'a\nb')).toEqual(['line 1:', '+ a', '+ b']);
    expect(textDiff('a\u001b[2J', '')).toEqual(['line 1:', '- a\\u001b[2J']);
    expect(textDiff('a\r\nb', 'a\nb')).toEqual([]);
  });
});
