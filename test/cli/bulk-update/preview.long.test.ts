import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandFolder, openCommandFolder } from '../../support/command-folder.ts';

const COUNT = 300;

const NUMBERS = Array.from({ length: COUNT }, (_, index) => index);

/** Articles with a published text in English, and none in French. */
const KNOWLEDGE_BASE = {
  project_versions: [{ id: 'v1', name: 'v1', is_default: true }],
  languages: ['en', 'fr'].map((code) => ({ code, name: code, is_default: code === 'en', project_version_id: 'v1' })),
  articles: NUMBERS.map((index) => ({
    id: `article-${index}`,
    project_version_id: 'v1',
    category_id: null,
    slug: `article-${index}`,
    order: null,
    hidden: false,
    content_type: 'markdown',
    versions: [
      {
        lang_code: 'en',
        version_number: 1,
        title: `Old ${index}`,
        content: 'Text.',
        status: 3,
      },
    ],
  })),
};

let commands: CommandFolder;

beforeAll(async () => {
  commands = await openCommandFolder(JSON.stringify(KNOWLEDGE_BASE));
});
afterAll(() => commands.close());

/** All articles in one language and then in the other, and two of them once more. */
const SHEET = [
  'articleId,languageCode,versionNumber,title,content,hidden',
  ...NUMBERS.map((index) => `article-${index},en,,New ${index},,true`),
  ...NUMBERS.map((index) => `article-${index},fr,,Neuf ${index},Texte.,true`),
  'article-0,en,,Old 0,,',
  'article-1,,1,Old 1,,',
  'article-2,en,,,Text.,',
].join('\n');

describe('a sheet of more rows than a page, in which later rows depend on earlier ones', () => {
  it('is previewed as a whole, with each warning once', async () => {
    await writeFile(join(commands.folder, 'sheet.csv'), SHEET);
    const { code, stdout, stderr } = await commands.update('sheet.csv', '--preview');
    const lines = stdout.split('\n');
    const lineOf = (line: number) => lines.filter((text) => text.startsWith(`line ${line}, `));
    expect(code).toBe(0);
    expect(lineOf(2)).toEqual(['line 2, article-0: TITLE "Old 0" -> "New 0"; HIDDEN false -> true']);
    expect(lineOf(302)).toEqual(['line 302, article-0: TITLE null -> "Neuf 0"; CONTENT null -> "Texte."']);
    expect(lineOf(602)).toEqual(['line 602, article-0: TITLE "New 0" -> "Old 0"']);
    expect(lineOf(603)).toEqual(['line 603, article-1: TITLE "New 1" -> "Old 1"']);
    expect(lines.slice(-7)).toEqual([
      'change nothing: line 604',
      expect.stringMatching(
        /^warning: rows that change the text of a published version, .* once: line 2, .* and 293 more\.$/u,
      ),
      'would change         602',
      'unchanged              1',
      'would fail             0',
      'Nothing was written.',
      '',
    ]);
    expect(stderr.match(/name an article again/gu)).toHaveLength(1);
  });

  it('has translations that are new, and can be published', async () => {
    const { code, stdout } = await commands.update('sheet.csv', '--publish', '--user', 'embedded-store', '--preview');
    expect([code, stdout.match(/would fail: .*/gu)]).toEqual([0, null]);
  });

  it('is written as its preview says', async () => {
    expect(await commands.update('sheet.csv')).toMatchObject({
      code: 0,
      stdout:
        'rows                 603\nunchanged              1\nupdated              602\nfailed                 0\nunknown                0\nnot attempted          0\n',
    });
    const query =
      '{ first: article(articleId: "article-0") { title } second: article(articleId: "article-1") { title } }';
    expect(await commands.ask(query)).toEqual({ first: { title: 'Old 0' }, second: { title: 'Old 1' } });
  });

  it('shows a row with a revision as the rows without one before it leave its article', async () => {
    // An article that was imported has a revision once somebody has changed it.
    const { article } = await commands.ask('{ article(articleId: "article-9") { revision } }');
    const row = (title: string, revision: string) => `article-9,${title},"${revision.replaceAll('"', '""')}"\n`;
    await writeFile(
      join(commands.folder, 'revised.csv'),
      `articleId,title,revision\n${row('Newer', '')}${row('New 9', article.revision)}${row('Newest', 'another')}`,
    );
    const { code, stdout } = await commands.update('revised.csv', '--preview');
    expect([code, stdout]).toEqual([
      3,
      expect.stringMatching(
        /^line 2, article-9: TITLE "New 9" -> "Newer"\nline 3, article-9: TITLE "Newer" -> "New 9"\nline 4, article-9: would fail: /u,
      ),
    ]);
  });
});
