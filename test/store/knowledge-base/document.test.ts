import { describe, expect, it } from 'vitest';
import { documentBytes } from '../../../src/store/knowledge-base/document.ts';

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
