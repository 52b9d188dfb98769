import { describe, expect, it } from 'vitest';
import { documentBytes } from '../../src/knowledge-base/document.ts';

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const found = [];
  for await (const chunk of chunks) found.push(chunk);
  return found;
}

describe('documentBytes', () => {
  it('joins short pieces and passes long ones on', async () => {
    const long = 'ü'.repeat(70_000);
    const chunks = await collect(documentBytes(pieces('a', 'b', long, 'c', 'd')));
    expect(chunks.map((chunk) => chunk.length)).toEqual([140_002, 2]);
    expect(Buffer.concat(chunks).toString()).toBe(`ab${long}cd`);
  });

  it('ends with what an import would read at most', async () => {
    const text = 'x'.repeat(2 * 1024 * 1024);
    expect(await collect(documentBytes(pieces(text), 2 * 1024 * 1024))).toHaveLength(2);
    await expect(collect(documentBytes(pieces(text, 'x'), 2 * 1024 * 1024))).rejects.toThrow(
      /^The knowledge base takes more than 2 MiB, which no import reads\.$/u,
    );
  });
});
