import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { paste } from './support/process.ts';

const page = await readFile('docs/reference/log.md', 'utf8');

describe('docs/reference/log.md', () => {
  it('lists every warning and error of the log', async () => {
    const source = await paste("find src -name '*.ts' -exec cat {} +");
    const messages = [...source.matchAll(/\blog\(\s*'(?:warn|error)',\s*'(?<message>[^']+)'/gu)];
    expect(messages.length).toBeGreaterThan(5);
    for (const { groups } of messages) expect(page).toContain(groups?.['message']);
  });
});
