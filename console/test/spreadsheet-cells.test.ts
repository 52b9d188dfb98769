import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../src/cli/bulk-update/csv-rows.ts';
import { readRows } from '../../src/cli/bulk-update/input-rows.ts';
import { csvRecord, fromSpreadsheetCell, toSpreadsheetCell } from '../../src/core/base/spreadsheet-cells.ts';
import { csvText, parseRows } from '../src/articles/csv-rows.ts';

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
        const [row] = parseRows(file);
        expect(row).toMatchObject(members);
        for (const delimiter of [',', ';', '\t'])
          expect([delimiter, cellsOf(file, delimiter).filter((one) => FORMULA.test(one))]).toEqual([delimiter, []]);
        // As a spreadsheet saves it that separates cells by semicolons.
        const records: string[][] = parse(file, { record_delimiter: ['\r\n', '\n', '\r'] });
        const saved = records
          .map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(';'))
          .join('\r\n');
        const [again] = parseRows(saved.replace('"articleId"', 'articleId'));
        expect(again).toMatchObject(members);
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

  it('are written by the console as by the command line', () => {
    fc.assert(
      fc.property(id, cell, (articleId, title) => {
        const written = csvLine({ articleId, title }, { isFirst: true, isForSpreadsheet: true });
        expect(csvText(['articleId', 'title'], [[articleId, title]])).toBe(written);
      }),
    );
    expect(csvRecord([''])).toBe('""\r\n');
  });
});
