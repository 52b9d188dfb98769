import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readKnowledgeBaseFile } from '../../../src/store/knowledge-base/file.ts';
import { temporaryFolder, value } from '../store.ts';

type Json = Record<string, unknown>;

/** The smallest document with an entry in every list. `spoil` changes entries by their list. */
const document = (spoil: { readonly [list: string]: (entry: Json) => Json } = {}): Json => {
  const entries = {
    project_versions: { id: 'pv', name: 'v1', is_default: true },
    languages: { code: 'en', name: 'English', is_default: true, project_version_id: 'pv' },
    categories: { id: 'c1', project_version_id: 'pv', parent_category_id: null, name: 'Guides', order: 1 },
    team_accounts: { user_id: 'u1', first_name: 'U', last_name: 'One' },
    articles: {
      id: 'a1',
      project_version_id: 'pv',
      category_id: 'c1',
      slug: 'a1',
      order: 1,
      hidden: false,
      content_type: 'markdown',
      versions: [{ lang_code: 'en', version_number: 1, title: 'One', content: 'Text', translation_option: '0' }],
    },
    readers: { reader_id: 'r1', first_name: 'R', last_name: 'One', email: 'r1@example.com' },
    invited_sso_users: { invitation_id: 'i1', email: 'i1@example.com' },
    reader_groups: {
      reader_group_id: 'g1',
      title: 'Group',
      description: null,
      associated_readers: ['r1'],
      associated_invited_sso_users: ['i1'],
      access_scope: { access_level: 3, categories: null, project_versions: null, languages: null },
    },
  };
  return Object.fromEntries(Object.entries(entries).map(([list, entry]) => [list, [spoil[list]?.(entry) ?? entry]]));
};

const write = (content: string | Uint8Array, name = 'kb.json'): string => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
};

/** The result of a file with this document. */
const parse = (base: unknown) => readKnowledgeBaseFile(write(JSON.stringify(base)));

describe('readKnowledgeBaseFile', () => {
  const expected = {
    project_versions: [{ id: 'pv', name: 'v1', is_default: true }],
    languages: [{ project_version_id: 'pv', code: 'en', name: 'English', is_default: true }],
    categories: [{ id: 'c1', project_version_id: 'pv', parent_category_id: null, name: 'Guides', order: 1 }],
    team_accounts: [{ user_id: 'u1', first_name: 'U', last_name: 'One' }],
    articles: [
      {
        id: 'a1',
        project_version_id: 'pv',
        category_id: 'c1',
        slug: 'a1',
        order: 1,
        hidden: false,
        content_type: 'markdown',
        versions: [{ lang_code: 'en', version_number: 1, title: 'One', content: 'Text', translation_option: '0' }],
      },
    ],
    readers: [{ reader_id: 'r1', first_name: 'R', last_name: 'One', email: 'r1@example.com' }],
    invited_sso_users: [{ invitation_id: 'i1', email: 'i1@example.com' }],
    reader_groups: [
      {
        groupId: 'g1',
        title: 'Group',
        description: null,
        readerIds: ['r1'],
        invitedSsoUserIds: ['i1'],
        accessScope: { level: 'PROJECT' },
      },
    ],
  };
  const json = JSON.stringify(document());

  it.each<[string, string | Uint8Array, string]>([
    ['JSON', json, 'kb.json'],
    ['JSON with a byte order mark', `\uFEFF${json}`, 'kb.json'],
    ['JSON in gzip', gzipSync(json), 'kb.json.gz'],
    ['gzip under another name', gzipSync(json), 'kb'],
  ])('reads %s', async (_what, content, name) => {
    expect(await readKnowledgeBaseFile(write(content, name))).toEqual({ ok: true, value: expected });
  });

  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'the file is not JSON: Unexpected end of JSON input'],
    [
      'half of a document',
      json.slice(0, 200),
      'the file is not JSON: Unterminated string in JSON at position 200 (line 1 column 201)',
    ],
    ['no JSON', 'articles:', `the file is not JSON: Unexpected token 'a', "articles:" is not valid JSON`],
    [
      'a mistake on a later line',
      '{"articles": [\n{},\n{"a":1,\n\nb}]}',
      `the file is not JSON: Expected double-quoted property name in JSON at position 28 (line 5 column 1)`,
    ],
    ['more values than memory has', '['.repeat(300), 'the file must not nest lists and objects more than 256 deep'],
    ['a list twice', '{"readers": [],\n"readers": []}', 'readers: occurs twice (line 2)'],
    ['half of a gzip', gzipSync(json).subarray(0, 100), 'the file is damaged: it cannot be unpacked'],
    ['no UTF-8', Buffer.from('{"source":"\xff"}', 'latin1'), 'the file is not UTF-8'],
    ['a list', '[]', 'must be a JSON object'],
    ['null', 'null', 'must be a JSON object'],
  ])('rejects a file with %s', async (_what, content, message) => {
    expect(await readKnowledgeBaseFile(write(content))).toEqual({ ok: false, error: message });
  });

  it('rejects a file that is too large once unpacked', { tags: 'long' }, async () => {
    const large = gzipSync(Buffer.alloc(257 * 1024 * 1024, ' '));
    const result = await readKnowledgeBaseFile(write(large, 'kb.json.gz'));
    expect(result).toEqual({ ok: false, error: 'the file is larger than 256 MiB' });
  });

  it('reports a missing file', async () => {
    const result = await readKnowledgeBaseFile(join(temporaryFolder(), 'nowhere.json'));
    expect(result).toEqual({ ok: false, error: 'the file cannot be read (ENOENT)' });
  });
});

