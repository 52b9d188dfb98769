import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payloadOf } from '../../../src/service/v2/envelope.ts';
import { UnreadableMember } from '../../../src/service/v2/fields.ts';
import { decodeReaderGroup, encodeReaderGroup } from '../../../src/service/v2/reader-groups.ts';
import { overTheWire, replacement } from '../../support/arbitraries.ts';
import { fixture } from '../../support/fixtures.ts';

const PLAIN = { access_level: 0, categories: null, project_versions: null, languages: null };
const CATEGORY = { project_version_id: 'v', category_id: 'c', language_code: 'en' };

describe('decodeReaderGroup', () => {
  it('undoes encodeReaderGroup, but for the JSON that a scope of level 6 keeps', () => {
    fc.assert(
      fc.property(replacement, (group) => {
        const encoded = overTheWire(encodeReaderGroup(group));
        const decoded = decodeReaderGroup(encoded);
        expect(decoded).toMatchObject(group);
        expect(Object.keys(decoded?.accessScope ?? {}).filter((name) => !(name in group.accessScope))).toEqual(
          group.accessScope.level === 'LEVEL_6' ? ['json'] : [],
        );
        expect(decoded && overTheWire(encodeReaderGroup(decoded))).toEqual(encoded);
      }),
    );
  });

  it('reads the published group, and encodeReaderGroup writes it again', () => {
    const payload = payloadOf(fixture('reader-group').body);
    const group = decodeReaderGroup(payload);
    expect(group).toMatchObject({
      groupId: 'c3f0a7a4-55a2-4f0c-8f5e-0d4b2c1e9001',
      readerIds: ['d1a2b3c4-0000-4a00-8b00-00000000a001', 'd1a2b3c4-0000-4a00-8b00-00000000a002'],
      invitedSsoUserIds: ['d1a2b3c4-0000-4a00-8b00-00000000b001'],
      accessScope: { level: 'CATEGORY', categories: [{ languageCode: 'en' }] },
    });
    expect(group && JSON.stringify(encodeReaderGroup(group))).toBe(JSON.stringify(payload));
  });

  const readable = { reader_group_id: 'g', title: 'T', access_scope: PLAIN };

  it('reads absent member lists as empty', () => {
    expect(decodeReaderGroup(readable)).toMatchObject({ readerIds: [], invitedSsoUserIds: [], description: null });
  });

  it.each([
    ['members that are no list', { associated_readers: 'r' }],
    ['a member that is no text', { associated_readers: ['r', null] }],
    ['invitations that are no list', { associated_invited_sso_users: {} }],
  ])('does not read a group with %s, which would lose members when it is written back', (_, members) => {
    expect(() => decodeReaderGroup({ ...readable, ...members })).toThrow(UnreadableMember);
  });

  it('reads the entries of the published list', () => {
    const groups = [payloadOf(fixture('reader-groups').body)].flat().map(decodeReaderGroup);
    expect(groups.map((group) => [group?.title, group?.accessScope.level])).toEqual([
      ['Partners', 'PROJECT'],
      ['Languages', 'LANGUAGE'],
    ]);
  });

  it.each([{}, { reader_group_id: '' }, { reader_group_id: null }])('does not read %j', (payload) => {
    expect(decodeReaderGroup(payload)).toBeNull();
  });

  it.each([
    ['a level that is not known', { access_level: 9 }, 9],
    ['no level', { access_level: null }, -1],
    ['no scope', null, -1],
    [
      'a category that lacks its language',
      { access_level: 1, categories: [CATEGORY, { ...CATEGORY, language_code: null }] },
      1,
    ],
    ['a list that is none', { access_level: 2, project_versions: 'v' }, 2],
  ])('reads %s as unrecognized, so that no half of a scope is written back', (_, access_scope, rawLevel) => {
    expect(decodeReaderGroup({ ...readable, access_scope })).toMatchObject({
      accessScope: { level: 'UNRECOGNIZED', rawLevel },
    });
  });

  it('ignores the lists of other levels', () => {
    const access_scope = { access_level: 3, categories: ['?'], languages: 5 };
    expect(decodeReaderGroup({ ...readable, access_scope })).toMatchObject({ accessScope: { level: 'PROJECT' } });
  });
});
