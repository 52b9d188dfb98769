import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRows } from '../../src/cli/bulk-update/input-rows.ts';
import { utf8Of } from '../../src/core/sheets/sheet-text.ts';
import { csvLine, csvRecord, fromSpreadsheetCell, toSpreadsheetCell } from '../../src/core/sheets/spreadsheet-cells.ts';
import { readSheetRows } from '../src/articles/csv.ts';

const SHEETS = 'test/fixtures/sheets';

const PARTS = [
  '=',
  '+',
  '-',
  '@',
  "'",
  "''",
  '"',
  '""',
  ';',
  ',',
  '\t',
  '\r',
  '\n',
  ' ',
  '\u200b',
  '\uff1d',
  '1',
  'HYPERLINK("x")',
];
const cell = fc.oneof(
  fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
);
/** No article has an empty ID. */
const id = cell.map((text) => `${text}x`);

/** What a program finds that separates cells so. It takes quotation marks for its own where a cell begins with one. */
function cellsOf(text: string, delimiter: string): readonly string[] {
  const options = { delimiter, relax_quotes: true, relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] };
  try {
    const records: string[][] = parse(text, options);
    return records.flat();
  } catch {
    // One that cares for no quotation marks.
    return text.split(new RegExp(`[${delimiter}\r\n]`, 'u'));
  }
}

const FORMULA = /^[\p{Z}\p{C}"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

describe('the cells of CSV for spreadsheets', () => {
  it('are read as they were, and begin no formula, at whatever sign a program separates them', () => {
    fc.assert(
      fc.property(id, cell, cell, (articleId, title, content) => {
        const members = { articleId, title, content };
        const file = csvLine(members, { isFirst: true, isForSpreadsheet: true });
        const [read] = readRows(Buffer.from(file), { format: 'csv', mapping: new Map() });
        expect(read).toMatchObject({ ok: true, value: { members } });
        expect(readSheetRows(Buffer.from(file))).toMatchObject({ value: [{ members }] });
        for (const delimiter of [',', ';', '\t'])
          expect([delimiter, cellsOf(file, delimiter).filter((one) => FORMULA.test(one))]).toEqual([delimiter, []]);
        // As a spreadsheet saves it that separates cells by semicolons.
        const records: string[][] = parse(file, { record_delimiter: ['\r\n', '\n', '\r'] });
        const saved = records
          .map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(';'))
          .join('\r\n');
        expect(readSheetRows(Buffer.from(saved))).toMatchObject({ value: [{ members }] });
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['a;=1', "a;'=1"],
    ['a;"=1"', `a;'"=1"`],
    ['a\t=1', "a\t'=1"],
    ['a\r\n\r\n@x', "a\r\n\r\n'@x"],
    ['\t=1', "'\t'=1"],
    [' \r\n', "' \r\n"],
    ["'a;'b", "''a;''b"],
    ['a; b', 'a; b'],
    ['a = b; c - d', 'a = b; c - d'],
  ])('get an apostrophe where a formula might begin: %j', (text, expected) => {
    expect(fromSpreadsheetCell(toSpreadsheetCell(text))).toBe(text);
    expect(toSpreadsheetCell(text)).toBe(expected);
  });

  it.each(['0042', '1/2', '12:30 PM', '1E5', '50%', '€ 5', '1.5', '1 000', '2024-01-31', '1234567890123456'])(
    'get an apostrophe where a spreadsheet would convert them: %j',
    (text) => expect([toSpreadsheetCell(text), fromSpreadsheetCell(`'${text}`)]).toEqual([`'${text}`, text]),
  );

  it.each([
    '0',
    '42',
    '123456789012345',
    '2-factor',
    '10 things',
    '1. Mai',
    'A1',
    '85ab9ac6-6bd2-4093-a487-552af75f63f5',
  ])('stay as they are where a spreadsheet leaves them alone: %j', (text) =>
    expect(toSpreadsheetCell(text)).toBe(text),
  );

  it.each(readdirSync(SHEETS))('are read by the console as by the command line: %s', (name) => {
    const text = utf8Of(readFileSync(join(SHEETS, name)));
    const rows = text.ok ? readRows(text.value, { format: 'csv', mapping: new Map() }) : [];
    const read = readSheetRows(readFileSync(join(SHEETS, name)));
    expect(read).toEqual(
      text.ok
        ? { ok: true, value: rows.flatMap((row) => (row.ok ? row.value : [])) }
        : { ok: false, error: [`The file ${text.error}`] },
    );
  });

  it('are one empty cell where a record would be an empty line', () => {
    expect(csvRecord([''])).toBe('""\r\n');
  });
});
