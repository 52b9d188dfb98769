import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeReaderGroupReplacement, encodeReaderGroupReplacement } from '../../../src/service/v2/reader-groups.ts';
import { overTheWire, replacement } from '../../support/arbitraries.ts';

const PLAIN = { access_level: 0, categories: null, project_versions: null, languages: null };
const CATEGORY = { project_version_id: 'v', category_id: 'c', language_code: 'en' };
const LANGUAGE = { project_version_id: 'v', language_code: 'en' };

const findings = (body: unknown): readonly (string | null)[] => {
  const decoded = decodeReaderGroupReplacement('g', body);
  return decoded.ok ? [] : decoded.error.map(({ description }) => description);
};

describe('encodeReaderGroupReplacement', () => {
  it('states every member, and the lists of other levels as null', () => {
    const accessScope = { level: 'VERSION', projectVersionIds: ['v'] } as const;
    const group = { groupId: 'g', title: 'T', description: null, readerIds: [], invitedSsoUserIds: ['i'], accessScope };
    expect(encodeReaderGroupReplacement(group)).toEqual({
      title: 'T',
      description: null,
      associated_readers: [],
      access_scope: { access_level: 2, categories: null, project_versions: ['v'], languages: null },
      associated_invited_sso_users: ['i'],
    });
  });

  it('is undone by decodeReaderGroupReplacement', () => {
    fc.assert(
      fc.property(replacement, (group) => {
        const body = overTheWire(encodeReaderGroupReplacement(group));
        expect(decodeReaderGroupReplacement(group.groupId, body)).toEqual({ ok: true, value: group });
      }),
    );
  });
});

describe('decodeReaderGroupReplacement', () => {
  it.each([{}, { associated_readers: null, associated_invited_sso_users: null, description: null }])(
    'empties what is absent or null: %j',
    (members) => {
      expect(decodeReaderGroupReplacement('g', { title: 'T', access_scope: PLAIN, ...members })).toMatchObject({
        ok: true,
        value: { description: null, readerIds: [], invitedSsoUserIds: [] },
      });
    },
  );

  it.each([undefined, null, {}, { title: null, access_scope: null }, { title: '' }])(
    'finds title and access scope missing in %j, in the words of the service',
    (body) => {
      expect(findings(body)).toEqual(['The Title field is required.', 'The AccessScope field is required.']);
    },
  );

  it.each([..."~`!@#$%^&*)(+=|][{};:?/>'.,"])('rejects the character %s in a title', (character) => {
    expect(findings({ title: `a${character}b`, access_scope: PLAIN })).toEqual([
      `The Title field must not contain ${character}.`,
    ]);
  });

  it.each(['a b', '-_<"\\', 'Ünïcödé 組', ' '])('accepts the title %j', (title) => {
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
  ])('requires %s', (_, access_scope, expected) => {
    expect(findings({ title: 'T', access_scope })).toEqual(expected);
  });

  it.each([0, 3, 5, 6])('accepts level %i with its lists absent, null or []', (access_level) => {
    for (const lists of [{}, { categories: null, languages: null }, { categories: [], project_versions: [] }]) {
      expect(findings({ title: 'T', access_scope: { access_level, ...lists } })).toEqual([]);
    }
  });

  it.each([[[]], 'text', 5, true])('does not accept %j as a group', (body) => {
    expect(findings(body)).toEqual([expect.stringMatching(/^\$: /u)]);
  });

  it('lists the findings of title and scope together', () => {
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
  ])('names the path of %s', (_, body, path) => {
    const texts = findings({ title: 'T', ...body });
    expect(texts).toHaveLength(1);
    expect(texts[0]?.slice(0, path.length)).toBe(path);
  });
});
