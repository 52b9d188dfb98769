import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/core/base/result.ts';
import { startGateway } from '../../support/gateway.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, nodesOf, only, openStore, present, value } from '../store.ts';

const ALL = smallKnowledgeBase.reader_groups.map(({ groupId }) => groupId);

describe('readerGroups', () => {
  it('reads groups whole, of every level', async () => {
    const { backend } = await openStore();
    const found = await backend.readerGroups(caller, ALL);
    expect(found.map(value)).toEqual(smallKnowledgeBase.reader_groups);
  });

  it('returns null for an unknown ID', async () => {
    const { backend } = await openStore();
    const found = await backend.readerGroups(caller, ['nobody', 'none', '']);
    expect(found.map((result) => value(result)?.groupId ?? null)).toEqual([null, 'none', null]);
  });
});

describe('listReaderGroups', () => {
  it('lists them in the order of their creation, five and the rest', async () => {
    const { backend } = await openStore();
    const first = value(await backend.listReaderGroups(caller, { limit: 5 }));
    expect(nodesOf(first).map(({ groupId }) => groupId)).toEqual(ALL.slice(0, 5));
    expect(first).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(await first.totalCount?.()).toEqual(ok(7));
    const { cursor } = present(first.edges.at(-1));
    for (const request of [{ after: cursor }, { skip: 5 }]) {
      const second = value(await backend.listReaderGroups(caller, { limit: 5, ...request }));
      expect(nodesOf(second)).toEqual(smallKnowledgeBase.reader_groups.slice(5));
      expect(second).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    }
  });

  it('refuses a wrong cursor', async () => {
    const { backend } = await openStore();
    expect(await backend.listReaderGroups(caller, { limit: 5, after: 'nonsense' })).toMatchObject({
      ok: false,
      error: { kind: 'validation', issues: [{ path: ['after'] }] },
    });
  });
});

describe('the links of groups and readers', () => {
  it('finds the groups of each reader', async () => {
    const { backend } = await openStore();
    const readers = (await backend.readers(caller, ['r1', 'r6', 'r2'])).map((found) => present(value(found)));
    const pages = (await backend.groupsOfReaders(caller, readers, { limit: 100 })).map(value);
    const expected = [['none', 'category', 'version'], [], ['none', 'language']];
    expect(pages.map((page) => nodesOf(page).map(({ groupId }) => groupId))).toEqual(expected);
    expect((await backend.groupIdsOfReaders(caller, readers)).map(value)).toEqual(expected);
  });

  it('finds the groups of readers that were read without the IDs of their groups', async () => {
    const { backend } = await openStore();
    const [group] = await Promise.all(
      (await backend.readerGroups(caller, ['none'])).map((found) => present(value(found))),
    );
    const below = nodesOf(await only(backend.readersOfGroups(caller, [present(group)], { limit: 100 })));
    expect(below.map(({ readerId, groupIds }) => [readerId, groupIds])).toContainEqual(['r1', null]);
    const readers = below.filter(({ readerId }) => readerId === 'r1');
    const expected = ['none', 'category', 'version'];
    expect(await only(backend.groupIdsOfReaders(caller, readers))).toEqual(expected);
    const page = await only(backend.groupsOfReaders(caller, readers, { limit: 100 }));
    expect(nodesOf(page).map(({ groupId }) => groupId)).toEqual(expected);
  });

  it('finds them page by page', async () => {
    const { backend } = await openStore();
    const reader = present(await only(backend.readers(caller, ['r1'])));
    const readPage = (after?: string) => only(backend.groupsOfReaders(caller, [reader], { limit: 2, after }));
    const first = await readPage();
    expect(nodesOf(first).map(({ groupId }) => groupId)).toEqual(['none', 'category']);
    expect(first).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(await first.totalCount?.()).toEqual(ok(3));
    const second = await readPage(first.edges[1]?.cursor);
    expect(nodesOf(second).map(({ groupId }) => groupId)).toEqual(['version']);
    expect(second).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });
});

describe('a GraphQL query of groups', () => {
  const aliases = (field: string) => Array.from({ length: 50 }, (_, n) => `a${n}: ${field}`).join(' ');

  const open = async () => {
    const { backend, counted } = await openStore();
    const gateway = await startGateway({ backend, local: true, token: 'token' });
    const ask = (query: string) => counted(() => gateway.send(query));
    return { ask };
  };

  const touching = (statements: readonly string[], table: string) => statements.filter((text) => text.includes(table));

  it.each([
    '{ readerGroups(first: 100) { nodes { title } } }',
    '{ readerGroup(groupId: "none") { title } }',
    '{ readers(first: 100) { nodes { groups { nodes { title } } } } }',
  ])('reads neither members nor scopes for titles alone: %s', async (query) => {
    const { ask } = await open();
    const { value: result, statements } = await ask(query);
    expect(result.body.errors).toBeUndefined();
    expect(statements.length).toBeGreaterThan(0);
    expect(touching(statements, 'reader_group_scopes')).toEqual([]);
    expect(touching(statements, 'reader_group_invited_sso_users')).toEqual([]);
  });

  it.each([
    'readerGroup(groupId: "category") { accessScope { rawLevel } readerIds }',
    'readerGroups(first: 10) { nodes { accessScope { rawLevel } readerIds invitedSsoUserIds } }',
  ])('reads the lists of a field with fifty aliases once: %s', async (field) => {
    const { ask } = await open();
    const { value: result, statements } = await ask(`{ ${aliases(field)} }`);
    expect(result.body.errors).toBeUndefined();
    expect(touching(statements, 'reader_group_scopes')).toHaveLength(1);
  });

  it('reads whole groups when members are selected', async () => {
    const { ask } = await open();
    const [group] = smallKnowledgeBase.reader_groups;
    const { value: result } = await ask(
      `{ readerGroup(groupId: "${group?.groupId}") { readerIds invitedSsoUserIds readers { nodes { readerId } } } }`,
    );
    expect(result.body.data?.['readerGroup']).toEqual({
      readerIds: group?.readerIds,
      invitedSsoUserIds: group?.invitedSsoUserIds,
      readers: { nodes: group?.readerIds.map((readerId) => ({ readerId })) },
    });
  });
});