const version = { lang_code: 'en', version_number: 1, title: 'One', content: 'Text', translation_option: '0' };

const versions = (...entries: readonly unknown[]) => ({
  articles: (article: Json): Json => ({ ...article, versions: entries }),
});

const changed = (list: string, change: Json) => ({ [list]: (entry: Json): Json => ({ ...entry, ...change }) });

const scoped = (access_scope: unknown) => changed('reader_groups', { access_scope });

const WHOLE = 'must be a whole number from 1 to 2147483647';

describe('a knowledge base with a mistake', () => {
  it.each<[string, Parameters<typeof document>[0], string]>([
    ['ID that is missing', changed('articles', { id: undefined }), 'articles[0].id: must be a string'],
    ['ID that is a number', changed('readers', { reader_id: 7 }), 'readers[0].reader_id: must be a string'],
    ['ID that is empty', changed('categories', { id: '' }), 'categories[0].id: must not be empty'],
    [
      'ID that is a path',
      changed('reader_groups', { reader_group_id: '..' }),
      'reader_groups[0].reader_group_id: must have no part "." or ".." between slashes',
    ],
    ['name that is null', changed('project_versions', { name: null }), 'project_versions[0].name: must be a string'],
    [
      'flag that is a text',
      changed('project_versions', { is_default: 'yes' }),
      'project_versions[0].is_default: must be true or false',
    ],
    ['flag that is missing', changed('articles', { hidden: undefined }), 'articles[0].hidden: must be true or false'],
    [
      'order below 0',
      changed('articles', { order: -1 }),
      'articles[0].order: must be a whole number from 0 to 2147483647',
    ],
    [
      'order with a fraction',
      changed('categories', { order: 1.5 }),
      'categories[0].order: must be a whole number from 0 to 2147483647',
    ],
    [
      'unknown editor',
      changed('articles', { content_type: 'word' }),
      'articles[0].content_type: must be one of "markdown", "wysiwyg", "block"',
    ],
    ['versions that are no list', changed('articles', { versions: {} }), 'articles[0].versions: must be a list'],
    ['no version', versions(), 'articles[0].versions: must have at least one entry'],
    ['version that is a text', versions(version, 'two'), 'articles[0].versions[1]: must be an object'],
    ['title that is a number', versions({ ...version, title: 1 }), 'articles[0].versions[0].title: must be a string'],
    [
      'title that is too long',
      versions({ ...version, title: 't'.repeat(10_001) }),
      'articles[0].versions[0].title: must have at most 10000 characters',
    ],
    [
      'title with half of a pair',
      versions({ ...version, title: '\ud800' }),
      'articles[0].versions[0].title: must be well-formed',
    ],
    [
      'content with U+0000',
      versions({ ...version, content: '\0' }),
      'articles[0].versions[0].content: must not contain the character U+0000',
    ],
    ['version 0', versions({ ...version, version_number: 0 }), `articles[0].versions[0].version_number: ${WHOLE}`],
    [
      'version beyond int32',
      versions({ ...version, version_number: 2 ** 31 }),
      `articles[0].versions[0].version_number: ${WHOLE}`,
    ],
    [
      'unknown status',
      versions({ ...version, translation_option: '4' }),
      'articles[0].versions[0].translation_option: must be one of "0", "1", "2", "3", ""',
    ],
    [
      'status that is a number',
      versions({ ...version, translation_option: 0 }),
      'articles[0].versions[0].translation_option: must be one of',
    ],
    [
      'status of the service that no version can have',
      versions({ ...version, status: 1 }),
      'articles[0].versions[0].status: must be 0 (draft) or 3 (published)',
    ],
    [
      'time that is none',
      versions({ ...version, created_at: 'yesterday' }),
      'articles[0].versions[0].created_at: must be a time such as 2024-05-31T09:30:00Z',
    ],
    [
      'unknown contributor',
      versions({ ...version, created_by: 'u9' }),
      'articles[0].versions[0].created_by: there is no team account u9',
    ],
    [
      'unknown author',
      versions({ ...version, authors: ['u1', 'embedded-store', 'u9'] }),
      'articles[0].versions[0].authors[2]: there is no team account u9',
    ],
    [
      'public version that is none',
      changed('articles', { public_version: { en: 2 } }),
      'articles[0].public_version.en: there is no version 2 in the language en',
    ],
    [
      'public version in another language',
      changed('articles', { public_version: { de: 1 } }),
      'articles[0].public_version.de: there is no version 1 in the language de',
    ],
    [
      'public version that is a draft',
      changed('articles', { public_version: { en: 1 } }),
      'articles[0].public_version.en: the status must be 3 (published) of version 1 in the language en',
    ],
    [
      'public version that is no number',
      changed('articles', { public_version: { en: '1' } }),
      `articles[0].public_version.en: ${WHOLE}`,
    ],
    [
      'public versions that are no object',
      changed('articles', { public_version: 1 }),
      'articles[0].public_version: must be an object of version numbers by language code',
    ],
    [
      'title that the service forbids',
      changed('reader_groups', { title: 'A/B?' }),
      'reader_groups[0].title: must not contain / ?',
    ],
    [
      'title of a group that is empty',
      changed('reader_groups', { title: '' }),
      'reader_groups[0].title: must have 1 character or more',
    ],
    [
      'members that are no list',
      changed('reader_groups', { associated_readers: 'r1' }),
      'reader_groups[0].associated_readers: must be a list',
    ],
    [
      'member that is no ID',
      changed('reader_groups', { associated_readers: ['r1', null] }),
      'reader_groups[0].associated_readers[1]: must be a string',
    ],
    ['scope that is missing', scoped(undefined), 'reader_groups[0].access_scope: must be an object'],
    ['scope without a level', scoped({}), 'reader_groups[0].access_scope: The AccessLevel field is required.'],
    [
      'level beyond 6',
      scoped({ access_level: 7 }),
      'reader_groups[0].access_scope: access_scope.access_level must be from 0 to 6; it is 7.',
    ],
    [
      'list that is missing for its level',
      scoped({ access_level: 1, categories: [] }),
      'reader_groups[0].access_scope: access_scope.categories is required when access_level is 1.',
    ],
    [
      'list of another level',
      scoped({ access_level: 3, project_versions: ['pv'] }),
      'reader_groups[0].access_scope: access_scope.project_versions must not be present when access_level is 3.',
    ],
    [
      'scope without a language',
      scoped({ access_level: 4, languages: [{ project_version_id: 'pv' }] }),
      'reader_groups[0].access_scope.languages[0].language_code: must be a string',
    ],
    [
      'unknown project version',
      changed('languages', { project_version_id: 'pv9' }),
      'languages[0].project_version_id: there is no project version pv9',
    ],
    [
      'unknown parent',
      changed('categories', { parent_category_id: 'c9' }),
      'categories[0].parent_category_id: there is no category c9',
    ],
    [
      'category below itself',
      changed('categories', { parent_category_id: 'c1' }),
      'categories[0].parent_category_id: puts the category below itself',
    ],
    [
      'unknown category',
      changed('articles', { category_id: 'c9' }),
      'articles[0].category_id: there is no category c9',
    ],
    [
      'unknown language',
      versions({ ...version, lang_code: 'xx' }),
      'articles[0].versions[0].lang_code: there is no language xx in the project version pv',
    ],
    [
      'version that stands twice',
      versions(version, version),
      'articles[0].versions[1].version_number: occurs at articles[0].versions[0] already',
    ],
    [
      'unknown reader',
      changed('reader_groups', { associated_readers: ['r9'] }),
      'reader_groups[0].associated_readers[0]: there is no reader r9',
    ],
    [
      'unknown invitation',
      changed('reader_groups', { associated_invited_sso_users: ['i9'] }),
      'reader_groups[0].associated_invited_sso_users[0]: there is no invitation i9',
    ],
    [
      'unknown project version in a scope',
      scoped({ access_level: 2, project_versions: ['pv9'] }),
      'reader_groups[0].access_scope.project_versions[0]: there is no project version pv9',
    ],
    [
      'unknown language in a scope',
      scoped({ access_level: 4, languages: [{ project_version_id: 'pv', language_code: 'xx' }] }),
      'reader_groups[0].access_scope.languages[0].language_code: there is no language xx in the project version pv',
    ],
    [
      'unknown category in a scope',
      scoped({ access_level: 1, categories: [{ project_version_id: 'pv', category_id: 'c9', language_code: 'en' }] }),
      'reader_groups[0].access_scope.categories[0].category_id: there is no category c9',
    ],
  ])('is reported with its path: %s', async (_what, spoil, message) => {
    const result = await parse(document(spoil));
    expect(result.ok).toBe(false);
    const lines = result.ok ? [] : result.error.split('\n');
    expect(lines.filter((line) => line.startsWith(message))).toHaveLength(1);
  });

  it.each(Object.keys(document()))('has a list as %s when it has it at all', async (list) => {
    const result = await parse({ ...document(), [list]: null });
    expect(result).toEqual({ ok: false, error: `${list}: must be a list (line 1, value null)` });
  });

  it.each(Object.keys(document()))('has every ID in %s only once', async (list) => {
    const base = document();
    const [entry] = [base[list]].flat();
    const result = await parse({ ...base, [list]: [entry, entry] });
    expect(result).toMatchObject({
      ok: false,
      error: expect.stringMatching(new RegExp(`^${list}\\[1\\]\\.\\w+: occurs at ${list}\\[0\\] already`, 'u')),
    });
  });

  it.each([
    ['project_versions', { id: 'pv2' }],
    ['languages', { code: 'de' }],
  ])('has at most one default in %s', async (list, other) => {
    const base = document();
    const [entry] = [base[list]].flat();
    const result = await parse({ ...base, [list]: [entry, Object.assign({}, entry, other)] });
    expect(result).toEqual({
      ok: false,
      error: expect.stringMatching(
        /^\w+\[1\]\.is_default: is true at \w+\[0\] already \(line 1, ID "(?:pv2|de)", value true\)$/u,
      ),
    });
  });

  it('has no category or parent of another project version, and no circle of parents', async () => {
    const base = document();
    const two = { id: 'pv2', name: 'v2', is_default: false };
    const category = { id: 'c2', project_version_id: 'pv2', parent_category_id: 'c1', name: 'Two', order: null };
    const result = await parse({
      ...base,
      project_versions: [...[base['project_versions']].flat(), two],
      categories: [...[base['categories']].flat(), category],
    });
    expect(result).toEqual({
      ok: false,
      error:
        'categories[1].parent_category_id: there is no category c1 in the project version pv2 (line 1, ID "c2", value "c1")',
    });
    const circle = [
      { ...category, project_version_id: 'pv' },
      { ...category, project_version_id: 'pv', id: 'c1', parent_category_id: 'c2' },
    ];
    expect(await parse({ ...base, categories: circle })).toEqual({
      ok: false,
      error: [
        'categories[0].parent_category_id: puts the category below itself (line 1, ID "c2", value "c1")',
        'categories[1].parent_category_id: puts the category below itself (line 1, ID "c1", value "c2")',
      ].join('\n'),
    });
  });

  // Following the parents of each category anew would take ten minutes.
  it('takes linear time for a chain of 100,000 categories, and reports only those within a circle', {
    tags: 'long',
  }, async () => {
    const base = document();
    const category = { project_version_id: 'pv', name: 'One', order: null };
    const chain = Array.from({ length: 100_000 }, (_, index) => ({
      ...category,
      id: `c${index}`,
      parent_category_id: index === 0 ? null : `c${index - 1}`,
    }));
    expect(await parse({ ...base, categories: chain, articles: [] })).toMatchObject({ ok: true });
    const circle = [{ ...chain[0], parent_category_id: 'c49999' }, ...chain.slice(1)];
    const result = await parse({ ...base, categories: circle, articles: [] });
    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/and 49980 more$/u) });
  });

  it('is listed with up to twenty problems, a count of the rest, and no content', async () => {
    const many = Array.from({ length: 50 }, () => ({ ...version, title: 7, content: ['secret'] }));
    const result = await parse(document(versions(...many)));
    const lines = result.ok ? [] : result.error.split('\n');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('and 80 more');
    expect(lines.join()).not.toContain('secret');
  });
});

