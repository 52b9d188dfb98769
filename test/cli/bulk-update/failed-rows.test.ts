import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ColumnMapping } from '../../../src/cli/bulk-update/article-rows.ts';
import { writeFailedRows } from '../../../src/cli/bulk-update/failed-rows.ts';
import { checkRows, type InputFormat, readRows } from '../../../src/cli/bulk-update/input-rows.ts';
import type { ShownOutcome } from '../../../src/cli/bulk-update/job.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-gateway-failed-rows-'));
});

afterAll(() => rm(folder, { recursive: true }));

const outcomes: readonly ShownOutcome[] = [
  { __typename: 'ArticleUpdateFailed', index: 1, articleId: 'b', details: '=1+1, "no"', retryable: false },
  {
    __typename: 'ArticleUpdateNotAttempted',
    index: 3,
    articleId: 'd',
    details: null,
    retryable: true,
    reason: 'CANCELLED',
  },
];

const INPUTS: Readonly<Record<InputFormat, string>> = {
  csv: 'articleId,title,Owner,_reason\na,A,x,\nb,"B, ""b""",x,old\nc,C,x,\nd,"D\nd",x,\n',
  json: '[{"articleId":"a"},{"articleId":"b","title":"B, \\"b\\""},{"articleId":"c"},{"articleId":"d","title":"D\\nd"}]',
  ndjson:
    '{"articleId":"a"}\n{"articleId":"b","title":"B, \\"b\\"","_reason":1}\n{"articleId":"c"}\n{"articleId":"d","title":"D\\nd"}\n',
};

const ignoring = (...columns: readonly string[]): ColumnMapping => new Map(columns.map((column) => [column, null]));

/** The rows of a text as they stand there. */
const rowsOf = (format: InputFormat, text: string, mapping: ColumnMapping) =>
  readRows(Buffer.from(text), { format, mapping }).map((row) => {
    if (!row.ok) throw new Error(row.error.message);
    return row.value;
  });

async function* failedRowsOf(rows: ReturnType<typeof rowsOf>, ended: readonly ShownOutcome[]) {
  for (const outcome of ended) {
    const row = rows[outcome.index];
    if (row !== undefined) yield { row, outcome };
  }
}

describe('the file of failed rows', () => {
  it.each(['csv', 'json', 'ndjson'] as const)('can be read again: %s', async (format) => {
    const path = join(folder, `failed.${format}`);
    const mapping = ignoring(...(format === 'csv' ? ['Owner'] : []));
    const failed = failedRowsOf(rowsOf(format, INPUTS[format], mapping), outcomes);
    expect(await writeFailedRows({ path, format, jobId: 'job-1', isForSpreadsheet: false }, failed)).toEqual({
      ok: true,
      value: undefined,
    });
    const text = await readFile(path, 'utf8');
    const read = checkRows(path, Buffer.from(text), { format, mapping });
    const updates = read.ok ? read.value.rows.map(({ update }) => update) : read.error;
    const reasons = rowsOf(format, text, mapping).map(({ members }) => [members['_outcome'], members['_reason']]);
    expect(updates).toEqual([
      { articleId: 'b', title: 'B, "b"' },
      { articleId: 'd', title: 'D\nd' },
    ]);
    expect(reasons).toEqual([
      ['FAILED', format === 'csv' ? `'=1+1, "no"` : '=1+1, "no"'],
      ['NOT_ATTEMPTED', 'CANCELLED'],
    ]);
  });

  it('never replaces a file', async () => {
    const path = join(folder, 'there.csv');
    const write = () =>
      writeFailedRows({ path, format: 'csv', jobId: 'job-1', isForSpreadsheet: false }, failedRowsOf([], []));
    await write();
    expect(await write()).toMatchObject({ ok: false });
  });

  // Node ends a process that leaves the closing of a file to its garbage collection.
  it.skipIf(process.platform !== 'linux')('is closed when it is written, and when its content fails', async () => {
    const broken = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('broken')) }) };
    const write = (name: string, rows: Parameters<typeof writeFailedRows>[1]) =>
      writeFailedRows({ path: join(folder, name), format: 'csv', jobId: 'job-1', isForSpreadsheet: false }, rows);
    await write('closed.csv', failedRowsOf([], []));
    await expect(write('broken.csv', broken)).rejects.toThrow('broken');
    const openFiles = async () => {
      const names = await readdir('/proc/self/fd');
      return Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
    };
    await expect.poll(openFiles).not.toContainEqual(expect.stringContaining(folder));
  });
});

