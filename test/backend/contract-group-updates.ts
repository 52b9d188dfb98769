import { describe, expect, it } from 'vitest';
import type { Send } from './contract.ts';

const GROUP = /* GraphQL */ `
  fragment Group on ReaderGroup {
    groupId title description readerIds invitedSsoUserIds
    accessScope {
      __typename level rawLevel
      ... on CategoryAccessScope { categories { projectVersionId categoryId languageCode } }
      ... on VersionAccessScope { projectVersionIds }
      ... on LanguageAccessScope { languages { projectVersionId languageCode } }
    }
  }
`;

const ERROR = /* GraphQL */ `
  fragment Failure on MutationError {
    __typename message code retryable mayHaveApplied serviceErrors { description errorCode }
    ... on ValidationError { source issues { path message } }
    ... on ServiceRejectedError { httpStatus }
  }
`;

const UPDATE = /* GraphQL */ `
  mutation ($input: UpdateReaderGroupInput!) {
    updateReaderGroup(input: $input) {
      __typename
      ... on UpdateReaderGroupPayload { readerGroup { ...Group } serviceResult warnings { description } information { description } extensionData }
      ... on MutationError { ...Failure }
    }
  }
  ${GROUP} ${ERROR}
`;

const READ = `query ($groupId: ID!) { readerGroup(groupId: $groupId) { ...Group } } ${GROUP}`;

const CHANGE = /* GraphQL */ `
  mutation ($input: ChangeReaderGroupMembersInput!) {
    changeReaderGroupMembers(input: $input) {
      __typename
      ... on ChangeReaderGroupMembersPayload { added removed alreadyMembers notMembers readerGroup { title readerIds invitedSsoUserIds } }
      ... on MutationError { ...Failure }
    }
  }
  ${ERROR}
`;

const PREVIEW_INVITED = /* GraphQL */ `
  mutation ($input: UpdateReaderGroupInput!) {
    updateReaderGroup(input: $input, preview: true) {
      ... on UpdateReaderGroupPreview {
        wouldSucceed problems addedInvitedSsoUserIds removedInvitedSsoUsers { invitationId email }
      }
    }
  }
`;

const PROJECT = { level: 'PROJECT' };