describe('a member that the format does not have', () => {
  it.each<[string, Json]>([
    ['articls: is not known here: the members are source, project_versions, languages,', { articls: [] }],
    [
      'articles[0].versions[0].titel: is not known here: the members are ',
      document(versions({ ...version, titel: '' })),
    ],
    [
      'articles[0].categoryId: is not known here: the members are ',
      document(changed('articles', { categoryId: 'c1' })),
    ],
    [
      'reader_groups[0].associated_reader: is not known here: the members are ',
      document(changed('reader_groups', { associated_reader: [] })),
    ],
    [
      'reader_groups[0].access_scope.Languages: is not known here: the members are ',
      document(scoped({ access_level: 3, Languages: [] })),
    ],
    [
      'reader_groups[0].access_scope.languages[0].lang_code: is not known here: the members are ',
      document(
        scoped({ access_level: 4, languages: [{ project_version_id: 'pv', language_code: 'en', lang_code: 'en' }] }),
      ),
    ],
    ['readers[0].__proto__: is not known here', document(changed('readers', JSON.parse('{ "__proto__": {} }')))],
  ])('is reported with its path: %s', async (line, base) => {
    const result = await parse(base);
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining(line) });
  });

  it('is no reason to fail without a message, however many there are in one entry', async () => {
    const associated_readers = Array.from({ length: 200_000 }, (_, index) => index);
    const result = await parse(document(changed('reader_groups', { associated_readers })));
    const lines = result.ok ? [] : result.error.split('\n');
    expect([lines.length, lines[0], lines[20]]).toEqual([
      21,
      'reader_groups[0].associated_readers[0]: must be a string (line 1, ID "g1", value 0)',
      'and many more',
    ]);
  });

  it('is reported beside the other problems, and cannot write to the terminal', async () => {
    const result = await parse(
      document(versions({ ...version, title: undefined, '\u001b[2J\n': '', ['x'.repeat(999)]: '' })),
    );
    const path = 'articles[0].versions[0].';
    const known =
      'is not known here: the members are lang_code, version_number, title, content, translation_option, status, description, created_at, created_by, authors (line 1, ID "a1", value "")';
    expect(result.ok ? [] : result.error.split('\n')).toEqual([
      `${path}title: must be a string (line 1, ID "a1")`,
      `${path}\\u001b[2J\\u000a: ${known}`,
      `${path}${'x'.repeat(200 - path.length)}…: ${known}`,
    ]);
  });
});

