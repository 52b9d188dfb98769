import type { MembersUpdate, ReaderGroupUpdate } from '../../src/core/reader-groups/reader-group-updates.ts';
import { type Behaviour, type FaultyService, json } from './faulty-service.ts';

/** An update of a whole group, which needs no read before its write. */
export const wholeUpdate = {
  groupId: 'g1',
  title: 'Partners',
  description: null,
  readerIds: ['r1'],
  invitedSsoUserIds: [],
  accessScope: { level: 'PROJECT' },
} as const satisfies ReaderGroupUpdate;

export const groupBody = (members: object = {}) => ({
  reader_group_id: 'g1',
  title: 'Old',
  description: 'Old text',
  associated_readers: ['r1', 'r2'],
  associated_invited_sso_users: ['i1'],
  access_scope: { access_level: 5, categories: [], project_versions: [], languages: [] },
  ...members,
});

/** The answer of a read of the group. */
export const foundGroup = (members: object = {}): Behaviour => json(200, { result: groupBody(members), success: true });

/** The answer of a write of the group. */
export const groupWritten: Behaviour = json(200, { result: false, success: true });

/** The service stores the members of the group, and responds late enough for other updates to interfere. */
export function keepGroup(service: FaultyService) {
  let members: object = { associated_readers: [], associated_invited_sso_users: [] };
  let busy = 0;
  let most = 0;
  const slowly =
    (behaviour: () => Behaviour): Behaviour =>
    async (response, request) => {
      busy += 1;
      most = Math.max(most, busy);
      await new Promise((resolve) => setImmediate(resolve));
      busy -= 1;
      return behaviour()(response, request);
    };
  service.on(
    'GET /v2/Readers/groups/g1',
    slowly(() => foundGroup(members)),
  );
  service.on('PUT /v2/Readers/groups/g1', async (response, request) => {
    members = { ...members, ...(typeof request.body === 'object' ? request.body : {}) };
    await slowly(() => groupWritten)(response, request);
  });
  return { members: () => members, mostAtOnce: () => most };
}

export const joining = (readerId: string, groupId = 'g1'): MembersUpdate => ({
  groupId,
  addReaderIds: [readerId],
  removeReaderIds: [],
  addInvitedSsoUserIds: [],
  removeInvitedSsoUserIds: [],
});
