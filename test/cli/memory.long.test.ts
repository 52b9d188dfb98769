import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../store/store.ts';

const MIB = 1024 ** 2;

/** As many of the parts, which have their number, as the size takes. */
function filled(partOf: (index: number) => string, size: number, separator = ','): string {
  const parts: string[] = [];
  for (let length = 0; length < size; length += (parts.at(-1)?.length ?? 0) + 1) parts.push(partOf(parts.length));
  return parts.join(separator);
}

const articles = (items: string): string =>
  `{"project_versions":[{"id":"v","name":"v","is_default":true}],"languages":[{"project_version_id":"v","code":"en","name":"en","is_default":true}],"articles":[${items}]}`;

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

/** A large entry, of which one character makes the text take two bytes for each. */
const LARGE = article(`${'x'.repeat(20 * MIB - 200)}😀`);

const row = (index: number): string => `{"articleId":"a${index}","order":1}`;
const longRow = (index: number): string => `{"articleId":"a${index}","content":"${'x'.repeat(7 * MIB)}"}`;

type Shapes = Readonly<Record<string, () => string>>;

const KNOWLEDGE_BASES: Shapes = {
  'empty objects': () => articles(filled(() => '{}', 16 * MIB)),
  'empty objects in one entry': () => articles(`{"versions":[${filled(() => '{}', 16 * MIB)}]}`),
  'wrong IDs in one entry': () => articles(`{"versions":[{"authors":[${filled(() => '1', MIB)}]}]}`),
  brackets: () => '['.repeat(25 * MIB),
  'brackets in a list': () => `{"articles":${'['.repeat(25 * MIB)}`,
  'the smallest entries': () => `{"readers":[${filled((index) => `{"reader_id":"${index}"}`, 16 * MIB)}]}`,
  readers: () => `{"readers":[${filled(reader, 16 * MIB)}]}`,
  'readers of one group': () => group(filled((index) => `"4a929304-363f-5d13-a473-${index}"`, 18 * MIB)),
  'one large text': () => `{"source":"${'x'.repeat(25 * MIB)}"}`,
  'a large article': () => articles(LARGE(1)),
  'large articles': () => articles(filled(LARGE, 25 * MIB)),
  escapes: () => articles(filled(article('\n"\\'.repeat(MIB)), 16 * MIB)),
  'names in one entry': () => articles(`{${filled((index) => `"k${index}":1`, 16 * MIB)}}`),
  spaces: () => articles(' '.repeat(16 * MIB)),
};

const MORE_ROWS = 'more rows than a job has';

const CSV: Shapes = {
  'empty rows': () => `articleId,order\n${'\n'.repeat(16 * MIB)}`,
  [MORE_ROWS]: () => `articleId\n${'a\n'.repeat(8 * MIB)}`,
  'as many rows as a job has': () => `articleId,order\n${Array.from({ length: 1e6 }, (_, n) => `a${n},1`).join('\n')}`,
  'a million columns': () => `${filled((index) => `c${index}`, 7 * MIB)}\na,b\n`,
  'millions of cells in a row': () => `articleId,order\n${','.repeat(8 * MIB)}\n`,
  'a huge cell': () => `articleId,title\na,${'x'.repeat(16 * MIB)}\n`,
  'two large cells': () =>
    `articleId,content\n${filled((index) => `a${index},${'x'.repeat(7 * MIB)}😀`, 14 * MIB, '\n')}`,
  'large cells': () => `articleId,content\n${filled((index) => `a${index},${'x'.repeat(7 * MIB)}😀`, 56 * MIB, '\n')}`,
  'a quotation mark that is not closed': () => `articleId,title\na,"${'x\n'.repeat(8 * MIB)}`,
};

const JSON_ROWS: Shapes = {
  'small rows': () => `[${filled(row, 4 * MIB)}]`,
  'empty objects': () => `[${filled(() => '{}', 16 * MIB)}]`,
  brackets: () => '['.repeat(25 * MIB),
  'a huge text': () => `[{"articleId":"a","title":"${'x'.repeat(16 * MIB)}"}]`,
  'large texts': () => `[${filled(longRow, 14 * MIB)}]`,
};