describe('a knowledge base without its optional members', () => {
  it('has no entries where a list is missing', async () => {
    const empty = { project_versions: [], languages: [], categories: [], articles: [], readers: [] };
    const nothing = { ...empty, team_accounts: [], invited_sso_users: [], reader_groups: [] };
    expect(value(await parse({}))).toEqual(nothing);
    const reader = { reader_id: 'r1', first_name: null, last_name: null, email: null };
    const read = value(await parse({ source: 'A test', readers: [{ reader_id: 'r1' }] }));
    expect(read).toEqual({ ...nothing, source: 'A test', readers: [reader] });
  });

  it('has null or empty lists instead', async () => {
    const base = document({
      categories: ({ id, name, project_version_id }) => ({ id, name, project_version_id }),
      articles: ({ id, project_version_id, hidden, content_type }) => ({
        id,
        project_version_id,
        hidden,
        content_type,
        order: 0,
        versions: [{ lang_code: 'en', version_number: 1, title: '', translation_option: '' }],
      }),
      readers: ({ reader_id }) => ({ reader_id }),
      reader_groups: ({ reader_group_id, title }) => ({ reader_group_id, title, access_scope: { access_level: 0 } }),
    });
    const read = value(await parse(base));
    expect(read.categories[0]).toMatchObject({ parent_category_id: null, order: null });
    expect(read.articles[0]).toMatchObject({
      category_id: null,
      slug: null,
      order: null,
      versions: [{ title: '', content: null, translation_option: null }],
    });
    expect(read.readers[0]).toEqual({ reader_id: 'r1', first_name: null, last_name: null, email: null });
    expect(read.reader_groups[0]).toMatchObject({ description: null, readerIds: [], invitedSsoUserIds: [] });
  });
});

