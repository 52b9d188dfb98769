import { describe, expect, it } from 'vitest';
import type { PageRequest } from '../../../src/core/base/pages.ts';
import { ok } from '../../../src/core/base/result.ts';
import type { Reader, ReaderGroup } from '../../../src/core/reader-groups/reader-groups.ts';
import { type Behaviour, json, status } from '../../support/faulty-service.ts';
import { callerWith, openScene } from '../../support/rest-scene.ts';

const found = (result: unknown) => json(200, { result, success: true });
const absent = json(400, { success: false, errors: [{ description: 'The reader group Id does not exist.' }] });

const GROUPS = 'GET /v2/Readers/groups';
const READERS = 'GET /v2/Readers';

const groupJson = (id: string, readers: readonly string[] = [], invited: readonly string[] = []) => ({
  reader_group_id: id,
  title: `Group ${id}`,
  description: null,
  associated_readers: readers,
  associated_invited_sso_users: invited,
  access_scope: { access_level: 3 },
});

const group = (groupId: string, readerIds: readonly string[], invitedSsoUserIds: readonly string[]): ReaderGroup => ({
  groupId,
  title: '',
  description: null,
  readerIds,
  invitedSsoUserIds,
  accessScope: { level: 'NONE' },
});

const readerJson = (id: string, members: object = {}) => ({
  reader_id: id,
  first_name: id,
  email: `${id}@example.org`,
  associated_reader_groups: ['g1'],
  is_invite_sso_user: false,
  ...members,
});

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** A list of this length, in pages of five groups. */
const pagesOf =
  (count: number): Behaviour =>
  (response, request) => {
    const offSet = Number(new URLSearchParams(request.url.split('?')[1]).get('offSet'));
    const page = ids('g', count).slice((offSet - 1) * 5, offSet * 5);
    return found(page.map((id) => groupJson(id)))(response, request);
  };

describe('reader groups by their IDs', () => {
  it('cost one call each, once', async () => {
    const { service, backend, caller } = await openScene();
    service.on(`${GROUPS}/g1`, found(groupJson('g1', ['r1'])));
    service.on(`${GROUPS}/gone`, absent);
    const read = await backend.readerGroups(caller, ['g1', 'gone', 'g1', '', '.', '..', '\ud800']);
    expect(read).toMatchObject([
      { value: { groupId: 'g1', readerIds: ['r1'], accessScope: { level: 'PROJECT' } } },
      { value: null },
      { value: { groupId: 'g1' } },
      ...[1, 2, 3, 4].map(() => ({ value: null })),
    ]);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/v2/Readers/groups/g1?offSet=1',
      '/v2/Readers/groups/gone?offSet=1',
    ]);
  });

  it('are looked for in pages of the list as long as each has one of them, where they are many', async () => {
    const { service, backend, caller } = await openScene();
    service.on(GROUPS, pagesOf(30));
    for (const id of ['g20', 'g21', 'g22']) service.on(`${GROUPS}/${id}`, found(groupJson(id)));
    const groupIds = ['g0', 'g3', 'g20', 'g21', 'g22'];
    const read = await backend.readerGroups(caller, groupIds);
    expect(read.map((result) => result.ok && result.value?.groupId)).toEqual(groupIds);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/v2/Readers/groups?offSet=1&excludeReaders=false',
      '/v2/Readers/groups?offSet=2&excludeReaders=false',
      ...['g20', 'g21', 'g22'].map((id) => `/v2/Readers/groups/${id}?offSet=1`),
    ]);
  });

  it('are read over all pages of their members', async () => {
    const { service, backend, caller } = await openScene();
    service.on(`${GROUPS}/g1`, found(groupJson('g1', ids('r', 5_000))), found(groupJson('g1', ['r4999', 'last'])));
    const [read] = await backend.readerGroups(caller, ['g1']);
    expect(read?.ok && read.value?.readerIds).toEqual([...ids('r', 5_000), 'last']);
    expect(service.received).toHaveLength(2);
  });

  it('are read again after a write', async () => {
    const { service, backend, caller } = await openScene();
    service.on(`${GROUPS}/g1`, found(groupJson('g1')));
    service.on('PUT /v2/Readers/groups/g1', json(200, { success: true }));
    await backend.readerGroups(caller, ['g1']);
    await backend.updateReaderGroup(caller, { ...group('g1', [], []), title: 'x', accessScope: { level: 'NONE' } });
    backend.forgetReads?.(caller);
    await backend.readerGroups(caller, ['g1']);
    expect(service.receivedOn(`${GROUPS}/g1`)).toHaveLength(2);
  });
});

