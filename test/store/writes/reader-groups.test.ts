import { describe, expect, it } from 'vitest';
import type { AccessScope } from '../../../src/core/reader-groups/access-scopes.ts';
import type { ReaderGroupUpdate } from '../../../src/core/reader-groups/reader-group-updates.ts';
import { caller, only, openStore, present, value } from '../store.ts';

const PROJECT: AccessScope = { level: 'PROJECT' };

async function openGroups() {
  const store = await openStore();
  const { backend } = store;
  const update = (change: ReaderGroupUpdate) => backend.updateReaderGroup(caller, change);
  const read = async (groupId: string) => present(await only(backend.readerGroups(caller, [groupId])));
  return { ...store, update, read };
}

const descriptionsOf = (result: unknown): unknown =>
  JSON.parse(JSON.stringify(result), (key, found: unknown) => (key === 'errorCode' ? undefined : found));

describe('updateReaderGroup', () => {
  it('succeeds as in the example of the service, with a result of false', async () => {
    const { update } = await openGroups();
    expect(await update({ groupId: 'none', title: 'T', accessScope: PROJECT })).toEqual({
      ok: true,
      value: { serviceResult: false, warnings: [], information: [], extensionData: null },
    });
  });

  it('is rejected with a title or a description that is too long for lists', async () => {
    const { update, read } = await openGroups();
    const tooLong = { title: 't'.repeat(10_001), description: 'd'.repeat(1_000_001) };
    expect(await update({ groupId: 'none', ...tooLong, accessScope: PROJECT })).toMatchObject({
      error: {
        kind: 'rejected',
        httpStatus: 400,
        serviceErrors: [
          { description: 'The title must have at most 10000 characters.' },
          { description: 'The description must have at most 1000000 characters.' },
        ],
      },
    });
    expect((await read('none')).description).toBe('About none');
  });

  it('keeps absent members', async () => {
    const { update, read } = await openGroups();
    value(await update({ groupId: 'none', title: 'Renamed', accessScope: PROJECT }));
    expect(await read('none')).toEqual({
      groupId: 'none',
      title: 'Renamed',
      description: 'About none',
      readerIds: ['r3', 'r1', 'r2'],
      invitedSsoUserIds: ['i2', 'i1'],
      accessScope: PROJECT,
    });
  });

  it.each<[string, Partial<ReaderGroupUpdate>]>([
    ['title', { title: 'Renamed' }],
    ['description', { description: null }],
    ['readers', { readerIds: ['r5'] }],
    ['scope', { accessScope: { level: 'VERSION', projectVersionIds: ['pv2'] } }],
  ])('changes nothing but the %s where all else is absent', async (_name, change) => {
    const { update, read } = await openGroups();
    const before = await read('category');
    value(await update({ groupId: 'category', ...change }));
    expect(await read('category')).toEqual({ ...before, ...change });
  });

  it('replaces members by the full set in the given order, each stored once', async () => {
    const { update, read } = await openGroups();
    const members = { readerIds: ['r5', 'r3', 'r5', 'r1', 'r3'], invitedSsoUserIds: ['i1', 'i1'] };
    value(await update({ groupId: 'none', title: 'T', accessScope: PROJECT, ...members }));
    expect(await read('none')).toMatchObject({ readerIds: ['r5', 'r3', 'r1'], invitedSsoUserIds: ['i1'] });
  });

  it('removes everybody for an empty list, and clears the description for null', async () => {
    const { update, read } = await openGroups();
    const emptied = { description: null, readerIds: [], invitedSsoUserIds: [] };
    value(await update({ groupId: 'none', title: 'T', accessScope: PROJECT, ...emptied }));
    expect(await read('none')).toMatchObject(emptied);
  });

  it('touches no other group', async () => {
    const { update, read } = await openGroups();
    const before = await Promise.all(['category', 'version', 'language'].map(read));
    const emptied = { description: null, readerIds: [], invitedSsoUserIds: [] };
    value(await update({ groupId: 'none', title: 'T', accessScope: PROJECT, ...emptied }));
    expect(await Promise.all(['category', 'version', 'language'].map(read))).toEqual(before);
  });

  it.each<[AccessScope]>([
    [{ level: 'NONE' }],
    [
      {
        level: 'CATEGORY',
        categories: [
          { projectVersionId: 'pv2', categoryId: 'francais', languageCode: 'fr' },
          { projectVersionId: 'pv1', categoryId: 'basics', languageCode: 'en' },
        ],
      },
    ],
    [{ level: 'VERSION', projectVersionIds: ['pv1', 'pv2'] }],
    [{ level: 'PROJECT' }],
    [{ level: 'LANGUAGE', languages: [{ projectVersionId: 'pv1', languageCode: 'de' }] }],
    [{ level: 'ARTICLE' }],
    [{ level: 'LEVEL_6' }],
  ])('replaces a scope by %j', async (accessScope) => {
    const { update, read } = await openGroups();
    for (const groupId of ['category', 'version', 'language']) {
      value(await update({ groupId, title: 'T', accessScope }));
      expect((await read(groupId)).accessScope).toEqual(accessScope);
    }
  });

  it('reports an unknown group as not found, before all other problems', async () => {
    const { update } = await openGroups();
    const unknown = { groupId: 'nobody', title: 'T', readerIds: ['r9'], accessScope: PROJECT };
    expect(await update(unknown)).toEqual({
      ok: false,
      error: {
        kind: 'reader-group-not-found',
        message: 'The reader group does not exist.',
        serviceErrors: [
          {
            description: 'The reader group Id does not exist.',
            errorCode: null,
            customData: null,
            extensionData: null,
          },
        ],
      },
    });
  });

  const category = (projectVersionId: string, categoryId: string, languageCode: string): AccessScope => ({
    level: 'CATEGORY',
    categories: [{ projectVersionId, categoryId, languageCode }],
  });

  it.each<[string, Partial<ReaderGroupUpdate>, readonly string[]]>([
    ['reader', { readerIds: ['r1', 'r9'] }, ['Reader r9 does not exist.']],
    ['reader, named twice', { readerIds: ['r9', 'r9'] }, ['Reader r9 does not exist.']],
    ['invitation', { invitedSsoUserIds: ['r1'] }, ['Invitation r1 does not exist.']],
    [
      'project version',
      { accessScope: { level: 'VERSION', projectVersionIds: ['pv1', 'pv9'] } },
      ['Project version pv9 does not exist.'],
    ],
    [
      'project version of a category',
      { accessScope: category('pv9', 'guides', 'en') },
      ['Project version pv9 does not exist.'],
    ],
    [
      'category',
      { accessScope: category('pv1', 'nowhere', 'en') },
      ['Category nowhere does not exist in project version pv1.'],
    ],
    [
      'category, of another project version',
      { accessScope: category('pv2', 'guides', 'fr') },
      ['Category guides does not exist in project version pv2.'],
    ],
    [
      'language of a category',
      { accessScope: category('pv1', 'guides', 'fr') },
      ['Language fr does not exist in project version pv1.'],
    ],
    [
      'language',
      { accessScope: { level: 'LANGUAGE', languages: [{ projectVersionId: 'pv2', languageCode: 'de' }] } },
      ['Language de does not exist in project version pv2.'],
    ],
    [
      'thing at all, in the order of the update',
      { readerIds: ['r9', 'r8'], invitedSsoUserIds: ['i9'], accessScope: category('pv1', 'nowhere', 'xx') },
      [
        'Reader r9 does not exist.',
        'Reader r8 does not exist.',
        'Invitation i9 does not exist.',
        'Category nowhere does not exist in project version pv1.',
        'Language xx does not exist in project version pv1.',
      ],
    ],
  ])('rejects an unknown %s, and changes nothing', async (_what, wrong, findings) => {
    const { update, read } = await openGroups();
    const before = await read('none');
    const result = await update({
      groupId: 'none',
      title: 'Never',
      description: 'Never',
      accessScope: PROJECT,
      ...wrong,
    });
    expect(descriptionsOf(result)).toEqual({
      ok: false,
      error: {
        kind: 'rejected',
        message: findings.join(' '),
        httpStatus: 400,
        mayHaveApplied: false,
        serviceErrors: findings.map((description) => ({ description, customData: null, extensionData: null })),
        warnings: [],
        information: [],
      },
    });
    expect(await read('none')).toEqual(before);
  });

  it('costs the same number of statements for one member and for hundreds', async () => {
    const { update, counted } = await openGroups();
    const costOf = async (readerIds: readonly string[]) =>
      (await counted(() => update({ groupId: 'none', title: 'T', accessScope: PROJECT, readerIds }))).statements.length;
    const many = Array.from({ length: 900 }, (_, index) => `r${(index % 6) + 1}`);
    expect(await costOf(many)).toBe(await costOf(['r1']));
  });

  it('checks and stores a large scope by several statements, so that none keeps the event loop for long', async () => {
    const { update, counted } = await openGroups();
    const accessScope = { level: 'VERSION', projectVersionIds: Array.from({ length: 10_000 }, () => 'pv1') } as const;
    const { value, statements } = await counted(() => update({ groupId: 'none', title: 'T', accessScope }));
    expect(value).toMatchObject({ ok: true });
    expect(statements.filter((text) => text.startsWith('insert into "reader_group_scopes"'))).toHaveLength(5);
    expect(statements.filter((text) => text.includes('"project_versions" as "p"'))).toHaveLength(5);
  });

  it('keeps the members that concurrent updates of one group leave out', async () => {
    const { update, read } = await openGroups();
    const results = await Promise.all([
      update({ groupId: 'none', title: 'A', accessScope: PROJECT, readerIds: ['r5'] }),
      update({ groupId: 'none', title: 'B', accessScope: PROJECT, invitedSsoUserIds: [] }),
      update({ groupId: 'none', title: 'C', accessScope: PROJECT, description: 'C' }),
    ]);
    for (const result of results) expect(result.ok).toBe(true);
    const group = await read('none');
    expect(group).toMatchObject({ description: 'C', readerIds: ['r5'], invitedSsoUserIds: [] });
    expect(['A', 'B', 'C']).toContain(group.title);
  });
});

