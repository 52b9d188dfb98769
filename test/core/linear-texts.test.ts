import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { titleKeyOf } from '../../src/core/articles/articles.ts';
import { articleNamedIn, wordsIn } from '../../src/core/articles/named-articles.ts';
import { cutMarks, indexedWordsOf, parseSearchText } from '../../src/core/articles/search-words.ts';
import { formatJsonLine, formatPrettyLine } from '../../src/core/base/logger.ts';
import { negotiateGraphqlType } from '../../src/core/base/media-types.ts';
import { networkOf } from '../../src/core/base/network.ts';
import { toPrintable, toPrintableJson, toPrintableLines } from '../../src/core/base/printable.ts';
import { closestName, editDistance } from '../../src/core/base/spelling.ts';
import { compareTexts, idProblem, textProblem } from '../../src/core/base/text.ts';
import { HiddenTokens } from '../../src/core/callers/hidden-tokens.ts';
import { decodeTraceHeaders } from '../../src/core/callers/request-facts.ts';
import { RequestSummary } from '../../src/core/callers/request-report.ts';
import { createServiceError } from '../../src/core/notices.ts';
import { readerGroupTitleProblem } from '../../src/core/reader-groups/reader-group-updates.ts';
import { emailPartProblem } from '../../src/core/reader-groups/reader-groups.ts';
import { flagOfCell, wholeNumberOf } from '../../src/core/sheets/cell-values.ts';
import { readSheet } from '../../src/core/sheets/sheet-rows.ts';
import { csvRecord, fromSpreadsheetCell, toSpreadsheetCell } from '../../src/core/sheets/spreadsheet-cells.ts';
import { decodeUpdate } from '../../src/core/writes/codec.ts';
import { ATOMS, describeTextReaders, leastTimeOf, MAX_MS, textOf } from '../support/linear-texts.ts';

function hiddenTokens(): HiddenTokens {
  const tokens = new HiddenTokens();
  tokens.add('a token of a caller');
  return tokens;
}

const sheetOf = (text: string) =>
  Array.from(
    readSheet(Buffer.from(text), { parse, isKnown: () => true, isIgnored: () => false, problemsOf: () => [] }),
  );

describeTextReaders('core', {
  functions: {
    'articles/search-words.ts': [indexedWordsOf, cutMarks, parseSearchText],
    'articles/articles.ts': [titleKeyOf],
    'callers/request-facts.ts': [(text) => decodeTraceHeaders(text, text)],
    'articles/named-articles.ts': [
      (text) => articleNamedIn([createServiceError(`${text}\r\nError: ${text}`)], [{ articleId: text }]),
      wordsIn,
    ],
    'callers/hidden-tokens.ts': [(text) => hiddenTokens().areInPath(text)],
    'callers/request-report.ts': [(details) => new RequestSummary().add({ kind: 'unknown-outcome', details })],
    'base/network.ts': [networkOf],
    'sheets/cell-values.ts': [flagOfCell, wholeNumberOf],
    'sheets/spreadsheet-cells.ts': [toSpreadsheetCell, fromSpreadsheetCell, (text) => csvRecord([text])],
    'sheets/sheet-rows.ts': [sheetOf, (text) => sheetOf(`articleId;title\n${text}`)],
    'reader-groups/reader-group-updates.ts': [readerGroupTitleProblem],
    'reader-groups/reader-groups.ts': [emailPartProblem],
    'base/spelling.ts': [
      (text) => closestName(text, ['articleId', 'categoryId', 'title']),
      (text) => editDistance(text, 'title'),
    ],
    'base/printable.ts': [toPrintable, toPrintableLines, toPrintableJson],
    'base/text.ts': [textProblem, idProblem, (text) => compareTexts(text, `${text}.`)],
    'base/media-types.ts': [negotiateGraphqlType, (text) => negotiateGraphqlType(`application/json;a="${text}`)],
    'base/logger.ts': [
      (text) => formatPrettyLine({ time: '2026-01-01T00:00:00.000Z', level: 'info', message: text, fields: { text } }),
      (text) => formatJsonLine({ time: '2026-01-01T00:00:00.000Z', level: 'info', message: text, fields: { text } }),
    ],
    'writes/codec.ts': [decodeUpdate, (text) => decodeUpdate(JSON.stringify({ articleId: 'a', [text]: text }))],
  },
  withoutLongTexts: [
    // Settings.
    'base/no-proxy.ts',
    'callers/caller.ts',
  ],
});