describe('the place of a mistake', () => {
  it('is the line on which the entry begins, its ID and the value', async () => {
    const base = document({
      ...versions({ ...version, content: 'a "quoted" \\ text\n, with [ { : }' }, { ...version, version_number: 0 }),
      ...changed('readers', { email: 7 }),
    });
    const text = JSON.stringify(base, null, 2);
    const lineOf = (list: string) => text.slice(0, text.indexOf(`"${list}"`)).split('\n').length + 1;
    const result = await readKnowledgeBaseFile(write(text));
    expect(result.ok ? [] : result.error.split('\n')).toEqual([
      `articles[0].versions[1].version_number: ${WHOLE} (line ${lineOf('articles')}, ID "a1", value 0)`,
      `readers[0].email: must be a string (line ${lineOf('readers')}, ID "r1", value 7)`,
    ]);
  });

  it('is the same for a reference', async () => {
    const { categories, ...base } = document();
    const [category] = [categories].flat();
    const text = JSON.stringify(
      { ...base, categories: [category, Object.assign({}, category, { id: 'c2' })] },
      null,
      2,
    );
    const spoilt = text.replace('"category_id": "c1"', '"category_id": "c9"');
    const line = spoilt.slice(0, spoilt.indexOf('"articles"')).split('\n').length + 1;
    expect(await readKnowledgeBaseFile(write(spoilt))).toEqual({
      ok: false,
      error: `articles[0].category_id: there is no category c9 in the project version pv (line ${line}, ID "a1", value "c9")`,
    });
  });

  it('shows the beginning of a long value', async () => {
    const result = await parse(document(versions({ ...version, title: 't'.repeat(20_000) })));
    expect(result.ok ? '' : result.error).toMatch(/value "t{59}…\)$/u);
  });
});
