import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passedThrough } from '../../../src/backend/passed-through.ts';
import { ok } from '../../../src/domain/result.ts';
import { openFixtureStore, TOKEN } from '../../support/fixture-store.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';

/** A group may name an invitation that is no more: an invited user who signs in becomes a reader (facts, section 3). */
const GROUP = {
  groupId: 'g',
  title: 'Stale',
  description: null,
  readerIds: [],
  invitedSsoUserIds: ['i3', 'gone', 'i1'],
  accessScope: { level: 'NONE' },
} as const;

const BOTH_THERE = [
  { invitationId: 'i3', email: 'third@example.net' },
  { invitationId: 'i1', email: 'first@example.net' },
];

describe('the invited users of a group', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    const store = passedThrough(await openFixtureStore());
    const backend = { ...store, readerGroups: async () => [ok(GROUP)] };
    gateway = await startGateway({ backend, local: true, token: TOKEN });
  });
  afterAll(() => gateway.close());

  it('stand in the order of their IDs in the group, without those that no longer exist', async () => {
    const { body } = await gateway.send('{ readerGroup(groupId: "g") { invitedSsoUsers { invitationId email } } }');
    expect(body).toEqual({ data: { readerGroup: { invitedSsoUsers: BOTH_THERE } } });
  });

  it('do so where a preview says who would be removed', async () => {
    const { body } = await gateway.send(`mutation {
      updateReaderGroup(
        input: { groupId: "g", title: "Stale", invitedSsoUserIds: [], accessScope: { level: NONE } }, preview: true
      ) {
        ... on UpdateReaderGroupPreview { wouldSucceed removedInvitedSsoUsers { invitationId email } }
      }
    }`);
    const preview = { wouldSucceed: true, removedInvitedSsoUsers: BOTH_THERE };
    expect(body).toEqual({ data: { updateReaderGroup: preview } });
  });
});
