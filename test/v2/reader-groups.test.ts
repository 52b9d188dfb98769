import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payloadOf } from '../../src/v2/envelope.ts';
import {
  decodeReaderGroup,
  decodeReaderGroups,
  decodeReplacement,
  encodeReaderGroup,
  encodeReplacement,
} from '../../src/v2/reader-groups.ts';
import { overTheWire, replacement } from '../support/arbitraries.ts';
import { fixture } from '../support/fixtures.ts';

const PLAIN = { access_level: 0, categories: null, project_versions: null, languages: null };
const CATEGORY = { project_version_id: 'v', category_id: 'c', language_code: 'en' };
const LANGUAGE = { project_version_id: 'v', language_code: 'en' };

const findings = (body: unknown): readonly (string | null)[] => {
  const decoded = decodeReplacement('g', body);
  return decoded.ok ? [] : decoded.error.map(({ description }) => description);
};

describe('encodeReplacement', () => {
  it('states every member, and the lists of other levels as null', () => {
    const accessScope = { level: 'VERSION', projectVersionIds: ['v'] } as const;
    const group = { groupId: 'g', title: 'T', description: null, readerIds: [], invitedSsoUserIds: ['i'], accessScope };
    expect(encodeReplacement(group)).toEqual({
      title: 'T',
      description: null,
      associated_readers: [],
      access_scope: { access_level: 2, categories: null, project_versions: ['v'], languages: null },
      associated_invited_sso_users: ['i'],
    });
  });

  it('is undone by decodeReplacement', () => {
    fc.assert(
      fc.property(replacement, (group) => {
        const body = overTheWire(encodeReplacement(group));
        expect(decodeReplacement(group.groupId, body)).toEqual({ ok: true, value: group });
      }),
    );
  });
});