describe('changeReaderGroupMembers', () => {
  const NOBODY = { addReaderIds: [], removeReaderIds: [], addInvitedSsoUserIds: [], removeInvitedSsoUserIds: [] };

  it('adds and removes, keeps everybody and everything else, and reports', async () => {
    const { backend, read } = await openGroups();
    const before = await read('version');
    const change = { ...NOBODY, groupId: 'version', addReaderIds: ['r4', 'r5'], removeReaderIds: ['r1', 'r2'] };
    expect(await backend.changeReaderGroupMembers(caller, change)).toEqual({
      ok: true,
      value: {
        readers: { added: ['r5'], removed: ['r1'], alreadyMembers: ['r4'], notMembers: ['r2'] },
        invitedSsoUsers: { added: [], removed: [], alreadyMembers: [], notMembers: [] },
        warnings: [],
        information: [],
        extensionData: null,
      },
    });
    expect(await read('version')).toEqual({ ...before, readerIds: ['r4', 'r5'] });
  });

  it('loses nobody in concurrent changes of one group', async () => {
    const { backend, read } = await openGroups();
    const changes = ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'].map((id) => ({
      ...NOBODY,
      groupId: 'project',
      addReaderIds: [id],
    }));
    await Promise.all(changes.map((change) => backend.changeReaderGroupMembers(caller, change)));
    expect((await read('project')).readerIds.toSorted()).toEqual(['r1', 'r2', 'r3', 'r4', 'r5', 'r6']);
  });

  it('writes nothing when nothing changes', async () => {
    const { backend, counted } = await openGroups();
    const change = { ...NOBODY, groupId: 'version', addReaderIds: ['r1'], removeReaderIds: ['r2'] };
    const { statements } = await counted(() => backend.changeReaderGroupMembers(caller, change));
    expect(statements.filter((text) => /^(?:insert|update|delete)/u.test(text))).toEqual([]);
  });

  it('rejects unknown members, and changes nothing', async () => {
    const { backend, read } = await openGroups();
    const before = await read('version');
    const change = { ...NOBODY, groupId: 'version', addReaderIds: ['r5', 'r9'], addInvitedSsoUserIds: ['i9'] };
    expect(await backend.changeReaderGroupMembers(caller, change)).toMatchObject({
      ok: false,
      error: {
        kind: 'rejected',
        serviceErrors: [{ description: 'Reader r9 does not exist.' }, { description: 'Invitation i9 does not exist.' }],
      },
    });
    expect(await read('version')).toEqual(before);
  });

  it('reports an unknown group as not found', async () => {
    const { backend } = await openGroups();
    const change = { ...NOBODY, groupId: 'nobody', addReaderIds: ['r1'] };
    expect(await backend.changeReaderGroupMembers(caller, change)).toMatchObject({
      error: { kind: 'reader-group-not-found' },
    });
  });
});
