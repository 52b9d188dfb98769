import { describe, expect, it } from 'vitest';
import { withArticleId } from '../../src/knowledge-base/front-matter.ts';

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
