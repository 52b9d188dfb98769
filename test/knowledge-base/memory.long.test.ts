import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../backend/local/store.ts';

const MIB = 1024 ** 2;
const SIZE = 12 * MIB;

/** As many of the parts, which have their number, as the size takes. */
function filled(partOf: (index: number) => string, size = SIZE): string {
  const parts: string[] = [];
  for (let length = 0; length < size; length += (parts.at(-1)?.length ?? 0) + 1) parts.push(partOf(parts.length));
  return parts.join(',');
}

const articles = (items: string): string => `{"articles":[${items}]}`;

const article = (content: string) => (index: number) =>
  JSON.stringify({
    ...{ id: `a${index}`, project_version_id: 'v', hidden: false, content_type: 'markdown' },
    versions: [{ lang_code: 'en', version_number: 1, title: 't', content }],
  });

const reader = (index: number): string =>
  JSON.stringify({
    reader_id: `4a929304-363f-5d13-a473-${index}`,
    first_name: `Ada${index}`,
    last_name: `Fern${index}`,
    email: `ada.fern.${index}@example.com`,
  });

const group = (ids: string): string =>
  `{"reader_groups":[{"reader_group_id":"g","title":"G","associated_readers":[${ids}],"access_scope":{"access_level":3}}]}`;

/** Each shape once made a process of a gigabyte, or was near to it. */
const SHAPES: Readonly<Record<string, () => string>> = {
  'empty objects': () => articles(filled(() => '{}')),
  'empty objects in one entry': () => articles(`{"versions":[${filled(() => '{}', 6 * MIB)}]}`),
  'wrong IDs in one entry': () => articles(`{"versions":[{"authors":[${filled(() => '1', MIB)}]}]}`),
  brackets: () => '['.repeat(SIZE),
  'brackets in a list': () => `{"articles":${'['.repeat(SIZE)}`,
  'the smallest entries': () => `{"readers":[${filled((index) => `{"reader_id":"${index}"}`)}]}`,
  readers: () => `{"readers":[${filled(reader)}]}`,
  'readers of one group': () => group(filled((index) => `"4a929304-363f-5d13-a473-${index}"`, 7 * MIB)),
  'one long text': () => `{"source":"${'x'.repeat(SIZE)}"}`,
  'long texts of two bytes a character': () => articles(filled(article(`${'x'.repeat(7 * MIB)}😀`))),
  escapes: () => articles(filled(article('\n"\\'.repeat(MIB)))),
  numbers: () => articles(filled(() => '1')),
  'numbers that belong to nothing': () => `{"x":[${filled(() => '1.5')}]}`,
  'names in one entry': () => articles(`{${filled((index) => `"k${index}":1`, 7 * MIB)}}`),
  'names of members': () => `{${filled((index) => `"k${index}":1`)}}`,
  'entries of all kinds': () => articles(filled((index) => `{"k${index}":1}`)),
  'names that stand twice': () => articles(filled(() => '{"id":1,"id":2,"id":3}')),
  spaces: () => articles(' '.repeat(SIZE)),
  'characters U+0000': () => '\0'.repeat(SIZE),
  'escaped characters U+0000': () => `{"source":"${'\\u0000'.repeat(MIB)}"}`,
};

describe('the memory that reading a knowledge base takes', () => {
  it.each(Object.keys(SHAPES))('is at most three times its size and 150 MB: %s', (shape) => {
    const text = SHAPES[shape]?.() ?? '';
    const path = join(temporaryFolder(), 'kb.json.gz');
    writeFileSync(path, gzipSync(text, { level: 1 }));
    const output = execFileSync(process.execPath, ['test/knowledge-base/read-in-child.ts', 'kb', path], {
      encoding: 'utf8',
    });
    const { megabytes, result } = JSON.parse(output);
    expect([result, megabytes]).toEqual([result, expect.any(Number)]);
    expect(megabytes).toBeLessThanOrEqual((3 * Buffer.byteLength(text)) / 1e6 + 150);
  });
});
