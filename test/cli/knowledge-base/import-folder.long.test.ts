import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGateway } from '../../support/process.ts';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kb-gateway-folder-'));
});

afterEach(() => rm(cwd, { recursive: true }));

const run = (...args: readonly string[]) => runGateway(args, { cwd });

async function writeFiles(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(cwd, dirname(path)), { recursive: true });
    await writeFile(join(cwd, path), content);
  }
}

/** What the store has, as an export of it tells. */
async function storedContent() {
  await rm(join(cwd, 'kb.json'), { force: true });
  expect(await run('export', 'kb.json')).toMatchObject({ code: 0 });
  return JSON.parse(await readFile(join(cwd, 'kb.json'), 'utf8'));
}

const DOCS = {
  'lamps/intro.md': '---\ntitle: 2026-01-01\nowner: me\nsidebar_position: 3\nslug: 0x10\n---\n\nHello.\n',
  'lamps/intro.fr.md': 'Bonjour.',
  'lamps/01-getting-started/02-pair-a-lamp.md': '# Pair *any* lamp\n\nHold it.\n\n# Later\n',
  'lamps/guide/_category_.json': '{ "label": "Guides & more", "position": 7 }',
  'lamps/guide/index.md':
    '\uFEFF---\r\narticleId: G-1\r\nhidden: true\r\ntranslationStatus: TRANSLATED\r\n---\r\n# Guide\r\n\r\nX\r\n',
  'lamps/guide/deep/er/no.md': '---\ncategoryId: guide\n---\nIn the guide.',
  'lamps/fr/guide/index.md': '---\narticleId: G-1\nhidden: false\n---\n# Le guide\n\nY',
  'lamps/.git/no.md': '# No',
  'lamps/_drafts/no.md': '# No',
  'lamps/img/lamp.png': 'no text',
};

const version = (lang_code: string, title: string, content: string) => ({
  ...{ lang_code, version_number: 1, title, content, translation_option: null },
});

const article = (id: string, category_id: string | null, versions: readonly object[]) => ({
  ...{ id, project_version_id: 'docs', category_id, order: null, hidden: false, content_type: 'markdown', versions },
});

