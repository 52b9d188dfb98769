import { describe, expect, it } from 'vitest';
import { sendPages } from '../../../src/cli/bulk-update/article-pages.ts';
import { err, ok } from '../../../src/core/base/result.ts';

const rowsOf = (articleIds: readonly string[], bytes = 10) =>
  articleIds.map((articleId, index) => ({
    place: `line ${index + 2}`,
    members: {},
    update: { articleId, content: '.'.repeat(bytes) },
  }));

/** The positions of the rows of each page that is taken, and the row that an article goes on after. */
async function pagesOf(rows: ReturnType<typeof rowsOf>, takes = (_rows: number) => true) {
  const pages: unknown[] = [];
  const sent = await sendPages(rows, async ({ rows: paged, positions, after }) => {
    expect(paged).toEqual(positions.map((position) => rows[position]));
    if (!takes(positions.length)) return err({ kind: 'too-large', message: 'no', retryAfterMs: 0, issues: [] });
    pages.push(after === null ? positions : [positions, after.place]);
    return ok(undefined);
  });
  return sent.ok ? pages : [...pages, sent.error.kind];
}

const upTo = (count: number, start = 0) => Array.from({ length: count }, (_, index) => start + index);

describe('the pages of a preview', () => {
  it('have all rows of an article, in the order of the file', async () => {
    const half = upTo(300).map((index) => `a${index}`);
    const pages = await pagesOf(rowsOf([...half, ...half.map((id) => id.toUpperCase()), 'a0']));
    expect(pages).toEqual([
      [...upTo(249), ...upTo(249, 300), 600],
      [...upTo(51, 249), ...upTo(51, 549)],
    ]);
  });

  it('are larger for an article that has more rows than a page', async () => {
    expect(await pagesOf(rowsOf(['a', ...upTo(600).map(() => 'b'), 'c', 'b']))).toEqual([
      [0],
      [...upTo(600, 1), 602],
      [601],
    ]);
    const large = rowsOf(['a', 'b', 'a', 'c'], 700_000);
    expect(await pagesOf(large)).toEqual([[0, 2], [1], [3]]);
  });

  it('divide an article that no page has room for, and say where it goes on', async () => {
    const rows = rowsOf(['a', 'a', 'b', 'a', 'b', 'a']);
    expect(await pagesOf(rows, (count) => count <= 3)).toEqual([
      [0, 1],
      [[3, 5], 'line 3'],
      [2, 4],
    ]);
    expect(await pagesOf(rows, (count) => count <= 1)).toEqual([
      [0],
      [[1], 'line 2'],
      [[3], 'line 3'],
      [[5], 'line 5'],
      [2],
      [[4], 'line 4'],
    ]);
    expect(await pagesOf(rows, () => false)).toEqual(['too-large']);
  });

  it('are none where there are no rows', async () => {
    expect(await pagesOf([])).toEqual([]);
  });
});
