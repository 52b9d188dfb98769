import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownOutcome } from '../../../src/cli/bulk-update/gateway/job-operations.ts';
import { failedPathOf, failedRowsOf, writeFailedRows } from '../../../src/cli/bulk-update/report/failed-rows.ts';
import type { InputFormat } from '../../../src/cli/bulk-update/rows/input-file.ts';
import { parseRow, type RowsOptions, readInputRows } from '../../../src/cli/bulk-update/rows/read-rows.ts';
import { inputOf } from './input-text.ts';

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

const optionsOf = (format: InputFormat, text: string): RowsOptions => ({
  file: inputOf(text, 5),
  format,
  mapping: new Map([['Owner', null]]),
});

async function* inOrder<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

describe('the file of failed rows', () => {
  it.each(['csv', 'json', 'ndjson'] as const)('can be read again: %s', async (format) => {
    const path = join(folder, `failed.${format}`);
    const failed = failedRowsOf(optionsOf(format, INPUTS[format]), inOrder(outcomes));
    expect(await writeFailedRows({ path, format, jobId: 'job-1' }, failed)).toEqual({ ok: true, value: undefined });
    const options = optionsOf(format, await readFile(path, 'utf8'));
    const updates = [];
    const reasons = [];
    for await (const row of readInputRows(options, options.file.read().text)) {
      const parsed = row.ok ? parseRow(row.value, options) : row;
      updates.push(parsed.ok && 'json' in parsed.value ? JSON.parse(parsed.value.json) : parsed);
      reasons.push(row.ok ? [row.value.members['_outcome'], row.value.members['_reason']] : row);
    }
    expect(updates).toEqual([
      { articleId: 'b', title: 'B, "b"' },
      { articleId: 'd', title: 'D\nd' },
    ]);
    expect(reasons).toEqual([
      ['FAILED', `'=1+1, "no"`],
      ['NOT_ATTEMPTED', 'CANCELLED'],
    ]);
  });

  it('never replaces a file', async () => {
    const path = join(folder, 'there.csv');
    const write = () => writeFailedRows({ path, format: 'csv', jobId: 'job-1' }, inOrder([]));
    await write();
    expect(await write()).toMatchObject({ ok: false });
  });

  it('stands beside the input', () => {
    expect(failedPathOf('some/articles.csv', 'csv')).toBe('some/articles.failed.csv');
    expect(failedPathOf('articles', 'ndjson')).toBe('articles.failed.ndjson');
    expect(failedPathOf('-', 'json')).toBe('bulk-update.failed.json');
  });
});
