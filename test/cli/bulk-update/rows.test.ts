import { describe, expect, it } from 'vitest';
import { type ColumnMapping, parseColumns, type UpdateRow } from '../../../src/cli/bulk-update/article-rows.ts';
import { checkRows, type InputFormat } from '../../../src/cli/bulk-update/input-rows.ts';

const mappingOf = (columns: string): ColumnMapping => {
  const mapping = columns === '' ? { ok: true as const, value: new Map() } : parseColumns(columns);
  if (!mapping.ok) throw new Error(mapping.error);
  return mapping.value;
};

const OPTIONS = { format: 'csv', mapping: new Map() } as const;

/** The places and updates of an input. */
function read(format: InputFormat, text: string, columns = '') {
  const rows = checkRows('the input', Buffer.from(text), { format, mapping: mappingOf(columns) });
  if (!rows.ok) throw new Error(rows.error);
  return updatesOf(rows.value.rows);
}

const updatesOf = (rows: readonly UpdateRow[]) => rows.map(({ place, update }) => [place, update]);

function problemsOf(format: InputFormat, text: string, columns = ''): readonly string[] {
  const checked = checkRows('the input', Buffer.from(text), { format, mapping: mappingOf(columns) });
  return checked.ok ? [] : checked.error.split('\n').slice(1);
}

