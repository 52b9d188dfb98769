import { describe, expect, it } from 'vitest';
import type { PageRequest } from '../../../src/core/base/pages.ts';
import { ok } from '../../../src/core/base/result.ts';
import { caller, nodesOf, only, openStore, present, value } from '../store.ts';

describe('readers', () => {
  it('reads readers with their groups in the order of the groups; null for unknown ones', async () => {
    const { backend } = await openStore();
    const found = (await backend.readers(caller, ['r1', 'nobody', 'r6'])).map(value);
    expect(found).toEqual([
      {
        readerId: 'r1',
        firstName: 'Reader',
        lastName: 'r1',
        email: 'R1@Example.com',
        groupIds: ['none', 'category', 'version'],
      },
      null,
      { readerId: 'r6', firstName: 'Reader', lastName: 'r6', email: null, groupIds: [] },
    ]);
  });
});

describe('listReaders', () => {
  const list = async (emailContains: string | null, page: PageRequest) => {
    const { backend } = await openStore();
    const result = value(await backend.listReaders(caller, emailContains, page));
    return {
      ids: nodesOf(result).map(({ readerId }) => readerId),
      total: value(await result.totalCount?.()),
      ...result,
    };
  };

  it.each([
    [null, ['r1', 'r2', 'r3', 'r4', 'r5', 'r6']],
    ['', ['r1', 'r2', 'r3', 'r4', 'r5', 'r6']],
    ['example.com', ['r1', 'r2', 'r3', 'r4', 'r5']],
    ['R3@EX', ['r3']],
    ['%', []],
    ['_', []],
    ['\\', []],
    ["'", []],
    ['x'.repeat(100_000), []],
  ])('finds addresses that contain %j', async (part, expected) => {
    const { ids, total } = await list(part, { limit: 100 });
    expect(ids).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  it('folds the case of letters beyond ASCII', async () => {
    const { backend } = await openStore();
    const added = { reader_id: 'r7', first_name: null, last_name: null, email: 'JÜRGEN@example.com' };
    const knowledgeBase = { project_versions: [], languages: [], categories: [], articles: [], readers: [added] };
    await backend.importKnowledgeBase(
      { ...knowledgeBase, team_accounts: [], invited_sso_users: [], reader_groups: [] },
      () => {},
    );
    const found = value(await backend.listReaders(caller, 'jÜrGe', { limit: 10 }));
    expect(nodesOf(found)).toMatchObject([{ readerId: 'r7' }]);
  });

  it('pages by key, also with a filter', async () => {
    const { backend } = await openStore();
    const first = value(await backend.listReaders(caller, 'example', { limit: 3 }));
    expect(first).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const { cursor } = present(first.edges.at(-1));
    const second = value(await backend.listReaders(caller, 'example', { limit: 3, after: cursor }));
    expect(nodesOf(second).map(({ readerId }) => readerId)).toEqual(['r4', 'r5']);
    expect(second).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });
});

describe('readersOfGroups', () => {
  it('pages each group in the order of its members, by one statement in all', async () => {
    const { backend, counted } = await openStore();
    const groups = (await backend.readerGroups(caller, ['none', 'project', 'version'])).map((found) =>
      present(value(found)),
    );
    const read = () => backend.readersOfGroups(caller, groups, { limit: 2 });
    const { value: results, statements } = await counted(read);
    const pages = results.map(value);
    expect(pages.map((page) => nodesOf(page).map(({ readerId }) => readerId))).toEqual([
      ['r3', 'r1'],
      [],
      ['r1', 'r4'],
    ]);
    expect(pages.map(({ hasNextPage }) => hasNextPage)).toEqual([true, false, false]);
    expect(await Promise.all(pages.map(({ totalCount }) => totalCount?.()))).toEqual([3, 0, 2].map(ok));
    expect(statements).toHaveLength(1);
  });

  const openNone = async () => {
    const { backend } = await openStore();
    const read = async () => present(await only(backend.readerGroups(caller, ['none'])));
    const page = async (request: PageRequest) => only(backend.readersOfGroups(caller, [await read()], request));
    const change = (readerIds: readonly string[]) =>
      backend.updateReaderGroup(caller, { groupId: 'none', title: 'T', accessScope: { level: 'NONE' }, readerIds });
    return { backend, page, change };
  };

  it('continues after the reader of a cursor, at its current position', async () => {
    const { page, change } = await openNone();
    const first = await page({ limit: 1 });
    const after = present(first.edges[0]).cursor;
    value(await change(['r5', 'r4', 'r3', 'r1', 'r2']));
    const second = await page({ limit: 2, after });
    expect(nodesOf(second).map(({ readerId }) => readerId)).toEqual(['r1', 'r2']);
    expect(second).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it('skips nobody when the reader of a cursor has left the group', async () => {
    const { page, change } = await openNone();
    const after = present((await page({ limit: 1 })).edges[0]).cursor;
    value(await change(['r1', 'r2']));
    expect(nodesOf(await page({ limit: 5, after })).map(({ readerId }) => readerId)).toEqual(['r1', 'r2']);
  });

  it('skips entries for page numbers', async () => {
    const { page } = await openNone();
    const last = await page({ limit: 2, skip: 2 });
    expect(nodesOf(last).map(({ readerId }) => readerId)).toEqual(['r2']);
    expect(last).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it.each([
    ['wrong', 'nonsense'],
    ['negative', Buffer.from('[-2,"nobody"]').toString('base64url')],
  ])('refuses a %s cursor', async (_what, after) => {
    const { backend } = await openNone();
    const group = present(await only(backend.readerGroups(caller, ['none'])));
    const [result] = await backend.readersOfGroups(caller, [group], { limit: 1, after });
    expect(result).toMatchObject({ ok: false, error: { kind: 'validation', issues: [{ path: ['after'] }] } });
  });
});