const NDJSON_ROWS: Shapes = {
  'empty lines': () => '\n'.repeat(16 * MIB),
  brackets: () => '['.repeat(25 * MIB),
  'large texts': () => filled(longRow, 14 * MIB, '\n'),
};

type Folders = Readonly<Record<string, (write: (name: string, text: string) => void) => void>>;

const repeated = (count: number, work: (index: number) => void) => {
  for (let index = 0; index < count; index += 1) work(index);
};

const FOLDERS: Folders = {
  'ten thousand files': (write) => repeated(10_000, (index) => write(`${index}.md`, 'x')),
  'as many names as front matter takes': (write) =>
    repeated(500, (index) =>
      write(`${index}.md`, `---\n${filled((name) => `k${index}x${name}:`, 16_000, '\n')}\n---\n`),
    ),
  'one huge file': (write) => write('a.md', `😀${'x'.repeat(16 * MIB)}`),
  'one huge file of line ends': (write) => write('a.md', '\r\n'.repeat(8 * MIB)),
  'large files': (write) => repeated(64, (index) => write(`${index}.md`, `---\ntitle: t\n---\n${'x'.repeat(MIB)}😀`)),
};

let compiled: string;

/** Users run no sources, and Node's compiler of TypeScript takes some 30 MB. */
beforeAll(async () => {
  const build = await rolldown({ input: 'test/cli/read-in-child.ts', platform: 'node' });
  compiled = mkdtempSync(join(tmpdir(), 'kb-gateway-compiled-'));
  await build.write({ dir: compiled, format: 'esm', entryFileNames: 'child.mjs', chunkFileNames: '[name].mjs' });
  await build.close();
});
afterAll(() => rmSync(compiled, { recursive: true }));

/** The memory that reading takes: so many times the size, and so many MB. */
type Bound = readonly [factor: number, megabytes: number];

/** A knowledge base is parsed as a whole. */
const BOUND_OF_KNOWLEDGE_BASE: Bound = [5, 250];

/** The smallest rows take 500 to 700 bytes each, as the garbage collector comes, and there are at most a million. */
const BOUND_OF_CSV: Bound = [3, 800];
const BOUND: Bound = [3, 150];

const limitOf = ([factor, megabytes]: Bound, bytes: number): number => (factor * bytes) / 1e6 + megabytes;

/** Reads a file or folder in a process of its own, within so many MB. */
async function expectBounded(kind: string, path: string, limit: number) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(compiled, 'child.mjs'), kind, path]);
  const { megabytes, result } = JSON.parse(stdout);
  expect([result, megabytes]).toEqual([result, expect.any(Number)]);
  expect(megabytes, result).toBeLessThanOrEqual(limit);
  return result;
}

describe('the memory that reading a knowledge base takes, at most five times its size and 250 MB', () => {
  it.each(Object.entries(KNOWLEDGE_BASES))('%s', async (_, make) => {
    const text = make();
    const path = join(temporaryFolder(), 'kb.json.gz');
    writeFileSync(path, gzipSync(text, { level: 1 }));
    await expectBounded('kb', path, limitOf(BOUND_OF_KNOWLEDGE_BASE, Buffer.byteLength(text)));
  });
});

describe.each([
  ['csv', BOUND_OF_CSV, CSV],
  ['json', BOUND, JSON_ROWS],
  ['ndjson', BOUND, NDJSON_ROWS],
])('the memory that reading the rows of %s takes, at most %j', (format, bound, shapes) => {
  it.each(Object.entries(shapes))('%s', async (shape, make) => {
    const path = join(temporaryFolder(), 'rows');
    writeFileSync(path, make());
    const result = await expectBounded(format, path, limitOf(bound, statSync(path).size));
    if (shape === MORE_ROWS)
      expect(result).toContain('more than 1000000 rows, which is the largest job (MAX_JOB_ITEMS)');
  });
});

describe('the memory that reading a folder takes, at most three times its size and 150 MB', () => {
  it.each(Object.entries(FOLDERS))('%s', async (_shape, fill) => {
    const folder = join(temporaryFolder(), 'docs');
    mkdirSync(folder);
    let bytes = 0;
    fill((name, text) => {
      writeFileSync(join(folder, name), text);
      bytes += Buffer.byteLength(text);
    });
    await expectBounded('folder', folder, limitOf(BOUND, bytes));
  });
});
