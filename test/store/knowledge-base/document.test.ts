import { describe, expect, it } from 'vitest';
import { documentBytes, documentText } from '../../../src/store/knowledge-base/document.ts';

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const found = [];
  for await (const chunk of chunks) found.push(chunk);
  return found;
}

describe('documentBytes', () => {
  it('ends with what an import would read at most', async () => {
    const text = 'x'.repeat(2 * 1024 * 1024);
    expect(await collect(documentBytes(pieces(text), 2 * 1024 * 1024))).toHaveLength(1);
    await expect(collect(documentBytes(pieces(text, 'x'), 2 * 1024 * 1024))).rejects.toThrow(
      /^The knowledge base takes more than 2 MiB, which no import reads\.$/u,
    );
  });
});

it('an entry that no import would read is named by its list and its ID', async () => {
  const article = (content: string) => ({
    ...{ id: 'long', project_version_id: 'v', category_id: null, slug: null, order: null, hidden: false },
    ...{
      content_type: 'markdown' as const,
      versions: [{ lang_code: 'en', version_number: 1, title: 't', content, translation_option: null }],
    },
  });
  const textOf = (content: string) =>
    Array.fromAsync(documentText({ ...emptyKnowledgeBase(), articles: [article(content)] })).then((parts) =>
      parts.join(''),
    );
  expect(await textOf('x'.repeat(19 * 1024 ** 2))).toContain('"long"');
  await expect(textOf('x'.repeat(20 * 1024 ** 2))).rejects.toThrow(
    'The entry long of articles takes more than 20 MiB with all of its texts, which no import reads.',
  );
});

const emptyKnowledgeBase = () => ({
  ...{ source: null, project_versions: [], languages: [], categories: [], team_accounts: [], articles: [] },
  ...{ readers: [], invited_sso_users: [], reader_groups: [] },
});