describe('the cells of failed rows in CSV', () => {
  const BLANKS = [
    '',
    ' ',
    '\u00a0',
    '\u2003',
    '\u3000',
    '\ufeff',
    '\u200b',
    '\u2060',
    '\u00ad',
    '\u180e',
    '\u3164',
    '\u0001',
  ];
  const SIGNS = ['=', '+', '-', '@', '\t', '\r', '\uff1d', '\uff0b', '\uff0d', '\uff20'];
  const cell = fc
    .array(
      fc.oneof(
        fc.constantFrom(...BLANKS, ...SIGNS, "'", "''", '"', ';', ',', '\n', '\\N'),
        fc.string({ unit: 'binary' }),
      ),
    )
    .map((parts) => parts.join('').toWellFormed());

  let files = 0;

  interface Writing {
    readonly outcome?: Partial<ShownOutcome>;
    readonly isForSpreadsheet?: boolean;
    readonly ignored?: string;
  }

  /** Writes the first row as it is read, and returns the text of the file. */
  async function write(
    text: string,
    { outcome = {}, isForSpreadsheet = false, ignored }: Writing = {},
  ): Promise<string> {
    files += 1;
    const path = join(folder, `cells-${files}.csv`);
    const failed = { __typename: 'ArticleUpdateFailed', index: 0, articleId: 'a', details: null, retryable: false };
    const mapping = ignoring(...(ignored === undefined ? [] : [ignored]));
    const rows = failedRowsOf(rowsOf('csv', text, mapping), [{ ...failed, ...outcome }]);
    const written = await writeFailedRows({ path, format: 'csv', jobId: '=job', isForSpreadsheet }, rows);
    expect(written).toEqual({ ok: true, value: undefined });
    return readFile(path, 'utf8');
  }

  function firstRow(text: string, ignored?: string): Readonly<Record<string, unknown>> {
    const [first] = rowsOf('csv', text, ignoring(...(ignored === undefined ? [] : [ignored])));
    return first?.members ?? {};
  }

  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

  /** The cells of a text, as a program splits it that separates cells so, and cares for no quotation marks. */
  const splitAt = (text: string, separators: RegExp) => text.split(separators).map((part) => part.replace(/^"+/u, ''));
  const FORMULA = /^[\p{Z}\p{C}\u3164]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

  it('never begin a formula in the columns of the command, wherever a program splits them', {
    tags: 'long',
  }, async () => {
    for (const blank of BLANKS) {
      for (const sign of SIGNS) {
        for (const separator of ['', ';', 'a;', '";', ';"', 'a;""', 'a;;', 'a\n', 'a\t"']) {
          const text = `${separator}${blank}${sign}1`;
          const outcome = { details: text, __typename: text };
          const [, ...lines] = (await write(`articleId,_mine\na,${quoted(text)}\n`, { outcome })).split('\r\n');
          const cells = splitAt(lines.join('\r\n'), /[,;\t\r\n]/u);
          expect([text, cells.filter((one) => FORMULA.test(one))]).toEqual([text, []]);
        }
      }
    }
  });

  it('are what they were in all other columns, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(cell, async (text) => {
        const written = await write(`articleId,title\na,${quoted(text)}\n`);
        expect(firstRow(written)['title']).toBe(text);
      }),
    );
  });

  it('begin no formula at all for a spreadsheet, and are read as they were, as often as they are written', {
    tags: 'long',
  }, async () => {
    const column = cell
      .map((text) => text.trim())
      .filter((text) => text !== '' && text !== 'articleId' && text !== '__proto__' && !text.startsWith('_'));
    await fc.assert(
      fc.asyncProperty(cell, cell, column, async (id, text, ignored) => {
        const articleId = `${id}x`;
        const expected = { articleId, [ignored]: text };
        let file = `articleId,${quoted(ignored)}\n${quoted(articleId)},${quoted(text)}\n`;
        for (let times = 0; times < 3; times += 1) {
          expect(firstRow(file, ignored)).toMatchObject(expected);
          file = await write(file, { isForSpreadsheet: true, ignored });
          const records: string[][] = parseCsv(file);
          expect(records.flat()).toContain('_for_spreadsheet');
          expect(records.flat().filter((one) => FORMULA.test(one) || /^[\t\r]/u.test(one))).toEqual([]);
          for (const separators of [/[;\r\n]/u, /[\t\r\n]/u])
            expect(splitAt(file, separators).filter((one) => FORMULA.test(one))).toEqual([]);
        }
        // Without the option, the next file has no mark, and its cells are those of the first input.
        const plain = await write(file, { ignored });
        expect([plain.includes('_for_spreadsheet'), firstRow(plain, ignored)]).toMatchObject([false, expected]);
      }),
    );
  });

  it('keep apostrophes where no mark says that the command has added them', () => {
    const text = `articleId,title,_prefixed\n'a,"'=1",'\n`;
    expect(firstRow(text)).toEqual({ articleId: "'a", title: "'=1", _prefixed: "'" });
  });

  it('are in quotation marks where they have what separates cells', async () => {
    const written = await write('articleId,title\na,a;b\n', { outcome: { details: 'a;b' } });
    expect(written).toBe('articleId,title,_outcome,_reason,_job\r\na,"a;b",FAILED,"a;b",\'=job\r\n');
  });
});