describe('decodeReplacement', () => {
  it.each([{}, { associated_readers: null, associated_invited_sso_users: null, description: null }])(
    'empties what is absent or null: %j',
    (members) => {
      expect(decodeReplacement('g', { title: 'T', access_scope: PLAIN, ...members })).toMatchObject({
        ok: true,
        value: { description: null, readerIds: [], invitedSsoUserIds: [] },
      });
    },
  );

  it.each([undefined, null, {}, { title: null, access_scope: null }, { title: '' }])(
    'finds title and access scope missing in %j, in the words of the spec',
    (body) => {
      expect(findings(body)).toEqual(['The Title field is required.', 'The AccessScope field is required.']);
    },
  );

  it.each([..."~`!@#$%^&*)(+=|][{};:?/>'.,"])('refuses the character %s in a title', (character) => {
    expect(findings({ title: `a${character}b`, access_scope: PLAIN })).toEqual([
      `The Title field must not contain ${character}.`,
    ]);
  });

  it.each(['a b', '-_<"\\', 'Ünïcödé 組', ' '])('takes the title %j', (title) => {
    expect(findings({ title, access_scope: PLAIN })).toEqual([]);
  });

  it.each([
    ['a list for its level', { access_level: 1 }, ['access_scope.categories is required when access_level is 1.']],
    [
      'a list with items',
      { access_level: 2, project_versions: [] },
      ['access_scope.project_versions is required when access_level is 2.'],
    ],
    [
      'the right list',
      { access_level: 4, project_versions: ['v'] },
      [
        'access_scope.languages is required when access_level is 4.',
        'access_scope.project_versions must not be present when access_level is 4.',
      ],
    ],
    [
      'no list',
      { access_level: 3, categories: [CATEGORY], languages: [LANGUAGE] },
      [
        'access_scope.categories must not be present when access_level is 3.',
        'access_scope.languages must not be present when access_level is 3.',
      ],
    ],
    ['a level', {}, ['The AccessLevel field is required.']],
    ['a level from 0', { access_level: -1 }, ['access_scope.access_level must be from 0 to 6; it is -1.']],
    ['a level up to 6', { access_level: 7 }, ['access_scope.access_level must be from 0 to 6; it is 7.']],
  ])('wants %s', (_, access_scope, expected) => {
    expect(findings({ title: 'T', access_scope })).toEqual(expected);
  });

  it.each([0, 3, 5, 6])('takes level %i with its lists absent, null or []', (access_level) => {
    for (const lists of [{}, { categories: null, languages: null }, { categories: [], project_versions: [] }]) {
      expect(findings({ title: 'T', access_scope: { access_level, ...lists } })).toEqual([]);
    }
  });

  it.each([[[]], 'text', 5, true])('does not take %j for a group', (body) => {
    expect(findings(body)).toEqual([expect.stringMatching(/^\$: /u)]);
  });

  it('lists what is wrong with title and scope together', () => {
    expect(findings({ title: 'a.b', description: '\0', access_scope: { access_level: 1 } })).toHaveLength(3);
  });

  it.each([
    ['a title that is a number', { title: 5 }, '$.title: '],
    ['a level that is text', { access_scope: { access_level: '1' } }, '$.access_scope.access_level: '],
    [
      'an empty category ID',
      { access_scope: { categories: [CATEGORY, { ...CATEGORY, category_id: '' }] } },
      '$.access_scope.categories[1].category_id: ',
    ],
    [
      'a language scope without its language',
      { access_scope: { languages: [{ project_version_id: 'v' }] } },
      '$.access_scope.languages[0].language_code: ',
    ],
    ['a reader ID that is null', { associated_readers: ['r', null] }, '$.associated_readers[1]: '],
    ['an empty invitation ID', { associated_invited_sso_users: [''] }, '$.associated_invited_sso_users[0]: '],
    ['U+0000 in a reader ID', { associated_readers: ['a\0'] }, '$.associated_readers[0]: '],
    ['readers that are no list', { associated_readers: 'r' }, '$.associated_readers: '],
  ])('names the place of %s', (_, body, place) => {
    const texts = findings({ title: 'T', ...body });
    expect(texts).toHaveLength(1);
    expect(texts[0]?.slice(0, place.length)).toBe(place);
  });
});

describe('decodeReaderGroup', () => {
  it('undoes encodeReaderGroup', () => {
    fc.assert(
      fc.property(replacement, (group) => {
        expect(decodeReaderGroup(overTheWire(encodeReaderGroup(group)))).toEqual(group);
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

  it('takes absent member lists as empty', () => {
    expect(decodeReaderGroup(readable)).toMatchObject({ readerIds: [], invitedSsoUserIds: [], description: null });
  });

  it.each([
    ['members that are no list', { associated_readers: 'r' }],
    ['a member that is no text', { associated_readers: ['r', null] }],
    ['invitations that are no list', { associated_invited_sso_users: {} }],
    ['no ID', { reader_group_id: undefined }],
    ['an empty ID', { reader_group_id: '' }],
  ])('does not read a group with %s: written back, it would lose members', (_, members) => {
    expect(decodeReaderGroup({ ...readable, ...members })).toBeNull();
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

  it('does not mind what stands in the lists of other levels', () => {
    const access_scope = { access_level: 3, categories: ['?'], languages: 5 };
    expect(decodeReaderGroup({ ...readable, access_scope })).toMatchObject({ accessScope: { level: 'PROJECT' } });
  });
});

describe('decodeReaderGroups', () => {
  it('reads the published list', () => {
    const groups = decodeReaderGroups(payloadOf(fixture('reader-groups').body));
    expect(groups?.map(({ title, accessScope }) => [title, accessScope.level])).toEqual([
      ['Partners', 'PROJECT'],
      ['Languages', 'LANGUAGE'],
    ]);
  });

  it.each([undefined, null, {}, 'x'])('does not read %j as a list', (payload) => {
    expect(decodeReaderGroups(payload)).toBeNull();
  });
});