describe('the words of a text', () => {
  it.each(['\u0300\u0323', '\uFF9E\u0591', '\uFDFA', '\uFDFA\u0591', '\u0344', '\u{1D15E}', 'a\u0323\u0591'])(
    'take little time and stay within their bounds for 200,000 characters of %j',
    async (pattern) => {
      const text = textOf(pattern, 200_000);
      expect(await leastTimeOf(indexedWordsOf, text)).toBeLessThan(MAX_MS);
      expect(Buffer.byteLength(indexedWordsOf(text))).toBeLessThanOrEqual(400_000);
    },
  );

  it('have at most 30 marks in a run, those of a search as those of an index', () => {
    const marks = '\u0591\u05B0'.repeat(60);
    expect(indexedWordsOf(`x${marks}y`)).toBe(`x${marks.slice(0, 30)}y`.normalize('NFC'));
    expect(parseSearchText(`x${marks}y`)).toEqual([{ text: indexedWordsOf(`x${marks}y`), isPrefix: true }]);
  });

  function compareWithUnbounded(numRuns: number): void {
    const plain = (text: string) =>
      text
        .normalize('NFKD')
        .replace(/[\u0300-\u036F]/gu, '')
        .toLowerCase()
        .normalize('NFC');
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom(...ATOMS), fc.string({ unit: 'binary' })),
      maxLength: 100,
    });
    fc.assert(
      fc.property(text, fc.boolean(), (some, isLong) => {
        const whole = isLong ? textOf(`${some} `, 60_000) : some;
        if (cutMarks(whole) !== whole || whole.normalize('NFKD').length > 600_000) return;
        expect(indexedWordsOf(whole)).toBe(indexedWordsOf(plain(whole)));
      }),
      { seed: 33, numRuns },
    );
  }

  it('are the same as without the bounds for other texts', () => compareWithUnbounded(20));

  it('are the same as without the bounds for all other texts', { tags: 'long' }, () => compareWithUnbounded(300));

  it('are the same where all of a text is Latin as beside another alphabet', () => {
    const units = Array.from({ length: 0x2300 }, (_, unit) => String.fromCharCode(unit));
    const latin = units.filter((unit) => unit < '\u0250' || unit >= '\u2000');
    const texts = latin.flatMap((unit) => [unit, `A${unit}b`, `c${unit} ${unit}d`, `É${unit}→`]);
    const differing = texts.filter((text) => `${indexedWordsOf(text)} ж`.trim() !== indexedWordsOf(`${text} ж`));
    expect(differing).toEqual([]);
  });

  it('are of all of a text in Korean', () => {
    expect(indexedWordsOf(`${'\uD7A3'.repeat(190_000)} last`)).toMatch(/ last$/u);
    expect(indexedWordsOf(`${'\uFDFA'.repeat(190_000)} last`)).not.toMatch(/ last$/u);
  });

  it('know every character that begins with a mark once it is decomposed', { tags: 'long' }, () => {
    const unknown: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const decomposed = character.normalize('NFKD');
      const [first = ''] = decomposed;
      // A mark with a class is sorted before U+0345, which has the highest.
      const moves = first !== '\u0345' && !`a\u0345${first}`.normalize('NFD').startsWith('a\u0345');
      if (moves && cutMarks(character.repeat(31)) === character.repeat(31)) unknown.push(code.toString(16));
      expect(decomposed.length).toBeLessThanOrEqual(18 * character.length);
    }
    expect(unknown).toEqual([]);
  });
});
