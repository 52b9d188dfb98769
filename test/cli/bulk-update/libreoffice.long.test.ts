import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
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

const NEEDS_OFFICE = needs(isInstalled(), 'LibreOffice (soffice) is not installed');

describe('CSV for spreadsheets in LibreOffice', NEEDS_OFFICE, () => {
  it.each(Object.entries(SEPARATORS))('has no formula where cells are separated by %s', (_, separator) => {
    const { safe, plain } = formulasOf(separator);
    expect(plain).not.toEqual([]);
    expect(safe).toEqual([]);
  });
});
