import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandFolder, openCommandFolder } from '../../support/command-folder.ts';
import { runGateway } from '../../support/process.ts';

const FIXTURE = resolve('test/fixtures/knowledge-base.json');

let commands: CommandFolder;

beforeAll(async () => {
  commands = await openCommandFolder(await readFile(FIXTURE, 'utf8'));
});
afterAll(() => commands.close());

const linesOf = async (name: string) => (await readFile(join(commands.folder, name), 'utf8')).trimEnd().split('\r\n');

describe('export --csv', () => {
  it('writes the latest version of each article in each language, which bulk-update reads as no change', async () => {
    const exported = await commands.run('export', 'all.csv', '--csv');
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(exported.stdout).toMatch(/^all\.csv has 9 rows\.\n.*main\.ts bulk-update all\.csv --preview\n$/u);
    const [header, ...rows] = await linesOf('all.csv');
    expect(header).toBe('articleId,languageCode,title,categoryId,hidden,translationStatus,order,revision');
    expect(rows).toHaveLength(9);
    expect(rows).toContainEqual(expect.stringMatching(/^a1,en,a1 en 2,\w+,false,NONE,1,[\w-]{16}$/u));
    expect((await stat(join(commands.folder, 'all.csv'))).mode & 0o777).toBe(0o600);
    const preview = await commands.run('bulk-update', 'all.csv', '--preview');
    expect(preview).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^change nothing: line 2, .*\n.*^unchanged +9$/msu),
    });
  });

  it('writes texts in columns of any names, and bulk-update shows by lines what was edited', {
    tags: 'long',
  }, async () => {
    const columns = ['--columns', 'Article=articleId,Text=content,Draft=hidden'];
    expect(await commands.run('export', 'texts.csv', '--csv', '--for-spreadsheet', ...columns)).toMatchObject({
      code: 0,
    });
    const [header = '', ...rows] = await linesOf('texts.csv');
    expect(header).toBe('\ufefflanguageCode,Article,Text,Draft,_for_spreadsheet');
    expect(rows).toContainEqual(expect.stringMatching(/^en,a2,"Text of a2 .*",false,$/u));
    const edited = [header, 'en,a2,"Text of\n\nthe second",WAHR,', 'en,no-such-article,x,nein,', 'en,a2,,,'].join(
      '\r\n',
    );
    await writeFile(join(commands.folder, 'edited.csv'), edited);
    const preview = await commands.run('bulk-update', 'edited.csv', '--preview', ...columns);
    expect(preview.code).toBe(3);
    expect(preview.stderr).toMatch(/warning: rows that set no property to a value, .*: line 6\.$/mu);
    expect(preview.stderr).toMatch(/warning: rows that name an article again, .*: line 6\.$/mu);
    expect(preview.stdout).toMatch(
      /^line 2, a2: HIDDEN false -> true\n {2}CONTENT\n {4}line 1:\n {4}- Text of a2 .*\n {4}\+ Text of\n {4}\+ \n {4}\+ the second\n/u,
    );
    expect(preview.stdout).toMatch(
      /^change nothing: line \d\nline 5, no-such-article: would fail: .*\nwould change +1\n/mu,
    );
    const failures = await commands.run('bulk-update', 'edited.csv', '--preview', '--only-failures', ...columns);
    expect(failures).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^line 5, no-such-article: .*\nwould change/u),
    });
    expect(await commands.run('bulk-update', 'edited.csv', ...columns)).toMatchObject({ code: 3 });
    const jobs = await commands.run('bulk-update', '--jobs');
    expect(jobs).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S+ {2}COMPLETED {2}2 rows: 1 updated, 1 failed {2}\S+\n$/u),
    });
  });

  it.each([
    [['all.json', '--csv'], 'ends in .csv'],
    [['x.csv', '--csv', '--columns', 'titel'], 'is title meant?'],
    [['x.csv', '--csv', '--columns', 'source'], 'source is nothing that can be read'],
    [['x.csv', '--csv', '--columns', 'A=title,B=title'], 'both set title'],
    [['x.csv', '--csv', '--columns', 'Owner='], '"Owner" is nothing that can be read'],
    [['x.csv', '--csv', '--columns', '_x=title'], 'bulk-update ignores the column "_x"'],
    [['x.json', '--columns', 'title'], 'are for --csv'],
    [['all.csv', '--csv'], 'the file exists already'],
  ])('refuses %j, and writes nothing', { tags: 'long' }, async (args, problem) => {
    expect(await commands.run('export', ...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(problem) });
    await expect(stat(join(commands.folder, 'x.csv'))).rejects.toThrow('ENOENT');
  });
});

describe('messages that name a command', () => {
  const wrong = (settings: Readonly<Record<string, string>>, main?: string) =>
    runGateway(['bulk-update', 'a.xlsx'], { cwd: commands.folder, settings, ...(main !== undefined && { main }) });

  it('name one that works in the folder, by npm, and by npx', { tags: 'long' }, async () => {
    expect((await wrong({})).stderr).toMatch(/^node \S*src\/main\.ts bulk-update --help lists/mu);
    expect((await wrong({ npm_lifecycle_event: 'start' })).stderr).toMatch(/^npm run bulk-update -- --help lists/mu);
    for (const [folder, command] of [
      ['node_modules/.bin', 'npx kb-gateway'],
      ['bin', 'kb-gateway'],
    ] as const) {
      await mkdir(join(commands.folder, folder), { recursive: true });
      await symlink(resolve('src/main.ts'), join(commands.folder, folder, 'kb-gateway'));
      const { stderr } = await wrong({}, join(commands.folder, folder, 'kb-gateway'));
      expect(stderr).toMatch(new RegExp(`^${command} bulk-update --help lists`, 'mu'));
    }
  });

  it('are about scripts that the package has', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
    const { stdout } = await runGateway(['--help'], {
      cwd: commands.folder,
      settings: { npm_lifecycle_event: 'start' },
    });
    const named = [...stdout.matchAll(/npm run (\S+)/gu)].map(([, name]) => name ?? '');
    const running = Object.keys(scripts).filter((name) => scripts[name].endsWith(` src/main.ts ${name}`));
    expect(running).toContain('bulk-update');
    expect([...new Set(named)].toSorted()).toEqual(running.toSorted());
  });
});
