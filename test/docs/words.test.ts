import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readCode, readPages } from './repository-texts.ts';

/** Lists, measurements and reasons are looked up, and read by nobody from the beginning. */
const LOOKED_UP = /^docs\/(?:decisions|reference)\/|^docs\/performance\/measurements\.md$/u;

const wordsOf = (text: string): number => text.split(/\s+/u).filter(Boolean).length;

describe('the pages of docs', async () => {
  const pages = [...(await readPages())].filter(([path]) => path.startsWith('docs/') && !LOOKED_UP.test(path));

  it('have at most 30,000 words together', () => {
    const counts = pages.map(([path, text]) => [path, wordsOf(text)] as const);
    expect(counts.length).toBeGreaterThan(20);
    const largest = counts.toSorted(([, one], [, other]) => other - one).slice(0, 5);
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    expect(total, `the largest: ${largest.map((one) => one.join(' ')).join(', ')}`).toBeLessThanOrEqual(30_000);
  });
});

describe('the address of the repository', () => {
  it('stands in package.json alone', async () => {
    const { repository } = JSON.parse(await readFile('package.json', 'utf8'));
    const address = /github\.com\/[\w-]+\/[\w-]+/u.exec(repository.url)?.[0] ?? 'no address';
    const texts = [...(await readCode()), ...(await readPages())];
    expect(texts.filter(([, text]) => text.includes(address)).map(([path]) => path)).toEqual([]);
  });
});