describe('import of a folder of Markdown', () => {
  it('makes articles of files, categories of folders, and changes nothing the second time', async () => {
    await writeFiles(DOCS);
    await symlink(resolve('README.md'), join(cwd, 'lamps/link.md'));
    await symlink(resolve('docs'), join(cwd, 'lamps/linked'));
    const imported = await run('import', 'lamps', '--languages', 'en,fr');
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(imported.stdout).toContain('\nLeft out, since links are not followed: link.md, linked.\n');
    expect(imported.stdout).toContain('\nLeft out: 1 files that are no Markdown.\n');
    expect(imported.stdout).toContain('\nFields that have no effect: hidden, owner.\n');
    const stored = await storedContent();
    expect(
      stored.languages.map(({ code, is_default }: { code: string; is_default: boolean }) => [code, is_default]),
    ).toEqual([
      ['en', true],
      ['fr', false],
    ]);
    const category = (id: string, parent_category_id: string | null, members: object) => ({
      ...{ id, project_version_id: 'docs', parent_category_id, order: null, ...members },
    });
    expect(stored.categories).toEqual([
      category('getting-started', null, { name: 'Getting started', order: 1 }),
      category('guide', null, { name: 'Guides & more', order: 7 }),
      category('guide.deep', 'guide', { name: 'Deep' }),
      category('guide.deep.er', 'guide.deep', { name: 'Er' }),
    ]);
    const guide = { ...version('en', 'Guide', 'X\n'), translation_option: '2' };
    const lamp = version('en', 'Pair *any* lamp', 'Hold it.\n\n# Later\n');
    const intro = [version('en', '2026-01-01', 'Hello.\n'), version('fr', 'Intro', 'Bonjour.\n')];
    expect(stored.articles).toEqual([
      { ...article('G-1', 'guide', [guide, version('fr', 'Le guide', 'Y\n')]), slug: 'index', hidden: true },
      { ...article('getting-started.pair-a-lamp', 'getting-started', [lamp]), slug: 'pair-a-lamp', order: 2 },
      { ...article('guide.deep.er.no', 'guide', [version('en', 'No', 'In the guide.\n')]), slug: 'no' },
      { ...article('intro', null, intro), slug: '0x10', order: 3 },
    ]);
    const again = await run('import', 'lamps', '--languages', 'en,fr');
    expect(again.stdout).toMatch(/^articles +0 +4 +0$/mu);
    expect(again.stdout).not.toContain('differs');
    expect(await storedContent()).toEqual(stored);
  });

  it('names the file, the line and the value of each problem, and imports nothing', async () => {
    await writeFiles({
      'lamps/a.md': '---\ntitle: a: b\n---\nx',
      'lamps/b.md': '---\n# why\nhidden: maybe\norder: 1.5\ntitle: [a]\ntranslationStatus: DONE\n---\n',
      'lamps/c.md': '---\nslug: &x y\ntitle: *x\n---\nx',
      'lamps/d.md': `---\n${'['.repeat(16_000)}\n---\nx`,
      'lamps/e.md': `---\n${'a'.repeat(20_000)}: 1\n---\nx`,
      'lamps/f.md': '---\ntitle: 1\ntitle: 2\n---\nx',
      'lamps/g.md': Buffer.from([0xff, 0xfe]),
      'lamps/01-h/a.md': 'x',
      'lamps/02-h/a.md': 'x',
      'lamps/i.md': `---\narticleId: ..\n---\n\n# ${'T'.repeat(10_001)}`,
      'lamps/j/_category_.yml': 'label: J\nposition: -1',
      'lamps/j/a.md': 'x',
    });
    const { code, stdout, stderr } = await run('import', 'lamps');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const [first, ...lines] = stderr.trimEnd().split('\n');
    expect(first).toBe('kb-gateway: nothing was imported from lamps:');
    expect(lines.sort()).toEqual([
      '02-h/a.md: is the article h.a in en, as 01-h/a.md is',
      'a.md, line 2: YAML: Nested mappings are not allowed in compact mappings',
      'b.md, line 3: hidden must be true or false (value "maybe")',
      'b.md, line 4: order must be a whole number from 0 to 2147483647 (value "1.5")',
      'b.md, line 5: title must be a string',
      'b.md, line 6: translationStatus must be one of NONE, NEEDS_TRANSLATION, TRANSLATED, IN_PROGRESS (value "DONE")',
      'c.md, line 3: title must be a string',
      'd.md, line 2: YAML: nests lists and members too deep',
      'e.md, line 2: has more than 16384 characters of YAML',
      'f.md, line 3: YAML: Map keys must be unique',
      'g.md: is not UTF-8',
      'i.md, line 2: articleId must have no part "." or ".." between slashes (value "..")',
      expect.stringMatching(/^i\.md, line 5: heading must have at most 10000 characters \(value "T+…\)$/u),
      'j/_category_.yml, line 2: position must be a whole number from 0 to 2147483647 (value "-1")',
    ]);
  });

  it('names what refers to nothing, and what has the ID of another', async () => {
    await writeFiles({
      'lamps/a.md': '---\ncategoryId: none\nlanguageCode: fr\n---\nx',
      'lamps/01-h/a.md': 'x',
      'lamps/02-h/b.md': 'x',
    });
    expect((await run('import', 'lamps')).stderr.split('\n').slice(1, -1).sort()).toEqual([
      '02-h: id occurs at 01-h already',
      'a.md, line 2: categoryId there is no category none in the project version docs (value "none")',
      'a.md, line 3: languageCode there is no language fr in the project version docs (value "fr")',
    ]);
  });

  it.each([
    {
      what: 'no Markdown',
      files: { 'lamps/a.txt': 'x' },
      args: [],
      problem: 'the folder has no files that end in .md',
    },
    { what: 'too many levels', files: { [`lamps/${'a/'.repeat(32)}a.md`]: 'x' }, args: [], problem: ', 32 levels or ' },
    {
      what: 'an empty code',
      files: { 'lamps/a.md': 'x' },
      args: ['--languages', 'en,'],
      problem: 'must not be empty.',
    },
  ])('refuses a folder with $what', async ({ files, args, problem }) => {
    await writeFiles(files);
    const { code, stderr } = await run('import', 'lamps', ...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(problem) });
  });

  it('takes the options of a folder for no file', async () => {
    await writeFiles({ 'kb.json': '{}' });
    const { code, stderr } = await run('import', 'kb.json', '--languages', 'en');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('are for a folder of Markdown.') });
  });
});