describe('rows of CSV', () => {
  it('have quotes, line ends and empty cells as RFC 4180 has them', () => {
    const text = 'articleId,title,content\r\na,"Say ""hi"", then","two\r\nlines"\r\n\r\nb,,""\nc,x y,z';
    expect(read('csv', text)).toEqual([
      ['line 2', { articleId: 'a', title: 'Say "hi", then', content: 'two\r\nlines' }],
      ['line 5', { articleId: 'b' }],
      ['line 6', { articleId: 'c', title: 'x y', content: 'z' }],
    ]);
  });

  it('have values of the type of their field, and \\N for null', () => {
    const text = 'articleId,hidden,order,versionNumber,translationStatus,categoryId\na,TRUE,3,2,TRANSLATED,\\N\n';
    expect(read('csv', text)).toEqual([
      [
        'line 2',
        {
          articleId: 'a',
          hidden: true,
          order: 3,
          versionNumber: 2,
          translationStatus: 'TRANSLATED',
          categoryId: null,
        },
      ],
    ]);
  });

  it.each([
    [true, 'true YES y 1 on WAHR Ja VRAI oui VERDADERO Sí VERO sim WAAR PRAWDA'],
    [false, 'false No n 0 off FALSCH Nein FAUX non FALSO não ONWAAR FAŁSZ'],
  ])('may have %s as people and spreadsheets write it', (hidden, words) => {
    const lines = words.split(' ').map((word) => `a,${word}\n`);
    const updates = read('csv', `articleId,hidden\n${lines.join('')}`).map(([, update]) => update);
    expect(updates).toEqual(lines.map(() => ({ articleId: 'a', hidden })));
  });

  it.each([
    ['#NAME?', 'a formula that fails'],
    ['#¡VALOR!', 'a formula that fails'],
    ['#DIV/0!', 'a formula that fails'],
    ['#NV', 'a formula that fails'],
    ['Err:508', 'a formula that fails'],
    ['####', 'a narrow column'],
    ['1.23456789012346E+016', 'a spreadsheet has rounded'],
    ['1,23457E+16', 'a spreadsheet has rounded'],
  ])('are a problem with what to do where a spreadsheet has lost the text: %s', (cell, reason) => {
    const [problem, ...others] = problemsOf('csv', `articleId,title,Owner\na,"${cell}",\n`, 'Owner=');
    expect(problem).toContain(`line 2: a: title is ${cell}, `);
    expect([problem, others]).toEqual([expect.stringContaining(reason), []]);
    expect(problemsOf('csv', `articleId,title\n"${cell}",A\n`)).toEqual([
      expect.stringContaining(`line 2: articleId is ${cell}, `),
    ]);
    expect(problemsOf('csv', `articleId,title,Owner\na,A,"${cell}"\nb,"about ${cell}",\n`, 'Owner=')).toEqual([]);
  });

  it('are a problem with both lines where they disagree in what all languages of an article share', () => {
    const text =
      'articleId,languageCode,title,categoryId,hidden,order\nb,de,x,c,TRUE,1\na,de,x,c,TRUE,5\na,en,y,C,FALSE,2\nA,fr,z,,,5\n';
    const others = 'all languages of an article share it. Give both the same value, or leave one of them out.';
    expect(problemsOf('csv', text)).toEqual([
      `  line 4: hidden is false here and true on line 3, and ${others}`,
      `  line 4: order is 2 here and 5 on line 3, and ${others}`,
    ]);
  });

  it('are warned of with their lines where they change nothing, empty a title or name an article again', () => {
    const text = 'articleId,languageCode,title,order\na,,A,\nb,,,\na,de,A,\na,, ,\nc,,,1\n';
    const checked = checkRows('the input', Buffer.from(text), { format: 'csv', mapping: new Map() });
    expect(checked).toMatchObject({
      value: {
        warnings: [
          'warning: rows that set no property to a value, and so change nothing: line 3.',
          'warning: rows that set an empty title: line 5.',
          expect.stringMatching(/^warning: rows that name an article again, .*: line 5\.$/u),
        ],
      },
    });
  });

  it('have columns that are mapped, ignored, or begin with _', () => {
    const text = 'Article ID,Owner,_reason,title\na,Ann,locked,T\n';
    expect(read('csv', text, 'Article ID=articleId,Owner=')).toEqual([['line 2', { articleId: 'a', title: 'T' }]]);
  });

  it.each([
    ['articleId,titel\na,b\n', ['  line 1: an article has no field "titel"; is title meant?', 'Map the column']],
    ['title\nx\n', ['  line 1: no column sets articleId.']],
    ['articleId,title,title\n', ['  line 1: there are two columns "title".']],
    ['articleId,title,\na,T,x\n', ['  line 2: the column 3 has a text here, and no name.']],
    [
      `articleId,content\na,b\nc,${'x'.repeat(32_767)}\n`,
      ['  line 3: c: content has exactly 32767 characters, where spreadsheets cut a text without a word.'],
    ],
    [
      'articleId,title\na,b "c"\n',
      ['  line 2: a cell with a quotation mark must be enclosed in quotation marks', 'in column 2 of the row.'],
    ],
    [
      'articleId,title\na,"b"c\n',
      ['  line 2: text follows the quotation mark that closes a cell, in column 2 of the row.'],
    ],
    [
      'articleId,title\n,b\nc,"d\ne\n',
      [
        '  line 2: articleId must be there',
        '  line 3: a quotation mark that opens a cell is not closed, in column 2 of the row.',
      ],
    ],
    ['articleId,hidden,order\na,maybe,0\n', ['  line 2: hidden must be true or false, and not "maybe".']],
    [
      'articleId,order\n,1.5\n',
      ['  line 2: articleId must be there', '  line 2: order must be a whole number, and not "1.5".'],
    ],
    ['articleId,order\na,1.000\n', ['  line 2: order must be a whole number, and not "1.000".']],
  ])('are refused with their lines: %j', (text, expected) => {
    const problems = problemsOf('csv', text);
    expect(problems.join('\n')).toContain(expected[0]);
    for (const part of expected) expect(problems.join('\n')).toContain(part);
  });

  it('have their lines, whatever ends a line within a cell or between rows', () => {
    const text = 'articleId,content\r\n\r\na,"1\r\n2\r\n3"\n"b","1\n2"\r\r\nc,\n';
    expect(read('csv', text)).toEqual([
      ['line 3', { articleId: 'a', content: '1\r\n2\r\n3' }],
      ['line 6', { articleId: 'b', content: '1\n2' }],
      ['line 9', { articleId: 'c' }],
    ]);
  });

  it('have at most so many bytes', () => {
    expect(problemsOf('csv', `articleId,title\na,${'b'.repeat(9 * 1024 ** 2)}\n`)).toEqual([
      '  line 2: the row takes more than 8388608 bytes, or a quotation mark that opens a cell is not closed, in column 2 of the row.',
    ]);
  });

  it('have at most as many cells as spreadsheets have columns', () => {
    expect(problemsOf('csv', `articleId,title\na,T\nb${','.repeat(16_384)}\n`)).toEqual([
      '  line 3: the row has more than 16384 cells.',
    ]);
  });

  it('are the same where they are asked for out of order, in a file of many parts', () => {
    const cells = Array.from({ length: 30_000 }, (_, index) => `a${index},"${index}\n"`);
    const checked = checkRows('the input', Buffer.from(`\uFEFFarticleId,title\n${cells.join('\n')}`), OPTIONS);
    if (!checked.ok) throw new Error(checked.error);
    for (const index of [29_999, 0, 12_345, 12_346, 4_000]) {
      const row = checked.value.rows.at(index);
      expect([row?.place, row?.members]).toEqual([
        `line ${2 * index + 2}`,
        { articleId: `a${index}`, title: `${index}\n` },
      ]);
    }
    expect([checked.value.rows.length, checked.value.rows.at(30_000), checked.value.warnings]).toEqual([
      30_000,
      undefined,
      [],
    ]);
  });

  it('are none in an empty file, or in one that has only a header', () => {
    expect(problemsOf('csv', '')).toEqual(['  line 1: the input has no header with columns.']);
    expect(checkRows('the input', Buffer.from('articleId\n'), { format: 'csv', mapping: new Map() })).toEqual({
      ok: false,
      error: 'the input has no rows.',
    });
  });

  it('are refused where --columns names no column, or two columns set one field', () => {
    expect(problemsOf('csv', 'articleId,title,T\n', 'T=title,U=content')).toEqual([
      '  line 1: there is no column "U", which --columns names.',
      '  line 1: the columns "title" and "T" both set title.',
    ]);
  });
});

