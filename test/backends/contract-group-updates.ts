import { describe, expect, it } from 'vitest';
import type { Send } from '../support/gateway.ts';

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

const CHANGED = 'fragment Change on MembersChange { added removed alreadyMembers notMembers }';

const CHANGE = /* GraphQL */ `
  mutation ($input: ChangeReaderGroupMembersInput!) {
    changeReaderGroupMembers(input: $input) {
      __typename
      ... on ChangeReaderGroupMembersPayload {
        readers { ...Change } invitedSsoUsers { ...Change } readerGroup { title readerIds invitedSsoUserIds }
      }
      ... on MutationError { ...Failure }
    }
  }
  ${CHANGED} ${ERROR}
`;

const PREVIEW = /* GraphQL */ `
  mutation ($input: UpdateReaderGroupInput!) {
    previewUpdateReaderGroup(input: $input) {
      __typename
      ... on UpdateReaderGroupPreview {
        wouldSucceed issues { path message } changesAccessScope changes { field from to } accessScope { level } readerGroup { groupId }
        addedReaderIds removedReaderIds removedReaders { email }
        addedInvitedSsoUserIds removedInvitedSsoUserIds removedInvitedSsoUsers { invitationId email }
      }
      ... on MutationError { ...Failure }
    }
  }
  ${ERROR}
`;

const PREVIEW_CHANGE = /* GraphQL */ `
  mutation ($input: ChangeReaderGroupMembersInput!) {
    previewChangeReaderGroupMembers(input: $input) {
      __typename
      ... on ChangeReaderGroupMembersPreview {
        wouldSucceed issues { path message } readers { ...Change } invitedSsoUsers { ...Change } readerGroup { readerIds invitedSsoUserIds }
      }
      ... on MutationError { ...Failure }
    }
  }
  ${CHANGED} ${ERROR}
`;

const PROJECT = { level: 'PROJECT' };