describe('the list of reader groups', () => {
  it.each([
    [{ limit: 3 }, { ids: ids('g', 3), hasNextPage: true, offSets: [1] }],
    [{ limit: 5 }, { ids: ids('g', 5), hasNextPage: true, offSets: [1, 2] }],
    [{ limit: 20 }, { ids: ids('g', 12), hasNextPage: false, offSets: [1, 2, 3] }],
    [
      { limit: 3, skip: 10 },
      { ids: ['g10', 'g11'], hasNextPage: false, offSets: [3] },
    ],
    [
      { limit: 3, skip: 7 },
      { ids: ['g7', 'g8', 'g9'], hasNextPage: true, offSets: [2, 3] },
    ],
  ])('reads only the pages it needs: %j', async (request, expected) => {
    const { service, backend, caller } = await openScene();
    service.on(GROUPS, pagesOf(12));
    const read = await backend.listReaderGroups(caller, request);
    expect(read.ok && read.value.edges.map(({ node }) => node.groupId)).toEqual(expected.ids);
    expect(read).toMatchObject({ value: { hasNextPage: expected.hasNextPage } });
    expect(service.received.map(({ url }) => url.split('?')[1])).toEqual(
      expected.offSets.map((offSet) => `offSet=${offSet}&excludeReaders=false`),
    );
  });

  it('goes on behind a cursor, also where a new group stands before it', async () => {
    const { service, backend, caller } = await openScene();
    service.on(GROUPS, found(['g0', 'g1', 'g2'].map((id) => groupJson(id))));
    const first = await backend.listReaderGroups(caller, { limit: 2 });
    service.on(GROUPS, found(['new', 'g0', 'g1', 'g2'].map((id) => groupJson(id))));
    const after = first.ok ? first.value.edges[1]?.cursor : null;
    const second = await backend.listReaderGroups(callerWith(), { limit: 2, after });
    expect(second).toMatchObject({ value: { edges: [{ node: { groupId: 'g2' } }], hasNextPage: false } });
  });

  it('fails at a group that cannot be read, and names its place', async () => {
    const { service, backend, caller } = await openScene();
    const broken = { ...groupJson('broken'), associated_readers: 7 };
    service.on(
      GROUPS,
      found([groupJson('g0'), broken, ...ids('h', 3).map((id) => groupJson(id))]),
      found([groupJson('last')]),
    );
    const read = await backend.listReaderGroups(caller, { limit: 10 });
    expect(read).toMatchObject({
      error: { kind: 'unavailable', message: expect.stringContaining('at payload[1].associated_readers.') },
    });
  });

  it('reads a group again whose members fill a page, and caches the others', async () => {
    const { service, backend, caller } = await openScene();
    service.on(GROUPS, found([groupJson('small', ['r1']), groupJson('big', ids('r', 5_000))]));
    service.on(`${GROUPS}/big`, found(groupJson('big', ids('r', 5_000))), found(groupJson('big', ['last'])));
    const read = await backend.listReaderGroups(caller, { limit: 2 });
    expect(read.ok && read.value.edges.map(({ node }) => node.readerIds.length)).toEqual([1, 5_001]);
    await backend.readerGroups(caller, ['small', 'big']);
    expect(service.received).toHaveLength(3);
  });

  it('stops at the maximum of calls', async () => {
    const { service, backend, caller } = await openScene({ maxReadCalls: 2 });
    service.on(GROUPS, pagesOf(100));
    const read = await backend.listReaderGroups(caller, { limit: 100 });
    expect(read).toMatchObject({ ok: false, error: { kind: 'too-costly' } });
    expect(service.received).toHaveLength(2);
  });

  it('is not offered by a service without it', async () => {
    const { service, backend, caller } = await openScene();
    service.on(GROUPS, status(404));
    expect(await backend.listReaderGroups(caller, { limit: 1 })).toMatchObject({ error: { kind: 'not-offered' } });
  });
});

