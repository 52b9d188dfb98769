import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FolderReading, readFolder } from '../../../src/cli/folder/read-folder.ts';

let parent: string;
let root: string;

beforeEach(async () => {
  // The folders above are the test's own, since settings of a generator are looked for in them.
  parent = await mkdtemp(join(tmpdir(), 'kb-gateway-read-folder-'));
  root = join(parent, 'a/b/docs');
  await mkdir(root, { recursive: true });
});

afterEach(() => rm(parent, { recursive: true }));

async function read(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: { readonly include?: readonly string[]; readonly exclude?: readonly string[] } = {},
): Promise<FolderReading> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const now = new Date('2026-01-01');
  return readFolder(root, { include: [], exclude: [], languages: ['en', 'fr', 'pt-br'], now, ...options });
}

const titlesOf = ({ articles }: FolderReading) =>
  Object.fromEntries(articles.flatMap(({ texts }) => texts.map(({ path, title }) => [path, title])));
const contentsOf = ({ articles }: FolderReading) =>
  articles.flatMap(({ texts }) => texts.map(({ content }) => content));
const leftOutOf = ({ leftOut }: FolderReading) => Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason]));

describe('titles', () => {
  it('come from the front matter, else the first heading as a reader sees it, else the name', async () => {
    const reading = await read({
      'said.md': '---\ntitle: Valve leak in May\n---\n# What we saw\n\nWater.\n',
      'same.md': '---\ntitle: The valve tool\n---\n# The `valve` tool\n\nIt turns.\n',
      'marked.md': '<!-- ok -->\n\n# Set **up** [a pump](pump.md) \\@work &amp; play {#set-up} #\n\nText.\n',
      'under.md': 'Count the\npumps\n=====\n\nText.\n',
      'second.md': '## Mount it\n\nText.\n',
      'mid.md': 'A line.\n\n## A part\n\nText.\n',
      'late.md': 'A line.\n\n---\n\n# A part\n\nText.\n',
      'fence.md': '```sh\n# no title\n```\n',
      'empty.md': '# \n\nText.\n',
      'part.mdx': "import Pump from './pump.js';\n\n# A pump\n\n<Pump />\n",
    });
    expect(titlesOf(reading)).toEqual({
      'said.md': 'Valve leak in May',
      'same.md': 'The valve tool',
      'marked.md': 'Set up a pump @work & play',
      'under.md': 'Count the pumps',
      'second.md': 'Mount it',
      'mid.md': 'Mid',
      'late.md': 'Late',
      'fence.md': 'Fence',
      'empty.md': 'Empty',
      'part.mdx': 'A pump',
    });
  });

  it('leave the text, and other headings stay', async () => {
    const reading = await read({
      'a.md': '\uFEFF---\r\ntitle: Valve leak\r\n---\r\n# What we saw\r\n\r\nWater.\r\n',
      'b.md': '# A pump\r\rIt turns.\r',
    });
    expect(contentsOf(reading)).toEqual(['# What we saw\n\nWater.\n', 'It turns.\n']);
  });

  it('keep numbers that are no order', async () => {
    const reading = await read({
      'codes/401-valve.md': 'Text.\n',
      'codes/502-valve.md': 'Text.\n',
      '3-phase motor.md': 'Text.\n',
      'notes/2023-09-news.md': 'Text.\n',
      'notes/2024-09-news.md': 'Text.\n',
      'ordered/01-open.md': 'Text.\n',
      'ordered/02-close.md': 'Text.\n',
      'v/1.2-changes.md': 'Text.\n',
    });
    expect(titlesOf(reading)).toMatchObject({
      'codes/401-valve.md': '401 valve',
      '3-phase motor.md': '3 phase motor',
      'notes/2023-09-news.md': '2023 09 news',
      'ordered/01-open.md': 'Open',
      'v/1.2-changes.md': '1.2 changes',
    });
    const orders = reading.articles.flatMap(({ texts }) => texts.map(({ order }) => order));
    expect(orders.filter((order) => order !== undefined)).toEqual([1, 2]);
  });

  it('of posts in Jekyll have no date', async () => {
    const post = '2019-05-04-my-first-post.md';
    const reading = await read({ '_config.yml': '', [`_posts/${post}`]: 'Text.\n', [`notes/${post}`]: 'Text.\n' });
    expect(titlesOf(reading)).toEqual({
      [`_posts/${post}`]: 'My first post',
      [`notes/${post}`]: '2019 05 04 my first post',
    });
  });
});

