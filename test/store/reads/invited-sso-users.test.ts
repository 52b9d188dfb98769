import { describe, expect, it } from 'vitest';
import type { PageRequest } from '../../../src/core/base/pages.ts';
import { smallKnowledgeBase } from '../small-knowledge-base.ts';
import { caller, nodesOf, openStore, present, value } from '../store.ts';

/** Three users without a group, besides `i1` and `i2`, who are in groups. `i2` has no address. */
async function openInvited() {
  const inNoGroup = [
    { invitation_id: 'i5', email: 'JÜRGEN@Example.com' },
    { invitation_id: 'i4', email: 'i4@example.org' },
    { invitation_id: 'i3', email: 'i3@example.com' },
  ];
  const invitedSsoUsers = [...smallKnowledgeBase.invited_sso_users, ...inNoGroup];
  return openStore({ knowledgeBase: { ...smallKnowledgeBase, invited_sso_users: invitedSsoUsers } });
}

describe('invitedSsoUsers', () => {
  it('reads them in the order of the IDs, in a group or not; null for unknown ones', async () => {
    const { backend } = await openInvited();
    const found = await backend.invitedSsoUsers(caller, ['i3', 'r1', 'i2', '', 'i3']);
    const i3 = { invitationId: 'i3', email: 'i3@example.com' };
    expect(found.map(value)).toEqual([i3, null, { invitationId: 'i2', email: null }, null, i3]);
  });
});

describe('listInvitedSsoUsers', () => {
  const list = async (emailContains: string | null, page: PageRequest) => {
    const { backend } = await openInvited();
    const result = value(await backend.listInvitedSsoUsers(caller, emailContains, page));
    return {
      ids: nodesOf(result).map(({ invitationId }) => invitationId),
      total: value(await result.totalCount?.()),
      ...result,
    };
  };

  it.each([
    [null, ['i1', 'i2', 'i3', 'i4', 'i5']],
    ['', ['i1', 'i2', 'i3', 'i4', 'i5']],
    ['EXAMPLE.COM', ['i1', 'i3', 'i5']],
    ['jÜrGe', ['i5']],
    ['%', []],
  ])('finds addresses that contain %j, by ID, and counts them', async (part, expected) => {
    expect(await list(part, { limit: 100 })).toMatchObject({ ids: expected, total: expected.length });
  });

  it('pages by key, also with a filter', async () => {
    const { edges, ...first } = await list('example', { limit: 2 });
    expect(first).toMatchObject({ ids: ['i1', 'i3'], total: 4, hasNextPage: true, hasPreviousPage: false });
    const second = await list('example', { limit: 2, after: present(edges[1]).cursor });
    expect(second).toMatchObject({ ids: ['i4', 'i5'], total: 4, hasNextPage: false, hasPreviousPage: true });
  });

  it('skips entries for page numbers', async () => {
    const page = await list(null, { limit: 2, skip: 3 });
    expect(page).toMatchObject({ ids: ['i4', 'i5'], total: 5, hasNextPage: false, hasPreviousPage: true });
  });

  it('refuses a wrong cursor', async () => {
    const { backend } = await openInvited();
    expect(await backend.listInvitedSsoUsers(caller, null, { limit: 5, after: 'nonsense' })).toMatchObject({
      ok: false,
      error: { kind: 'validation', issues: [{ path: ['after'] }] },
    });
  });
});