describe('readers', () => {
  const everybody = found([
    readerJson('r1'),
    readerJson('r2', { associated_reader_groups: ['g1', 'gone'] }),
    readerJson('i1', { is_invite_sso_user: true }),
  ]);

  it('cost one list altogether: by ID, of groups, and invited users by ID and in a list', async () => {
    const { service, backend, caller } = await openScene();
    service.on(READERS, everybody);
    const groups = [group('g1', ['r2', 'unknown', 'r1'], []), group('g2', [], [])];
    expect(await backend.readers(caller, ['r1', 'i1', 'x'])).toMatchObject([
      { value: { readerId: 'r1', email: 'r1@example.org', groupIds: ['g1'] } },
      { value: null },
      { value: null },
    ]);
    expect(await backend.readersOfGroups(caller, groups, { limit: 1 })).toMatchObject([
      { value: { edges: [{ node: { readerId: 'r2' } }], hasNextPage: true } },
      { value: { edges: [], hasNextPage: false } },
    ]);
    expect(await backend.invitedSsoUsers(caller, ['i9', 'i1', 'r1'])).toEqual([
      { ok: true, value: null },
      { ok: true, value: { invitationId: 'i1', email: 'i1@example.org' } },
      { ok: true, value: null },
    ]);
    expect(await backend.listInvitedSsoUsers(caller, null, { limit: 5 })).toMatchObject({
      value: { edges: [{ node: { invitationId: 'i1' } }] },
    });
    expect(service.received.map(({ url }) => url)).toEqual(['/v2/Readers?offSet=1']);
  });

  it('are not read for groups without members', async () => {
    const { service, backend, caller } = await openScene();
    await backend.readersOfGroups(caller, [group('g', [], [])], { limit: 1 });
    await backend.invitedSsoUsers(caller, []);
    expect(service.received).toEqual([]);
  });

  it('are listed without invited users, and filtered by email by the service', async () => {
    const { service, backend, caller } = await openScene();
    service.on(READERS, found([readerJson('r2')]), everybody);
    const read = await backend.listReaders(caller, 'R2@', { limit: 5 });
    expect(read.ok && read.value.edges.map(({ node }) => node.readerId)).toEqual(['r2']);
    expect(await (read.ok && read.value.totalCount?.())).toEqual(ok(1));
    const all = await backend.listReaders(caller, null, { limit: 5 });
    expect(all.ok && all.value.edges.map(({ node }) => node.readerId)).toEqual(['r1', 'r2']);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/v2/Readers?offSet=1&searchEmail=R2%40',
      '/v2/Readers?offSet=1',
    ]);
  });

  const invitedJson = (id: string, members: object = {}) => readerJson(id, { is_invite_sso_user: true, ...members });

  it('who are only invited are listed by ID and counted, whatever readers stand between them', async () => {
    const { service, backend, caller } = await openScene();
    const entries = [invitedJson('i3'), readerJson('r1'), invitedJson('i1'), invitedJson('i2', { email: null })];
    service.on(READERS, found(entries));
    const page = async (emailContains: string | null, request: PageRequest) => {
      const read = await backend.listInvitedSsoUsers(caller, emailContains, request);
      if (!read.ok) throw new Error(read.error.message);
      const { edges, totalCount, ...rest } = read.value;
      return { ids: edges.map(({ node }) => node.invitationId), total: (await totalCount?.()) ?? null, edges, ...rest };
    };
    const first = await page(null, { limit: 2 });
    expect(first).toMatchObject({ ids: ['i1', 'i2'], total: ok(3), hasNextPage: true });
    for (const request of [
      { limit: 2, after: first.edges[1]?.cursor },
      { limit: 2, skip: 2 },
    ]) {
      expect(await page(null, request)).toMatchObject({ ids: ['i3'], total: ok(3), hasNextPage: false });
    }
    expect(await page('EXAMPLE', { limit: 5 })).toMatchObject({ ids: ['i1', 'i3'], total: ok(2) });
    expect(service.received).toHaveLength(1);
  });

  it('are read in pages of five thousand', async () => {
    const { service, backend, caller } = await openScene();
    service.on(READERS, found(ids('r', 5_000).map((id) => readerJson(id))), found([readerJson('last')]));
    expect(await backend.readers(caller, ['last'])).toMatchObject([{ value: { readerId: 'last' } }]);
    const first = await backend.listReaders(caller, null, { limit: 5 });
    expect(first).toMatchObject({ value: { hasNextPage: true, totalCount: null } });
    expect(service.received.map(({ url }) => url)).toEqual(['/v2/Readers?offSet=1', '/v2/Readers?offSet=2']);
  });

  it('are read from a bare object as well, which the documentation shows', async () => {
    const { service, backend, caller } = await openScene();
    service.on(READERS, json(200, readerJson('r1')));
    expect(await backend.readers(caller, ['r1'])).toMatchObject([{ value: { readerId: 'r1' } }]);
  });

  const reader: Reader = { readerId: 'r2', firstName: null, lastName: null, email: null, groupIds: ['g1', 'gone'] };

  it('have the groups that they name and that exist', async () => {
    const { service, backend, caller } = await openScene();
    service.on(`${GROUPS}/g1`, found(groupJson('g1')));
    service.on(`${GROUPS}/gone`, absent);
    const page = { edges: [{ node: { groupId: 'g1' } }], hasNextPage: false };
    const readers = [reader, { ...reader, readerId: 'r1' }];
    expect(await backend.groupsOfReaders(caller, readers, { limit: 5 })).toMatchObject([
      { value: page },
      { value: page },
    ]);
    expect(service.received).toHaveLength(2);
  });

  it('have the groups of one page, and no other group is read', async () => {
    const { service, backend, caller } = await openScene();
    const groupIds = ['g1', 'g2', 'g3', 'g4', 'g5'];
    for (const id of groupIds) service.on(`${GROUPS}/${id}`, found(groupJson(id)));
    const readPage = async (after?: string) => {
      const [page] = await backend.groupsOfReaders(caller, [{ ...reader, groupIds }], { limit: 2, after });
      if (!page?.ok) throw new Error('The page was not read.');
      return page.value;
    };
    const first = await readPage();
    expect(first).toMatchObject({
      edges: [{ node: { groupId: 'g1' } }, { node: { groupId: 'g2' } }],
      hasNextPage: true,
      hasPreviousPage: false,
    });
    expect(await first.totalCount?.()).toEqual(ok(5));
    expect(await readPage(first.edges[1]?.cursor)).toMatchObject({
      edges: [{ node: { groupId: 'g3' } }, { node: { groupId: 'g4' } }],
      hasNextPage: true,
      hasPreviousPage: true,
    });
    expect(service.received.map(({ url }) => url.split('?')[0]?.split('/').at(-1))).toEqual(['g1', 'g2', 'g3', 'g4']);
  });

  it('have the IDs of their groups without a call', async () => {
    const { service, backend, caller } = await openScene();
    expect(await backend.groupIdsOfReaders(caller, [reader])).toEqual([{ ok: true, value: ['g1', 'gone'] }]);
    expect(service.received).toEqual([]);
  });
});