describe('rows of JSON', () => {
  const items = '{ "articleId": "a", "title": "[,]\\"}" },\n\n  {"articleId":"b","order":1,"_reason":{"x":[1]}}';
  const rows = [
    ['item 1', { articleId: 'a', title: '[,]"}' }],
    ['item 2', { articleId: 'b', order: 1 }],
  ];

  it('stand in an array, or in the list "articles"', () => {
    expect(read('json', `[${items}]`)).toEqual(rows);
    expect(read('json', `\n{ "articles" :\n [ ${items} ] }\n`)).toEqual(rows);
  });

  it.each([
    ['{"other": []}', 'the input: is no array of articles'],
    ['{"articles": [], "other": []}', 'the input: is no array of articles'],
    ['[{"articleId":"a"}', `the input: the file is no JSON: Expected ',' or ']' after array element`],
    ['[{"articleId":"a"},]', "the input: the file is no JSON: Unexpected token ']'"],
    ['[{"articleId":"a"}] 1', 'the input: the file is no JSON: Unexpected non-whitespace character after JSON'],
    ['[1]', 'item 1: the row is no object'],
    ['[{"articleId":"a"},{"articleId":"a","order":null}]', 'item 2: order must be a number, not null'],
    ['[{"articleId":7}]', 'item 1: articleId must be there, and be a text.'],
    ['[{"articleId":"a","constructor":1}]', 'an article has no field "constructor"'],
  ])('are refused with their places: %.80s', (text, expected) => {
    expect(problemsOf('json', text).join('\n')).toContain(expected);
  });
});

describe('rows of NDJSON', () => {
  it('stand on a line each', () => {
    const text = '{"articleId":"a","categoryId":null}\r\n\n{"articleId":"b"}';
    expect(read('ndjson', text)).toEqual([
      ['line 1', { articleId: 'a', categoryId: null }],
      ['line 3', { articleId: 'b' }],
    ]);
  });

  it('are refused with all of their problems, of which the first hundred are listed', () => {
    const problems = problemsOf('ndjson', '{"articleId":""}\n'.repeat(150));
    expect(problems).toHaveLength(101);
    expect(problems[0]).toBe('  line 1: articleId must not be empty.');
    expect(problems[100]).toBe('  and 50 more.');
  });
});

describe('--columns', () => {
  it.each([
    ['=title', 'has no such form'],
    ['titel', 'is title meant?'],
    ['A=titel', 'is title meant?'],
    ['A=title,A=content', 'twice'],
  ])('refuses %s', (text, expected) => {
    expect(parseColumns(text)).toMatchObject({ ok: false, error: expect.stringContaining(expected) });
  });
});
