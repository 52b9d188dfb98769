import { list, times } from '../support/repeat.ts';

/** A request of an allowed size that costs the server as much as possible. */
export interface Expensive {
  readonly name: string;
  /** JSON, or a text that claims to be JSON. */
  readonly body: string;
}

const of = (name: string, query: string, variables: object = {}): Expensive => ({
  name,
  body: JSON.stringify({ query, variables }),
});

const MB = 1_000_000;
const ALL = 'articles(first: 100)';
const BULK = 'mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }';
const GROUP = 'mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { __typename } }';
const group = { groupId: 'group-0', title: 'Group', accessScope: { level: 'PROJECT' } };

const ENTITIES =
  'query ($list: [_Any!]!) { _entities(representations: $list) { ... on Article { content category { name } } } }';
const article = { __typename: 'Article', languageCode: 'en' };

const DOCUMENTS: readonly Expensive[] = [
  of('fields of one name', `{ projectVersions { ${times(999, () => 'name')} } }`),
  of('selections to merge', `{ ${times(48, () => `${ALL} { nodes { ${times(18, () => 'title')} } }`)} }`),
  of(
    'fragments to merge',
    `{ ${ALL} { nodes { ${times(300, (n) => `...F${n}`)} } } } ${times(300, (n) => `fragment F${n} on Article { title slug }`)}`,
  ),
  of(
    'fragments of fragments',
    `{ ...F0 } ${times(190, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${Math.min(190, n + 2)} }`)} fragment F190 on Query { __typename }`,
  ),
  of('variables', `query (${times(1_200, (n) => `$v${n}: Int`)}) { __typename }`),
  of('unknown arguments', `{ ${times(45, (n) => `a${n}: article(${times(30, (k) => `arg${k}: 1`)}) { title }`)} }`),
  of('long unknown names', `{ ${times(19, (n) => 'n'.repeat(3_000) + n)} }`),
  of(
    'operations',
    times(900, (n) => `query Q${n} { __typename }`),
  ),
  of('brackets', '['.repeat(60_000)),
  of('comments', `${'#\n'.repeat(30_000)}{ __typename }`),
  of('a block string', `{ node(id: """${'\\n "" '.repeat(10_000)}""") { id } }`),
];

/** Reads with large answers. */
export const EXPENSIVE_READS: readonly Expensive[] = [
  of('many fields', `{ ${ALL} { nodes { category { ${ALL} { nodes { ${times(20, (n) => `a${n}: title`)} } } } } } }`),
  of(
    'too many fields',
    `{ ${ALL} { nodes { category { ${ALL} { nodes { ${times(90, (n) => `a${n}: title`)} } } } } } }`,
  ),
  of(
    'lists in lists',
    `{ ${ALL} { nodes { category { articles(first: 40) { nodes { category { articles(first: 60) { nodes { slug } } } } } } } } }`,
  ),
  of(
    'lists that fail',
    `{ ${ALL} { nodes { category { ${ALL} { nodes { category { articles(first: 0) { totalCount } } } } } } } }`,
  ),
  of('texts', `{ ${ALL} { nodes { ${times(100, (n) => `a${n}: content`)} } } }`),
  of('texts of lists in lists', `{ ${ALL} { nodes { category { ${ALL} { nodes { content } } } } } }`),
  of('members', `{ readerGroups(first: 100) { nodes { ${times(99, (n) => `a${n}: readerIds`)} } } }`),
  of(
    'members of members',
    '{ readerGroups(first: 100) { nodes { readers(first: 100) { nodes { readerId groups { nodes { title } } } } } } }',
  ),
  of(
    'introspection',
    `{ ${times(3, (n) => `a${n}: __schema { types { name fields { name args { type { name ofType { name } } } type { name ofType { name ofType { name } } } } } }`)} }`,
  ),
  of(
    'introspection of introspection',
    '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
  ),
];

const INPUTS: readonly Expensive[] = [
  { name: '10 MB of brackets', body: '['.repeat(10 * MB) },
  { name: '10 MB of objects in objects', body: '{"a":'.repeat(2 * MB) },
  { name: '10 MB of numbers', body: `{"query":"{ __typename }","variables":{"a":[${'1,'.repeat(5 * MB)}1]}}` },
  {
    name: '10 MB of members',
    body: `{"query":"{ __typename }","variables":{${times(290_000, (n) => `"m${n}${'x'.repeat(20)}":1`, ',')}}}`,
  },
  {
    name: 'objects of no common shape',
    body: `{"query":"{ __typename }","variables":{"a":[${times(49_000, (n) => `{"k${n}":1,"l${n}":2}`, ',')}]}}`,
  },
  of('unknown members', GROUP, { input: Object.fromEntries(list(290_000, (n) => [`m${n}`, 1])) }),
  of('a member of 10 MB', GROUP, { input: { ['m'.repeat(9 * MB)]: 1 } }),
  of('an enum value of 10 MB', GROUP, { input: { ...group, accessScope: { level: 'P'.repeat(9 * MB) } } }),
  of('an ID of 10 MB', 'query ($id: ID!) { node(id: $id) { id } article(articleId: $id) { title } }', {
    id: 'x'.repeat(9 * MB),
  }),
  of('a search of 10 MB', 'query ($s: String) { readers(emailContains: $s) { totalCount } }', {
    s: '%_'.repeat(4 * MB),
  }),
  of('a cursor of 10 MB', 'query ($s: String) { readers(after: $s) { totalCount } }', { s: 'x'.repeat(9 * MB) }),
  of('a title of 10 MB', GROUP, { input: { ...group, title: 'a'.repeat(9 * MB) } }),
  of('items without anything', BULK, { input: { articles: list(49_000, () => ({})) } }),
  of('items that all break a rule', BULK, {
    input: { articles: list(10_000, () => ({ articleId: '', order: 0, versionNumber: -1 })) },
  }),
  of('unknown articles', BULK, { input: { articles: list(10_000, (n) => ({ articleId: `none-${n}`, title: 'x' })) } }),
  of('unknown readers', GROUP, { input: { ...group, readerIds: list(49_000, (n) => `none-${n}`) } }),
  of('unknown categories', GROUP, {
    input: {
      ...group,
      accessScope: {
        categories: list(49_000, (n) => ({ projectVersionId: 'v1', categoryId: `none-${n}`, languageCode: 'en' })),
      },
    },
  }),
  of('entities', ENTITIES, { list: list(1_000, (n) => ({ ...article, articleId: `article-${n}` })) }),
  of('entities without a key', ENTITIES, {
    list: list(1_000, () => ({ __typename: 'Article', articleId: 'x'.repeat(9_000) })),
  }),
  of(
    'one list for many fields of entities',
    `query ($list: [_Any!]!) { ${times(50, (n) => `a${n}: _entities(representations: $list) { __typename }`)} }`,
    { list: list(49_000, (n) => ({ ...article, articleId: `none-${n}` })) },
  ),
  of(
    'a list for each of many fields of entities',
    `query (${times(50, (n) => `$l${n}: [_Any!]!`)}) { ${times(50, (n) => `a${n}: _entities(representations: $l${n}) { ... on Article { content } }`)} }`,
    Object.fromEntries(list(50, (n) => [`l${n}`, list(999, (k) => ({ ...article, articleId: `none-${n}-${k}` }))])),
  ),
  of(
    'one list for many mutations',
    `mutation ($input: UpdateReaderGroupInput!) { ${times(50, (n) => `a${n}: updateReaderGroup(input: $input) { __typename }`)} }`,
    { input: { ...group, groupId: 'none', readerIds: list(49_000, (n) => `none-${n}`) } },
  ),
];

export const EXPENSIVE: readonly Expensive[] = [...DOCUMENTS, ...EXPENSIVE_READS, ...INPUTS];
