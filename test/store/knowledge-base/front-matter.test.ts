import { describe, expect, it } from 'vitest';
import { parseYamlFields, splitMarkdown, withArticleId } from '../../../src/store/knowledge-base/front-matter.ts';

describe('the ID that is written into a file', () => {
  it.each([
    { name: 'no front matter', file: '# A\n', given: '---\narticleId: a-1\n---\n# A\n' },
    { name: 'nothing at all', file: '', given: '---\narticleId: a-1\n---\n' },
    { name: 'a file of Windows', file: '\uFEFF# A\r\nb', given: '\uFEFF---\r\narticleId: a-1\r\n---\r\n# A\r\nb' },
    { name: 'a rule at the beginning', file: '---\n\nb\n', given: '---\narticleId: a-1\n---\n---\n\nb\n' },
    { name: 'empty front matter', file: '---\n---\nb', given: '---\narticleId: a-1\n---\nb' },
    { name: 'front matter', file: '--- \r\nb: c\r\n---\r\n', given: '--- \r\narticleId: a-1\r\nb: c\r\n---\r\n' },
    { name: 'an empty ID', file: '---\nb: c\narticleId: ~ # d\n---\n', given: '---\nb: c\narticleId: a-1 # d\n---\n' },
    {
      name: 'a list in it',
      file: '---\nb:\n  - articleId:\n---\n',
      given: '---\narticleId: a-1\nb:\n  - articleId:\n---\n',
    },
  ])('leaves every other byte as it was: $name', ({ file, given }) => {
    expect(withArticleId(file, 'a-1')).toBe(given);
  });

  it.each(['null', '~', 'a: b', '0x10', '"', "it's", 'ä #1'])('is read as it is: %s', (id) => {
    expect(withArticleId('x', id)).toMatch(/^---\narticleId: .+\n---\nx$/u);
  });

  it.each([
    '---\n{ b: c }\n---\n',
    '---\narticleId: other\n---\n',
    '---\n"articleId":\n---\n',
    '---\n- b\n---\n',
    '---\nb: [\n---\n',
  ])('is refused where the file would not be read so: %j', (file) => {
    expect(withArticleId(file, 'a-1')).toBeNull();
  });
});

const LENGTH = 16_384;

/** So much of a text as front matter may have. */
const filled = (beginning: string, part: string): string => `${beginning}${part.repeat(LENGTH)}`.slice(0, LENGTH);

describe('front matter that is made to cost much', () => {
  it.each<[string, string, RegExp]>([
    ['lists in lists', filled('', '['), /^YAML: nests lists and members too deep$/u],
    ['members in members', filled('', '{a: {'), /^YAML: nests lists and members too deep$/u],
    ['lists of lines', filled('', '- '), /^YAML: nests lists and members too deep$/u],
    ['keys of keys', filled('', '? '), /^YAML: nests lists and members too deep$/u],
    ['a long tag', filled('a: !', '!'), /^YAML: .{1,220}$/u],
    ['many equal names', filled('', 'a: b\n'), /^YAML: Map keys must be unique$/u],
    ['more than is read', `${filled('', 'a')}b`, /^has more than 16384 characters of YAML$/u],
  ])('is refused in one short sentence: %s', (_what, yaml, message) => {
    expect(parseYamlFields(yaml, 2)).toEqual({
      ok: false,
      error: { line: expect.any(Number), message: expect.stringMatching(message) },
    });
  });

  it('follows no alias', () => {
    const yaml = `a: &a0 [x, x]\n${Array.from({ length: 300 }, (_, i) => `a${i}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')}`;
    expect(parseYamlFields(yaml, 2)).toMatchObject({ ok: true });
  });

  it.each(['a: b\n', '--- x\n', `---${' '.repeat(40)}x\n`, '---', '\n'])('is none without an end: many %j', (line) => {
    const file = `---\n${line.repeat(2_000_000 / line.length)}x`;
    expect(splitMarkdown(file)).toMatchObject({ frontMatter: '', heading: null });
    expect(withArticleId(file, 'a')).toBe(`---\narticleId: a\n---\n${file}`);
  });
});
