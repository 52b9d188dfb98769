import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const run = promisify(execFile);

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kb-gateway-articles-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** The row of an article with the file. */
async function rowOf(file: string): Promise<unknown> {
  await writeFile(join(folder, 'a-1.md'), file);
  const { stdout } = await run(process.execPath, ['examples/publish-docs/rows-of-articles.ts', folder]);
  return JSON.parse(stdout);
}

describe('the rows of the recipe that publishes from CI', () => {
  it.each([
    { name: 'a heading', file: '# Pair *any* lamp \n\nHold it.\n\n## Later\n', title: 'Pair *any* lamp' },
    { name: 'front matter', file: '---\ntitle: Pair\nowner: "me"\n---\n\nHold it.\n\n## Later\n', title: 'Pair' },
    { name: 'both', file: "---\ntitle: 'Other'\n---\n# Pair\nHold it.\n\n## Later\n", title: 'Pair' },
    {
      name: 'what an editor of Windows writes',
      file: '\uFEFF---\r\ntitle: "A: b"\r\n---\r\nHold it.\r\n\r\n## Later',
      title: 'A: b',
    },
    { name: 'empty front matter', file: '---\n---\n# Pair\n\nHold it.\n\n## Later\n', title: 'Pair' },
  ])('have neither the heading nor the front matter in the text: $name', async ({ file, title }) => {
    expect(await rowOf(file)).toEqual({ articleId: 'a-1', title, content: 'Hold it.\n\n## Later\n' });
  });

  it('keep later headings, comments of a shell and rules in the text, and then have no title', async () => {
    const content = 'Run:\n\n```sh\n# as root\n---\n```\n\n---\n\ntitle: none\n\n---\n\n# Later\n';
    expect(await rowOf(content)).toEqual({ articleId: 'a-1', content });
    expect(await rowOf(`---\ntag: x\n---\n${content}`)).toEqual({ articleId: 'a-1', content });
  });

  it('have the whole text where a rule at the beginning ends no front matter', async () => {
    expect(await rowOf('---\n\n# No title\n')).toEqual({ articleId: 'a-1', content: '---\n\n# No title\n' });
  });
});