describe('front matter', () => {
  it('is read as YAML, TOML and JSON', async () => {
    const reading = await read({
      'yaml.md': '\n---\ntitle: In YAML\nnav_order: 3\n---\nText.\n',
      'toml.md': '+++\ntitle = "In TOML"\nweight = 4\ndraft = true\n+++\nText.\n',
      'json.md': '{\n"title": "In JSON",\n"weight": 5\n}\n\nText.\n',
      'list.md': '---\nkeywords: ["valve [x]", "tap",\n"pump"]\ntitle: After a list\n---\nText.\n',
      'rule.md': '---\n\nText between rules.\n\n---\n',
    });
    expect(titlesOf(reading)).toEqual({
      'yaml.md': 'In YAML',
      'toml.md': 'In TOML',
      'json.md': 'In JSON',
      'list.md': 'After a list',
      'rule.md': 'Rule',
    });
    const texts = reading.articles.flatMap((article) => article.texts);
    expect(texts.map(({ order }) => order)).toEqual([5, undefined, undefined, 4, 3]);
    expect(texts.filter(({ draft }) => draft !== null).map(({ path }) => path)).toEqual(['toml.md']);
  });

  it('fails its own file only, in words for writers', async () => {
    const reading = await read({
      'colon.md': '---\ntitle: Taps: which one\n---\nText.\n',
      'unused.md': '---\ntitle: Fine\naliases:\n  - %\n---\nText.\n',
      'draft.md': '---\ntitle: Perhaps\ndraft: perhaps\n---\nText.\n',
      'bytes.md': Buffer.from([0x23, 0x20, 0xff]),
      'hidden.md': '---\nhidden: sometimes\n---\nText.\n',
      'star.md': '---\ntitle: *Important*\n---\nText.\n',
      'mark.md': '---\ntitle: !Important notes\n---\nText.\n',
      'twice.md': '---\ntitle: One\ntitle: Other\n---\nText.\n',
      'unended.md': '---\ntitle: One\n\nText.\n',
      'unended-toml.md': '+++\ntitle = "One"\n\nText.\n',
    });
    expect(titlesOf(reading)).toEqual({ 'unused.md': 'Fine' });
    expect(leftOutOf(reading)).toEqual({
      'colon.md': 'line 2: title must have its value in quotation marks',
      'draft.md': "line 3: draft can't be perhaps",
      'bytes.md': 'is not UTF-8, so its letters are uncertain: save it as UTF-8',
      'hidden.md': "line 2: hidden can't be sometimes: true or false",
      'star.md': 'line 2: title must have its value in quotation marks',
      'mark.md': 'line 2: title must have its value in quotation marks',
      'twice.md': 'line 2: title is there twice',
      'unended.md': 'has front matter without an end',
      'unended-toml.md': 'has front matter without an end',
    });
  });

  it('fails a file that a parser or a gateway would refuse with all beside it', async () => {
    const reading = await read({
      'deep.md': `# Deep\n\n${'> '.repeat(20_000)}Text.\n`,
      'zero.md': '# A text\n\nwith \0.\n',
      'named.md': `---\ntitle: "with \\0"\n---\nText.\n`,
      'long.md': `# ${'x'.repeat(301)}\n\nText.\n`,
      'taps/_category_.json': `{"label": "${'x'.repeat(301)}"}`,
      'taps/a.md': 'x',
    });
    expect(titlesOf(reading)).toEqual({ 'taps/a.md': 'A' });
    expect(leftOutOf(reading)).toEqual({
      'deep.md': 'nests quotes or lists too deep',
      'zero.md': 'its text must not contain the character U+0000',
      'named.md': 'its title must not contain the character U+0000',
      'long.md': 'its title must have at most 300 characters',
      'taps/_category_.json': 'its label must have at most 300 characters',
    });
    expect(reading.categories.map(({ name }) => name)).toEqual(['Taps']);
  });

  it.each([
    ['Hugo', { 'hugo.toml': '' }, ['a.md', 'b.md', 'd.md', 'e.md']],
    ['Jekyll', { '_config.yml': '' }, ['_posts/2030-01-01-f.md', 'a.md', 'b.md', 'd.md', 'e.md']],
    ['MkDocs', { 'mkdocs.yml': '' }, ['b.md', 'd.md', 'e.md']],
  ])('keeps what %s publishes later as drafts', async (_, settings, expected) => {
    const reading = await read({
      ...settings,
      'a.md': '---\ndate: 2030-01-01\n---\nText.\n',
      'b.md': '---\npublishdate: 2030-01-01\n---\nText.\n',
      'c.md': '---\ndate: 2020-01-01\npublished: 2020-01-01\nexpirydate: 2040-01-01\n---\nText.\n',
      'd.md': '+++\nDraft = true\n+++\nText.\n',
      'e.md': '---\npublished: 2030-01-01\n---\nText.\n',
      '_posts/2030-01-01-f.md': 'Text.\n',
      '_posts/2030-01-01-g.md': '---\ndate: 2020-01-01\n---\nText.\n',
    });
    const drafts = reading.articles.flatMap(({ texts }) => texts.filter(({ draft }) => draft !== null));
    expect(drafts.map(({ path }) => path)).toEqual(expected);
  });

  it('keeps drafts, and names what has no effect by the number of files, important fields first', async () => {
    const reading = await read({
      'a.md': '---\npublished: false\ntags: x\nzebra: 1\n---\nText.\n',
      'b.md':
        '---\npublishDate: 2030-01-01\nnot important: 1\nzebra: 1\nslug: own\nms.date: 1\nms.author: me\n---\nText.\n',
      'c.md': '---\nexpiryDate: 2025-01-01\n---\nText.\n',
      'd.md': '---\ndraft: false\n---\nText.\n',
      '_drafts/e.md': 'Text.\n',
    });
    const drafts = reading.articles.flatMap(({ texts }) => texts.map(({ path, draft }) => [path, draft]));
    expect(Object.fromEntries(drafts)).toEqual({
      'a.md': 'it has published: false',
      'b.md': 'it has publishDate: 2030-01-01',
      'c.md': 'it has expiryDate: 2025-01-01',
      'd.md': null,
      '_drafts/e.md': 'it is in _drafts',
    });
    expect(reading.unusedFields).toEqual([
      ['slug (an article gets its own)', 1],
      ['tags', 1],
      ['zebra', 2],
      ['ms', 1],
      ['not important', 1],
    ]);
  });
});

