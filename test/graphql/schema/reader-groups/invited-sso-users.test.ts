import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../../../src/core/base/result.ts';
import { openFixtureStore, TOKEN } from '../../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../../support/gateway.ts';

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

  it('are null in their places where a preview removes them, in the order of the IDs', async () => {
    const { body } = await gateway.send(`mutation {
      previewUpdateReaderGroup(input: { groupId: "g", invitedSsoUserIds: [] }) {
        ... on UpdateReaderGroupPreview {
          wouldSucceed removedInvitedSsoUserIds removedInvitedSsoUsers { invitationId email }
        }
      }
    }`);
    const preview = {
      wouldSucceed: true,
      removedInvitedSsoUserIds: ['i3', 'gone', 'i1'],
      removedInvitedSsoUsers: [EXISTING_USERS[0], null, EXISTING_USERS[1]],
    };
    expect(body).toEqual({ data: { previewUpdateReaderGroup: preview } });
  });
});
