import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readInput } from '../../../src/cli/bulk-update/input-rows.ts';
import { csvLine } from '../../../src/core/sheets/spreadsheet-cells.ts';
import { temporaryFolder } from '../../store/store.ts';
import { needs } from '../../support/needs.ts';

function isInstalled(): boolean {
  try {
    execFileSync('soffice', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const FORMULAS = ['=1+1', '+1+1', '-1+A1', '@SUM(A1)', '=HYPERLINK("http://127.0.0.1/";"x")', "=cmd|'/c calc'!A0"];
const BEFORE = [
  '',
  ' ',
  '\u00a0',
  '\u200b',
  '"',
  '""',
  '\t',
  '\r',
  '\n',
  '\r\n',
  ';',
  'x;',
  'x,',
  'x\t',
  'x\n',
  'x";',
  'x"\n',
  "';",
];
const CELLS = FORMULAS.flatMap((formula) => BEFORE.map((before) => before + formula));

/** The codes of the signs that separate cells, and of the one around texts. */
const SEPARATORS = { commas: '44,34', semicolons: '59,34', tabs: '9,34', 'semicolons without quotation marks': '59,' };

/** The formulas that LibreOffice makes of the cells of two files: that of the command, and one with the cells as they are. */
function formulasOf(separator: string) {
  const folder = temporaryFolder();
  const rows = CELLS.map((content, index) => ({ articleId: `a${index}`, content }));
  for (const isForSpreadsheet of [true, false]) {
    const lines = rows.map((row, index) => csvLine(row, { isFirst: index === 0, isForSpreadsheet }));
    writeFileSync(join(folder, isForSpreadsheet ? 'safe.csv' : 'plain.csv'), lines.join(''));
  }
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
  // UTF-8, from line 1 on, with numbers detected and formulas evaluated.
  const filter = `--infilter=CSV:${separator},76,1,,0,false,true,false,false,false,-1,true`;
  const args = [profile, '--headless', filter, '--convert-to', 'fods', '--outdir', folder];
  execFileSync('soffice', [...args, join(folder, 'safe.csv'), join(folder, 'plain.csv')], { stdio: 'ignore' });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').match(/table:formula="[^"]*"/gu) ?? [];
  return { safe: read('safe.fods'), plain: read('plain.fods') };
}

/** Texts that LibreOffice would make numbers, dates or times of, and some that it leaves alone. */
const TEXTS = [
  '0042',
  '1/2',
  '3-4',
  '12:30',
  '1E5',
  '50%',
  '1.5',
  '1,5',
  '2024-01-31',
  '12345678901234567',
  '42',
  'A1',
];

/** The texts after LibreOffice has opened the file of the command and saved it as CSV, in a language by its number. */
function savedTexts(language: number): readonly unknown[] {
  const folder = temporaryFolder();
  const lines = TEXTS.map((title, index) =>
    csvLine({ articleId: `a${index}`, title }, { isFirst: index === 0, isForSpreadsheet: true }),
  );
  writeFileSync(join(folder, 'texts.csv'), lines.join(''));
  const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
  const filter = `--infilter=CSV:44,34,76,1,,${language},false,true,false,false,false,-1,true`;
  const saved = `csv:Text - txt - csv (StarCalc):59,34,76,1,,${language},false,true,false`;
  const convert = (args: readonly string[], file: string) =>
    execFileSync('soffice', [profile, '--headless', ...args, '--outdir', folder, join(folder, file)], {
      stdio: 'ignore',
    });
  convert([filter, '--convert-to', 'ods'], 'texts.csv');
  convert(['--convert-to', saved], 'texts.ods');
  const input = readInput(join(folder, 'texts.csv'), { format: 'csv', mapping: new Map() });
  if (!input.ok) throw new Error(input.error);
  return TEXTS.map((_, index) => input.value.rows.at(index)?.update.title);
}

const NEEDS_OFFICE = needs(isInstalled(), 'LibreOffice (soffice) is not installed');

describe('CSV for spreadsheets in LibreOffice', NEEDS_OFFICE, () => {
  it.each(Object.entries(SEPARATORS))('has no formula where cells are separated by %s', (_, separator) => {
    const { safe, plain } = formulasOf(separator);
    expect(plain).not.toEqual([]);
    expect(safe).toEqual([]);
  });

  it.each([
    ['English', 1033],
    ['German', 1031],
  ])('keeps texts that look like numbers or dates, in %s', (_, language) => {
    expect(savedTexts(language)).toEqual(TEXTS);
  });
});
