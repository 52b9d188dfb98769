import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandFolder, openCommandFolder } from '../../support/command-folder.ts';

let commands: CommandFolder;

beforeAll(async () => {
  commands = await openCommandFolder();
});
afterAll(() => commands.close());

const sheet = async (name: string, text: string | Uint8Array, ...args: readonly string[]) => {
  await writeFile(join(commands.folder, name), text);
  return commands.update(name, ...args);
};

describe('a sheet with revisions', () => {
  it('overwrites nobody, unless it is told to', async () => {
    // An imported article has a revision once somebody has changed it.
    expect(await sheet('first.csv', 'articleId,title\npair-a-lamp,Touched\nno-network,Touched\n')).toMatchObject({
      code: 0,
    });
    expect(await commands.run('export', 'rows.csv', '--csv', '--columns', 'title,revision')).toMatchObject({ code: 0 });
    const rows = (await readFile(join(commands.folder, 'rows.csv'), 'utf8')).replaceAll('Touched', 'By the sheet');
    expect(rows).toMatch(/^pair-a-lamp,en,By the sheet,[\w-]{16}\r$/mu);
    expect(await sheet('other.csv', 'articleId,title\npair-a-lamp,By another\n')).toMatchObject({ code: 0 });
    // A change of what the sheet does not have leaves a row that changes nothing as it is.
    const untouched = (rows.match(/^articleId.*\r\n|^no-network,.*\r\n/gmu) ?? [])
      .join('')
      .replace('By the sheet', 'Touched');
    expect(await sheet('content.csv', 'articleId,content\nno-network,By another\n')).toMatchObject({ code: 0 });
    for (const more of [['--preview'], []])
      expect(await sheet('untouched.csv', untouched, ...more)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^unchanged +1$/mu),
      });
    expect(await sheet('edited.csv', rows, '--preview')).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^line \d+, pair-a-lamp: would fail: .*revision/mu),
    });
    const sent = await sheet('edited.csv', rows);
    expect(sent.code).toBe(3);
    expect(sent.stdout).toMatch(/^unchanged +\d+\nupdated +0\nfailed +0\nunknown +0\nnot attempted +2$/mu);
    expect(sent.stdout).toMatch(/^line \d+, pair-a-lamp: NOT_ATTEMPTED: CHANGED_SINCE; /mu);
    expect(await sheet('again.csv', rows, '--ignore-revisions')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^updated +2$/mu),
    });
    expect(await sheet('once-more.csv', rows, '--ignore-revisions')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^rows +\d+\nunchanged +\d+\n$/u),
    });
  });
});

describe('a sheet of a spreadsheet in another language', () => {
  it('is shown and sent with its letters, and is not sent where the next row would undo it', async () => {
    const text = 'articleId;languageCode;title;hidden;;\r\n;;;;;\r\nname-your-rooms\u00a0;en;Räume benennen;WAHR;;\r\n';
    const utf16 = Buffer.from(`\uFEFF${text.replaceAll(';', '\t')}`, 'utf16le');
    expect(await sheet('excel.csv', utf16, '--preview')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^line 3, name-your-rooms: TITLE ".*" -> "Räume benennen"; HIDDEN false -> true$/mu,
      ),
    });
    expect(await sheet('semicolons.csv', `sep=;\r\n${text}`)).toMatchObject({ code: 0 });
    const undone = await sheet('undone.csv', `${text}name-your-rooms;de;;FALSCH;;\r\n`, '--preview');
    expect(undone).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('line 4: hidden is false here and true on line 3, and all languages'),
    });
  });
});