export function describeGroupUpdates(send: Send): void {
  const update = async (input: object) => (await send(UPDATE, { input })).body.data?.['updateReaderGroup'];
  const change = async (input: object) => (await send(CHANGE, { input })).body.data?.['changeReaderGroupMembers'];
  const preview = async (input: object) => (await send(PREVIEW, { input })).body.data?.['previewUpdateReaderGroup'];
  const previewChange = async (input: object) =>
    (await send(PREVIEW_CHANGE, { input })).body.data?.['previewChangeReaderGroupMembers'];
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
        { projectVersionIds: ['pv1', 'pv2'] },
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

    it.each([[{ categories: [] }], [{ projectVersionIds: [] }], [{ languages: [] }]])(
      'refuses the empty scope %j',
      async (accessScope) => {
        expect(await update({ groupId: 'g4', title: 'x', accessScope })).toMatchObject({
          __typename: 'ValidationError',
          issues: [{ path: ['input', 'accessScope', Object.keys(accessScope)[0]] }],
        });
      },
    );

    it.each([[{}], [{ level: 'PROJECT', projectVersionIds: ['pv1'] }], [{ level: null }]])(
      'leaves the scope %j to coercion, which names the place',
      async (accessScope) => {
        const { body } = await send(UPDATE, { input: { groupId: 'g4', title: 'x', accessScope } });
        expect(body.data).toBeUndefined();
        expect(body.errors?.[0]?.message).toContain('accessScope');
      },
    );
  });

  describe('what is left out of updateReaderGroup', () => {
    it.each([
      ['title', { title: 'Renamed' }],
      ['description', { description: null }],
      ['readers', { readerIds: ['r3'] }],
      ['invited users', { invitedSsoUserIds: [] }],
    ])('is kept where only the %s are given', async (_name, change) => {
      const before = await read('g4');
      await update({ groupId: 'g4', ...change });
      expect(await read('g4')).toEqual({ ...Object(before), ...change });
    });

    it('cannot be everything', async () => {
      for (const send of [update, preview]) {
        expect(await send({ groupId: 'g4' })).toMatchObject({
          __typename: 'ValidationError',
          source: 'GATEWAY',
          issues: [
            { path: ['input'], message: 'There is nothing to change: every property of the group is left out.' },
          ],
        });
      }
    });

    it('is not the same as null', async () => {
      for (const send of [update, preview]) {
        expect(await send({ groupId: 'g4', title: null, accessScope: null, readerIds: null })).toMatchObject({
          __typename: 'ValidationError',
          issues: [{ path: ['input', 'title'] }, { path: ['input', 'readerIds'] }, { path: ['input', 'accessScope'] }],
        });
      }
    });
  });

  describe('previewUpdateReaderGroup', () => {
    it('answers who would be removed and what would change, and writes nothing', async () => {
      await update({
        groupId: 'g4',
        title: 'Everything',
        readerIds: ['r1', 'r5'],
        invitedSsoUserIds: ['i1', 'i2'],
        accessScope: PROJECT,
      });
      const before = await read('g4');
      const answer = await preview({
        groupId: 'g4',
        title: 'Few',
        readerIds: ['r1', 'r2', 'r99'],
        invitedSsoUserIds: ['i2', 'i99'],
        accessScope: { projectVersionIds: ['pv1', 'pv9'] },
      });
      expect(answer).toEqual({
        __typename: 'UpdateReaderGroupPreview',
        wouldSucceed: false,
        issues: [
          { path: ['input', 'readerIds', '2'], message: 'Reader r99 does not exist.' },
          { path: ['input', 'invitedSsoUserIds', '1'], message: 'Invitation i99 does not exist.' },
          { path: ['input', 'accessScope', 'projectVersionIds', '1'], message: 'Project version pv9 does not exist.' },
        ],
        addedReaderIds: ['r2', 'r99'],
        removedReaderIds: ['r5'],
        removedReaders: [{ email: 'reader5@example.com' }],
        addedInvitedSsoUserIds: ['i99'],
        removedInvitedSsoUserIds: ['i1'],
        removedInvitedSsoUsers: [{ invitationId: 'i1', email: 'first@example.net' }],
        changes: [{ field: 'TITLE', from: 'Everything', to: 'Few' }],
        changesAccessScope: true,
        accessScope: { level: 'VERSION' },
        readerGroup: { groupId: 'g4' },
      });
      expect(await read('g4')).toEqual(before);
    });

    it('names what does not exist at its place in the scope', async () => {
      const entry = { projectVersionId: 'pv1', categoryId: 'c1', languageCode: 'en' };
      const categories = [
        entry,
        { ...entry, categoryId: 'c4' },
        { ...entry, languageCode: 'fr' },
        { ...entry, projectVersionId: 'pv9' },
      ];
      expect(await preview({ groupId: 'g4', accessScope: { categories } })).toMatchObject({
        wouldSucceed: false,
        issues: [
          {
            path: ['input', 'accessScope', 'categories', '1', 'categoryId'],
            message: 'Category c4 does not exist in project version pv1.',
          },
          {
            path: ['input', 'accessScope', 'categories', '2', 'languageCode'],
            message: 'Language fr does not exist in project version pv1.',
          },
          {
            path: ['input', 'accessScope', 'categories', '3', 'projectVersionId'],
            message: 'Project version pv9 does not exist.',
          },
        ],
      });
      const languages = [{ projectVersionId: 'pv1', languageCode: 'xx' }];
      expect(await preview({ groupId: 'g4', accessScope: { languages } })).toMatchObject({
        issues: [{ path: ['input', 'accessScope', 'languages', '0', 'languageCode'] }],
      });
    });

    it('knows an invitation that is in no group yet, and names it before it is removed', async () => {
      expect(await preview({ groupId: 'g1', invitedSsoUserIds: ['i3'] })).toMatchObject({
        wouldSucceed: true,
        issues: [],
        changesAccessScope: false,
        addedInvitedSsoUserIds: ['i3'],
        removedInvitedSsoUsers: [],
      });
      await change({ groupId: 'g1', addInvitedSsoUserIds: ['i3', 'i2'] });
      expect(await preview({ groupId: 'g1', invitedSsoUserIds: ['i2'] })).toMatchObject({
        wouldSucceed: true,
        issues: [],
        addedInvitedSsoUserIds: [],
        removedInvitedSsoUsers: [{ invitationId: 'i3', email: 'third@example.net' }],
      });
      await change({ groupId: 'g1', removeInvitedSsoUserIds: ['i3', 'i2'] });
    });

    it('has the errors of the update', async () => {
      expect(await preview({ groupId: 'nobody', title: 'x' })).toMatchObject({
        __typename: 'ReaderGroupNotFoundError',
      });
      expect(await preview({ groupId: 'g4', title: '?' })).toMatchObject({ issues: [{ path: ['input', 'title'] }] });
    });

    it('cannot become a write by a variable that is null or misspelt: there is none', async () => {
      const before = await read('g4');
      const query =
        'mutation ($p: Boolean) { updateReaderGroup(input: { groupId: "g4", title: "No" }, preview: $p) { __typename } }';
      for (const variables of [{ p: null }, { P: true }, { p: true }]) {
        expect((await send(query, variables)).body.data).toBeUndefined();
      }
      expect(await read('g4')).toEqual(before);
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
        readers: { added: ['r7'], removed: [], alreadyMembers: ['r6'], notMembers: ['r1'] },
        invitedSsoUsers: { added: ['i1'], removed: [], alreadyMembers: [], notMembers: [] },
        readerGroup: { title: 'German', readerIds: ['r6', 'r7'], invitedSsoUserIds: ['i1'] },
      });
      expect(await change({ groupId: 'g5', removeReaderIds: ['r6'] })).toMatchObject({
        readers: { removed: ['r6'] },
        readerGroup: { readerIds: ['r7'], invitedSsoUserIds: ['i1'] },
      });
      expect(await read('g5')).toMatchObject({ title: 'German', accessScope: { level: 'LANGUAGE' } });
    });

    it('adds invitations, also one that is in no group yet, and reads them back in the order of the group', async () => {
      expect(await change({ groupId: 'g3', addInvitedSsoUserIds: ['i3', 'i1'] })).toMatchObject({
        readers: { added: [] },
        invitedSsoUsers: { added: ['i3', 'i1'] },
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

  describe('previewChangeReaderGroupMembers', () => {
    it('answers who would join and leave, names who does not exist, and writes nothing', async () => {
      await update({ groupId: 'g6', title: 'Six', readerIds: ['r1', 'r2'], invitedSsoUserIds: ['i1'] });
      const before = await read('g6');
      const input = {
        groupId: 'g6',
        addReaderIds: ['r1', 'r3', 'nobody'],
        removeReaderIds: ['r2', 'r4'],
        addInvitedSsoUserIds: ['i9', 'i3'],
        removeInvitedSsoUserIds: ['i1'],
      };
      expect(await previewChange(input)).toEqual({
        __typename: 'ChangeReaderGroupMembersPreview',
        wouldSucceed: false,
        issues: [
          { path: ['input', 'addReaderIds', '2'], message: 'Reader nobody does not exist.' },
          { path: ['input', 'addInvitedSsoUserIds', '0'], message: 'Invitation i9 does not exist.' },
        ],
        readers: { added: ['r3', 'nobody'], removed: ['r2'], alreadyMembers: ['r1'], notMembers: ['r4'] },
        invitedSsoUsers: { added: ['i9', 'i3'], removed: ['i1'], alreadyMembers: [], notMembers: [] },
        readerGroup: { readerIds: ['r1', 'r2'], invitedSsoUserIds: ['i1'] },
      });
      expect(await read('g6')).toEqual(before);
      expect(await previewChange({ groupId: 'g6', addReaderIds: ['r3'] })).toMatchObject({
        wouldSucceed: true,
        issues: [],
      });
    });

    it('has the errors of the change', async () => {
      expect(await previewChange({ groupId: 'nobody', addReaderIds: ['r1'] })).toMatchObject({ code: 'NOT_FOUND' });
      expect(await previewChange({ groupId: 'g6' })).toMatchObject({ code: 'VALIDATION_FAILED' });
    });
  });
}
