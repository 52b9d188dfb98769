import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';

/**
 * A group may name an invitation that no longer exists, since an invited user who signs in becomes a reader: see
 * docs/service.md, "Reader group update".
 */
const GROUP = {
  groupId: 'g',
  title: 'Stale',
  description: null,
  readerIds: [],
  invitedSsoUserIds: ['i3', 'gone', 'i1'],
  accessScope: { level: 'NONE' },
} as const;

const EXISTING_USERS = [
  { invitationId: 'i3', email: 'third@example.net' },
  { invitationId: 'i1', email: 'first@example.net' },
];

describe('the invited users of a group', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const backend = { ...(await openFixtureStore()), readerGroups: async () => [ok(GROUP)] };
    gateway = await startGateway({ backend, local: true, token: TOKEN });
  });
  afterAll(() => gateway.close());

  it('are in the order of their IDs in the group, without those that no longer exist', async () => {
    const { body } = await gateway.send('{ readerGroup(groupId: "g") { invitedSsoUsers { invitationId email } } }');
    expect(body).toEqual({ data: { readerGroup: { invitedSsoUsers: EXISTING_USERS } } });
  });

  it('are listed in the same way in a preview that removes them', async () => {
    const { body } = await gateway.send(`mutation {
      updateReaderGroup(
        input: { groupId: "g", title: "Stale", invitedSsoUserIds: [], accessScope: { level: NONE } }, preview: true
      ) {
        ... on UpdateReaderGroupPreview { wouldSucceed removedInvitedSsoUsers { invitationId email } }
      }
    }`);
    const preview = { wouldSucceed: true, removedInvitedSsoUsers: EXISTING_USERS };
    expect(body).toEqual({ data: { updateReaderGroup: preview } });
  });
});