export function describeGroupUpdates(send: Send): void {
  const update = async (input: object) => (await send(UPDATE, { input })).body.data?.['updateReaderGroup'];
  const change = async (input: object) => (await send(CHANGE, { input })).body.data?.['changeReaderGroupMembers'];
  const read = async (groupId: string) => (await send(READ, { groupId })).body.data?.['readerGroup'];

  describe('updateReaderGroup', () => {
    it('keeps the members and the description that are left out', async () => {
      expect(await update({ groupId: 'g2', title: 'Renamed', accessScope: PROJECT })).toEqual({
        __typename: 'UpdateReaderGroupPayload',
        readerGroup: {
          groupId: 'g2',
          title: 'Renamed',
          description: 'Reads the guides',
          readerIds: ['r1', 'r2'],
          invitedSsoUserIds: ['i1'],
          accessScope: { __typename: 'PlainAccessScope', level: 'PROJECT', rawLevel: 3 },
        },
        serviceResult: false,
        warnings: [],
        information: [],
        extensionData: null,
      });
    });

    it('replaces the members with the listed ones, and clears a description that is null', async () => {
      const input = {
        groupId: 'g2',
        title: 'Renamed',
        description: null,
        readerIds: ['r3', 'r2', 'r3'],
        invitedSsoUserIds: [],
      };
      await update({ ...input, accessScope: PROJECT });
      expect(await read('g2')).toMatchObject({ description: null, readerIds: ['r3', 'r2'], invitedSsoUserIds: [] });
    });

    it('keeps an empty description apart from none', async () => {
      await update({ groupId: 'g2', title: 'Renamed', description: '', accessScope: PROJECT });
      expect(await read('g2')).toMatchObject({ description: '' });
    });

    const CATEGORY_SCOPE = { projectVersionId: 'pv1', categoryId: 'c3', languageCode: 'de' };
    it.each([
      [{ level: 'NONE' }, { __typename: 'PlainAccessScope', level: 'NONE', rawLevel: 0 }],
      [
        { categories: [CATEGORY_SCOPE] },
        { __typename: 'CategoryAccessScope', level: 'CATEGORY', rawLevel: 1, categories: [CATEGORY_SCOPE] },
      ],
      [
        { projectVersions: ['pv1', 'pv2'] },
        { __typename: 'VersionAccessScope', level: 'VERSION', rawLevel: 2, projectVersionIds: ['pv1', 'pv2'] },
      ],
      [{ level: 'PROJECT' }, { __typename: 'PlainAccessScope', level: 'PROJECT', rawLevel: 3 }],
      [
        { languages: [{ projectVersionId: 'pv2', languageCode: 'fr' }] },
        {
          __typename: 'LanguageAccessScope',
          level: 'LANGUAGE',
          rawLevel: 4,
          languages: [{ projectVersionId: 'pv2', languageCode: 'fr' }],
        },
      ],
      [{ level: 'ARTICLE' }, { __typename: 'PlainAccessScope', level: 'ARTICLE', rawLevel: 5 }],
      [{ level: 'LEVEL_6' }, { __typename: 'PlainAccessScope', level: 'LEVEL_6', rawLevel: 6 }],
    ])('stores the scope %j', async (accessScope, expected) => {
      expect(await update({ groupId: 'g3', title: 'Scoped', accessScope })).toMatchObject({
        readerGroup: { accessScope: expected },
      });
    });

    it('reports an unknown group as not found, whether it has to read it first or not', async () => {
      const expected = {
        __typename: 'ReaderGroupNotFoundError',
        message: 'The reader group does not exist.',
        code: 'NOT_FOUND',
        retryable: false,
        mayHaveApplied: false,
        serviceErrors: [{ description: 'The reader group Id does not exist.', errorCode: null }],
      };
      expect(await update({ groupId: 'nobody', title: 'x', accessScope: PROJECT })).toEqual(expected);
      const whole = { description: null, readerIds: [], invitedSsoUserIds: [] };
      expect(await update({ groupId: 'nobody', title: 'x', ...whole, accessScope: PROJECT })).toEqual(expected);
    });

    it('lists every ID that does not exist, and changes nothing', async () => {
      const before = await read('g4');
      const answer = await update({
        groupId: 'g4',
        title: 'x',
        readerIds: ['r1', 'nobody', 'noone'],
        invitedSsoUserIds: ['i9'],
        accessScope: {
          categories: [
            { projectVersionId: 'pv1', categoryId: 'c4', languageCode: 'en' },
            { projectVersionId: 'pv1', categoryId: 'c1', languageCode: 'fr' },
          ],
        },
      });
      expect(answer).toMatchObject({
        __typename: 'ServiceRejectedError',
        code: 'REJECTED',
        retryable: false,
        mayHaveApplied: false,
        httpStatus: 400,
        serviceErrors: [
          { description: expect.stringContaining('nobody') },
          { description: expect.stringContaining('noone') },
          { description: expect.stringContaining('i9') },
          { description: expect.stringContaining('c4') },
          { description: expect.stringContaining('fr') },
        ],
      });
      expect(await read('g4')).toEqual(before);
    });

    it('lists every issue with its path', async () => {
      const answer = await update({
        groupId: '..',
        title: 'a/b?',
        readerIds: null,
        invitedSsoUserIds: ['i1', ''],
        accessScope: { languages: [{ projectVersionId: '', languageCode: 'de' }] },
      });
      expect(answer).toMatchObject({
        __typename: 'ValidationError',
        source: 'GATEWAY',
        issues: [
          { path: ['input', 'groupId'] },
          { path: ['input', 'title'], message: expect.stringContaining('/ ?') },
          { path: ['input', 'readerIds'] },
          { path: ['input', 'invitedSsoUserIds', '1'] },
          { path: ['input', 'accessScope', 'languages', '0', 'projectVersionId'] },
        ],
      });
    });

    it.each([..."~`!@#$%^&*)(+=|][{};:?/>'.,"])('refuses %s in a title', async (character) => {
      expect(await update({ groupId: 'g4', title: `a${character}b`, accessScope: PROJECT })).toMatchObject({
        __typename: 'ValidationError',
        issues: [{ path: ['input', 'title'], message: `title must not contain ${character}.` }],
      });
    });

    it.each([[{ categories: [] }], [{ projectVersions: [] }], [{ languages: [] }]])(
      'refuses the empty scope %j',
      async (accessScope) => {
        expect(await update({ groupId: 'g4', title: 'x', accessScope })).toMatchObject({
          __typename: 'ValidationError',
          issues: [{ path: ['input', 'accessScope', Object.keys(accessScope)[0]] }],
        });
      },
    );

    it.each([[{}], [{ level: 'PROJECT', projectVersions: ['pv1'] }], [{ level: null }]])(
      'leaves the scope %j to coercion, which names the place',
      async (accessScope) => {
        const { body } = await send(UPDATE, { input: { groupId: 'g4', title: 'x', accessScope } });
        expect(body.data).toBeUndefined();
        expect(body.errors?.[0]?.message).toContain('accessScope');
      },
    );
  });

  describe('updateReaderGroup, preview', () => {
    it('answers who would be removed and what would change, and writes nothing', async () => {
      const before = await read('g4');
      const { body } = await send(
        `mutation ($input: UpdateReaderGroupInput!) {
          updateReaderGroup(input: $input, preview: true) {
            ... on UpdateReaderGroupPreview {
              wouldSucceed problems addedReaderIds removedReaderIds removedReaders { email } addedInvitedSsoUserIds removedInvitedSsoUserIds removedInvitedSsoUsers { email } changesAccessScope
              changes { field from to } accessScope { level } readerGroup { groupId }
            }
          }
        }`,
        {
          input: {
            groupId: 'g4',
            title: 'Few',
            readerIds: ['r1', 'r2', 'r99'],
            invitedSsoUserIds: ['i2', 'i99'],
            accessScope: { projectVersions: ['pv1', 'pv9'] },
          },
        },
      );
      expect(body.data?.['updateReaderGroup']).toEqual({
        wouldSucceed: false,
        problems: [
          'Reader r99 does not exist.',
          'Invitation i99 does not exist.',
          'Project version pv9 does not exist.',
        ],
        addedReaderIds: ['r2', 'r99'],
        removedReaderIds: ['r5'],
        removedReaders: [{ email: 'reader5@example.com' }],
        addedInvitedSsoUserIds: ['i99'],
        removedInvitedSsoUserIds: ['i1'],
        removedInvitedSsoUsers: [{ email: 'first@example.net' }],
        changes: [{ field: 'TITLE', from: 'Everything', to: 'Few' }],
        changesAccessScope: true,
        accessScope: { level: 'VERSION' },
        readerGroup: { groupId: 'g4' },
      });
      expect(await read('g4')).toEqual(before);
    });

    it('knows an invitation that is in no group yet, and names it before it is removed', async () => {
      const preview = async (invitedSsoUserIds: readonly string[]) => {
        const input = { groupId: 'g1', title: 'Nobody yet', invitedSsoUserIds, accessScope: { level: 'NONE' } };
        return (await send(PREVIEW_INVITED, { input })).body.data?.['updateReaderGroup'];
      };
      expect(await preview(['i3'])).toEqual({
        wouldSucceed: true,
        problems: [],
        addedInvitedSsoUserIds: ['i3'],
        removedInvitedSsoUsers: [],
      });
      await change({ groupId: 'g1', addInvitedSsoUserIds: ['i3', 'i2'] });
      expect(await preview(['i2'])).toEqual({
        wouldSucceed: true,
        problems: [],
        addedInvitedSsoUserIds: [],
        removedInvitedSsoUsers: [{ invitationId: 'i3', email: 'third@example.net' }],
      });
      await change({ groupId: 'g1', removeInvitedSsoUserIds: ['i3', 'i2'] });
    });
  });

  describe('changeReaderGroupMembers', () => {
    it('adds and removes, keeps everybody else, and says who was there already', async () => {
      const answer = await change({
        groupId: 'g5',
        addReaderIds: ['r6', 'r7'],
        removeReaderIds: ['r1'],
        addInvitedSsoUserIds: ['i1'],
      });
      expect(answer).toEqual({
        __typename: 'ChangeReaderGroupMembersPayload',
        added: ['r7', 'i1'],
        removed: [],
        alreadyMembers: ['r6'],
        notMembers: ['r1'],
        readerGroup: { title: 'German', readerIds: ['r6', 'r7'], invitedSsoUserIds: ['i1'] },
      });
      expect(await change({ groupId: 'g5', removeReaderIds: ['r6'] })).toMatchObject({
        removed: ['r6'],
        readerGroup: { readerIds: ['r7'], invitedSsoUserIds: ['i1'] },
      });
      expect(await read('g5')).toMatchObject({ title: 'German', accessScope: { level: 'LANGUAGE' } });
    });

    it('adds invitations, also one that is in no group yet, and reads them back in the order of the group', async () => {
      expect(await change({ groupId: 'g3', addInvitedSsoUserIds: ['i3', 'i1'] })).toMatchObject({
        added: ['i3', 'i1'],
        readerGroup: { invitedSsoUserIds: ['i3', 'i1'] },
      });
      const { body } = await send('{ readerGroup(groupId: "g3") { invitedSsoUsers { invitationId email } } }');
      expect(body.data?.['readerGroup']).toEqual({
        invitedSsoUsers: [
          { invitationId: 'i3', email: 'third@example.net' },
          { invitationId: 'i1', email: 'first@example.net' },
        ],
      });
    });

    it('reports a reader who does not exist, and changes nothing', async () => {
      const before = await read('g6');
      expect(await change({ groupId: 'g6', addReaderIds: ['nobody', 'r1'] })).toMatchObject({
        __typename: 'ServiceRejectedError',
        serviceErrors: [{ description: expect.stringContaining('nobody') }],
      });
      expect(await read('g6')).toEqual(before);
    });

    it('reports an unknown group as not found', async () => {
      expect(await change({ groupId: 'nobody', addReaderIds: ['r1'] })).toMatchObject({ code: 'NOT_FOUND' });
    });

    it('refuses a change that names nobody, or one reader for both', async () => {
      expect(await change({ groupId: 'g6' })).toMatchObject({
        code: 'VALIDATION_FAILED',
        issues: [{ path: ['input'] }],
      });
      expect(await change({ groupId: 'g6', addReaderIds: ['r1'], removeReaderIds: ['r1'] })).toMatchObject({
        issues: [{ path: ['input', 'removeReaderIds', '0'] }],
      });
    });
  });
}
