import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/core/base/result.ts';
import { type PagedList, paginate } from '../../../src/service/reads/paging.ts';

interface Counted extends PagedList<string> {
  readonly calls: () => number;
}

/** A list with some entries that are not shown. */
function listOf(entries: readonly (string | null)[], pageSize: number, knowsPages = true): Counted {
  let calls = 0;
  return {
    pageSize,
    async readPage(index) {
      calls += 1;
      return ok(knowsPages ? entries.slice(index * pageSize, (index + 1) * pageSize) : entries);
    },
    idOf: (item) => item,
    calls: () => calls,
  };
}

async function readAll(list: PagedList<string>, limit: number) {
  const seen: string[] = [];
  const flags: boolean[][] = [];
  for (let after: string | undefined, more = true; more; ) {
    const page = await paginate(list, { limit, after });
    if (!page.ok) throw new Error(page.error.message);
    seen.push(...page.value.edges.map(({ node }) => node));
    flags.push([page.value.hasPreviousPage, page.value.hasNextPage]);
    after = page.value.edges.at(-1)?.cursor;
    more = page.value.hasNextPage;
  }
  return { seen, flags };
}

const entries = fc
  .array(fc.boolean(), { maxLength: 40 })
  .map((shown) => shown.map((isShown, index) => (isShown ? `id-${index}:ü` : null)));

const size = fc.integer({ min: 1, max: 12 });

describe('a page', () => {
  it('begins where the page before it ends, whatever the sizes', async () => {
    await fc.assert(
      fc.asyncProperty(entries, size, size, async (list, pageSize, limit) => {
        const { seen, flags } = await readAll(listOf(list, pageSize), limit);
        expect(seen).toEqual(list.filter((entry) => entry !== null));
        expect(flags.map(([before]) => before).slice(1)).not.toContain(false);
        expect(flags.slice(0, -1).map(([, after]) => after)).not.toContain(false);
      }),
    );
  });

  it('is the same from a service without paging', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.string({ minLength: 1 })), size, size, async (list, pageSize, limit) => {
        expect((await readAll(listOf(list, pageSize, false), limit)).seen).toEqual(list);
      }),
    );
  });

  it('costs one call for each page of the service that it spans', async () => {
    const list = listOf(['a', 'b', 'c', 'd', 'e'], 2);
    await paginate(list, { limit: 1 });
    expect(list.calls()).toBe(1);
    await paginate(list, { limit: 2 });
    expect(list.calls()).toBe(3);
  });

  it('has a total only where the whole list was read', async () => {
    const part = await paginate(listOf(['a', 'b', 'c'], 2), { limit: 1 });
    const whole = await paginate(listOf(['a', null, 'c'], 2), { limit: 5 });
    expect(part).toMatchObject({ value: { totalCount: null } });
    expect(await (whole.ok && whole.value.totalCount?.())).toEqual(ok(2));
  });
});
