import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { paste } from './support/process.ts';

const operations = await readFile('docs/operations.md', 'utf8');

describe('docs/operations.md', () => {
  it('lists every warning and error of the log', async () => {
    const source = await paste("find src -name '*.ts' -exec cat {} +");
    const messages = [...source.matchAll(/\blog\(\s*'(?:warn|error)',\s*'(?<message>[^']+)'/gu)];
    expect(messages.length).toBeGreaterThan(5);
    for (const { groups } of messages) expect(operations).toContain(groups?.['message']);
  });
});