describe('names', () => {
  it('of folders are categories, which an index or a category file names', async () => {
    const reading = await read({
      'taps/_index.md': '---\ntitle: All taps\nweight: 7\n---\n',
      'taps/one.md': 'Text.\n',
      'pumps/_category_.json': '{"label": "All pumps", "position": 2}',
      'pumps/README.md': '# Pumps here\n\nText.\n',
      'old-valves/small/one.md': 'Text.\n',
    });
    expect(reading.categories.map(({ folder, name, order }) => [folder, name, order])).toEqual([
      ['old-valves', 'Old valves', undefined],
      ['old-valves/small', 'Small', undefined],
      ['pumps', 'All pumps', 2],
      ['taps', 'All taps', 7],
    ]);
    expect(leftOutOf(reading)).toEqual({ 'taps/_index.md': 'it names its category, and has no text' });
  });

  it('with numbers from 0 on keep their sequence, in positions from 1 on', async () => {
    const reading = await read({
      'units/00-begin.md': 'Text.\n',
      'units/01-open.md': 'Text.\n',
      'units/02-close/a.md': '---\nweight: -3\n---\nText.\n',
      'units/02-close/b.md': '---\nweight: 0\n---\nText.\n',
      'units/02-close/c.md': 'Text.\n',
      'valves/a.md': '---\nnav_order: 2\n---\nText.\n',
    });
    const orders = reading.articles.flatMap(({ texts }) => texts.map(({ path, order }) => [path, order]));
    expect(Object.fromEntries(orders)).toEqual({
      'units/00-begin.md': 1,
      'units/01-open.md': 2,
      'units/02-close/a.md': 1,
      'units/02-close/b.md': 4,
      'units/02-close/c.md': undefined,
      'valves/a.md': 2,
    });
    expect(reading.categories.find(({ folder }) => folder === 'units/02-close')?.order).toBe(3);
  });

  it('with numbers are orders in folders of languages, too', async () => {
    const reading = await read({
      'en/01-taps/01-open.md': 'Text.\n',
      'en/02-pumps/01-run.md': 'Text.\n',
      'fr/01-taps/01-open.md': 'Texte.\n',
    });
    expect(reading.categories.map(({ name, order }) => [name, order])).toEqual([
      ['Taps', 1],
      ['Pumps', 2],
    ]);
  });

  it('have no order of 0 in Hugo, for which that is none', async () => {
    const reading = await read({
      'hugo.toml': '',
      'a.md': '---\nweight: 0\n---\nText.\n',
      'b.md': '+++\nweight = 1\n+++\n',
    });
    expect(reading.articles.map(({ texts }) => texts.map(({ order }) => order))).toEqual([[undefined], [1]]);
  });

  it('of which no title can be made are titles themselves', async () => {
    const reading = await read({ '--.md': 'x', '-/a.md': 'x' });
    expect(titlesOf(reading)).toEqual({ '--.md': '--', '-/a.md': 'A' });
    expect(reading.categories.map(({ name }) => name)).toEqual(['-']);
  });

  it('of languages are folders or suffixes, in any case, and unknown ones are no articles', async () => {
    const reading = await read({
      'en/tap.md': '# A tap\n',
      'FR/tap.md': '# Un robinet\n',
      'pt_BR/tap.md': '# Uma torneira\n',
      'pt-BR/pump.md': '# Uma bomba\n',
      'de/tap.md': '# Ein Hahn\n',
      'en/pump.fr.md': '# Une pompe\n',
      'en/pump.md': '# A pump\n',
    });
    expect(reading.articles.map(({ texts }) => texts.map(({ language }) => language))).toEqual([
      ['en', 'fr', 'pt-br'],
      ['en', 'fr', 'pt-br'],
    ]);
    expect(leftOutOf(reading)).toEqual({ 'de/tap.md': 'de is a language that the project version does not have' });
  });

  it('of translations may have the other Unicode normal form', async () => {
    const reading = await read({ 'caf\u00e9.md': '# Coffee\n', 'fr/cafe\u0301.md': '# Caf\u00e9\n' });
    expect(reading.articles.map(({ texts }) => texts.map(({ language }) => language))).toEqual([['en', 'fr']]);
  });

  it('of translations in Docusaurus are those of the files that they translate', async () => {
    const [docs, versioned] = ['site/docs', 'site/versioned_docs/version-1.x'];
    const translated = 'site/i18n/fr/docusaurus-plugin-content';
    const [current, earlier] = [`${translated}-docs/current`, `${translated}-docs/version-1.x`];
    const reading = await read({
      'site/docusaurus.config.js': '',
      [`${docs}/taps/_category_.json`]: '{"label": "All taps"}',
      [`${docs}/taps/open.md`]: '# Open\n',
      [`${current}/taps/open.md`]: '# Ouvrir\n',
      [`${current}/gone.md`]: '# Parti\n',
      [`${versioned}/open.md`]: '# Open 1\n',
      [`${earlier}/open.md`]: '# Ouvrir 1\n',
      'site/blog/news.md': '# News\n',
      [`${translated}-blog/news.md`]: '# Nouvelles\n',
      'site/src/pages/about.mdx': '# About\n',
      [`${translated}-pages/about.mdx`]: '# Qui\n',
      [`${current.replace('fr', 'de')}/taps/open.md`]: '# Auf\n',
    });
    expect(
      reading.articles.map(({ folder, texts }) => [folder, texts.map(({ language, title }) => `${language} ${title}`)]),
    ).toEqual([
      ['site/blog', ['en News', 'fr Nouvelles']],
      ['site/docs/taps', ['en Open', 'fr Ouvrir']],
      ['site/docs', ['fr Parti']],
      ['site/versioned_docs/version-1.x', ['en Open 1', 'fr Ouvrir 1']],
      ['site/src/pages', ['en About', 'fr Qui']],
    ]);
    expect(reading.categories.map(({ folder }) => folder).filter((folder) => folder.includes('i18n'))).toEqual([]);
    expect(Object.values(leftOutOf(reading))).toEqual(['de is a language that the project version does not have']);
  });

  it.each([
    ['Docusaurus', { 'docusaurus.config.js': '' }, ['_part.md', '_parts/a.md']],
    ['Jekyll', { '_config.yml': '' }, ['_includes/a.md', '_part.md']],
    ['Hugo', { 'hugo.toml': '' }, []],
    ['Starlight', { 'astro.config.mjs': '' }, ['_part.md', '_parts/a.md']],
    ['MkDocs', { 'mkdocs.yml': '' }, []],
    ['mdBook', { 'book.toml': '' }, ['SUMMARY.md']],
    ['none', {}, ['_part.md']],
  ])('that begin with _ are taken as %s does', async (name, settings, leftOut) => {
    const pages = { '_part.md': 'x', '_parts/a.md': 'x', '.hidden.md': 'x' };
    const own = { mdBook: { 'SUMMARY.md': 'x' }, Jekyll: { '_includes/a.md': 'x' } };
    const reading = await read({ ...pages, ...new Map<string, object>(Object.entries(own)).get(name), ...settings });
    expect(reading.convention).toBe(name);
    expect(Object.keys(leftOutOf(reading)).filter((path) => path !== '.hidden.md')).toEqual(leftOut);
    expect(reading.files).toBe(reading.articles.length + reading.leftOut.length);
  });

  it('of README.md beside index.md have no page in MkDocs', async () => {
    const files = { 'index.md': '# I\n\nText.\n', 'README.md': 'Text.\n', 'a/README.md': '# A\n\nText.\n' };
    const reading = await read({ 'mkdocs.yml': '', ...files });
    expect(titlesOf(reading)).toEqual({ 'index.md': 'I', 'a/README.md': 'A' });
    expect(leftOutOf(reading)).toEqual({ 'README.md': 'it has no page beside index.md in MkDocs' });
    expect(leftOutOf(await read(files, { include: ['README.md'] }))).toEqual({});
  });

  it('are taken and left out as the options say', async () => {
    const files = { '_part.md': 'x', 'notes/a.md': 'x', 'b.md': 'x' };
    const reading = await read(files, { include: ['_part.md'], exclude: ['notes'] });
    expect(Object.keys(titlesOf(reading))).toEqual(['_part.md', 'b.md']);
    expect(leftOutOf(reading)).toEqual({ 'notes/a.md': 'it is among those of --exclude' });
  });

  it('of links are left out, and other files are counted by their endings', async () => {
    await writeFile(join(parent, 'secret.md'), 'secret');
    await symlink(join(parent, 'secret.md'), join(root, 'link.md'));
    await symlink(parent, join(root, 'folder'));
    await link(join(parent, 'secret.md'), join(root, 'hard.md'));
    const reading = await read({
      'a.md': 'x',
      'a.png': 'x',
      'b.png': 'x',
      'node_modules/p/README.md': 'x',
      'a.markdown': 'x',
    });
    expect(leftOutOf(reading)).toEqual({
      'a.md': 'it is the same page in en as a.markdown',
      folder: 'it is a link, and links are not followed',
      'hard.md': 'it has another name (a hard link), and is left alone',
      'link.md': 'it is a link, and links are not followed',
      'node_modules/': 'packages of others are not looked into',
    });
    expect([...reading.others]).toEqual([['.png', 2]]);
  });
});

describe('what can not be read', () => {
  it('is named, and stops no other file', async () => {
    const name = (text: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(text, 'latin1')]);
    await writeFile(name('größe.md'), 'x');
    await mkdir(name('höhe'));
    await writeFile(name('höhe/a.md'), 'x');
    execFileSync('mkfifo', [join(root, 'pipe.md')]);
    const reading = await read({ 'a.md': 'x', 'Größe.md': 'x' });
    expect(Object.keys(titlesOf(reading))).toEqual(['Größe.md', 'a.md']);
    const reasons = reading.leftOut.map(({ path, reason, isProblem }) => [path, reason, isProblem]);
    expect(reasons).toEqual([
      ['gr\ufffd\ufffde.md', 'its name is not UTF-8: rename it', true],
      ['h\ufffdhe/', 'its name is not UTF-8: rename it', true],
      ['pipe.md', 'it is no regular file', true],
    ]);
  });
});

it('lists links, images and anchors that work in the folder only, with their places', async () => {
  const text = `# T

[a](other.md) ![b](img/b.png) [c](https://example.org) [d](#part) [e](#nowhere) <img src="c.png">

## Part

- one
- [f](/root.md)

| a | b |
|---|---|
| 1 | [g](g.md) |
`;
  const { links } = await read({ 'a.md': `---\ntitle: T\n---\n${text}` });
  expect(links.map(({ line, kind, target }) => `${line} ${kind} ${target}`)).toEqual([
    '6 link other.md',
    '6 image img/b.png',
    '6 anchor #nowhere',
    '6 image c.png',
    '11 link /root.md',
    '15 link g.md',
  ]);
});
