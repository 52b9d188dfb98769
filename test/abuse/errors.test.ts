import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { times } from '../support/repeat.ts';
import { readRejection } from './rejections.ts';

const BULK = 'mutation ($input: BulkUpdateArticlesInput!) { bulkUpdateArticles(input: $input) { __typename } }';
const GROUP = 'mutation ($input: UpdateReaderGroupInput!) { updateReaderGroup(input: $input) { __typename } }';

/** Invalid requests to which graphql-js responds with a long message, or with a suggestion. */
const WRONG: readonly (readonly [what: string, query: string, variables?: object])[] = [
  ['hundreds of unknown fields', `{ projectVersions { ${times(900, (n) => `nam${n}`)} } }`],
  ['fields with long names', `{ projectVersions { ${times(19, (n) => 'n'.repeat(3_000) + n)} } }`],
  ['a field that is nearly right', '{ readerGroup { title } readerGrops { nodes { title } } }'],
  ['an argument that is nearly right', '{ readerGroups(frist: 1) { totalCount } }'],
  ['a type that is nearly right', '{ nodes(ids: []) { ... on Artikle { id } } }'],
  [
    'an enum value that is nearly right',
    'mutation { updateReaderGroup(input: { groupId: "g1", title: "x", accessScope: { level: PROJEKT } }) { __typename } }',
  ],
  [
    'an input field that is nearly right',
    'mutation { updateReaderGroup(input: { groupId: "g1", titel: "x", accessScope: { level: PROJECT } }) { __typename } }',
  ],
  ['a directive that is nearly right', '{ __typename @inclde(if: true) }'],
  ['a fragment that is nearly right', '{ ...Fragmnt } fragment Fragment on Query { __typename }'],
  [
    'variables that are nearly right',
    GROUP,
    { input: { groupId: 'g1', titel: 'x', accessScope: { level: 'PROJEKT' } } },
  ],
  [
    'variables of hundreds of problems',
    BULK,
    { input: { articles: Array.from({ length: 900 }, () => ({ order: 'x' })) } },
  ],
  [
    'a long value of a variable',
    GROUP,
    { input: { groupId: 'x'.repeat(40_000), title: 3, accessScope: { level: 'PROJECT' } } },
  ],
  [
    'a value that is long in JSON',
    GROUP,
    { input: { groupId: 'g1', title: 'x', accessScope: { level: '\0'.repeat(40_000) } } },
  ],
  ['fields that conflict', `{ projectVersions { ${times(400, (n) => (n % 2 ? 'name' : 'name: id'))} } }`],
  ['fragments that are not used', `${times(400, (n) => `fragment F${n} on Query { __typename }`)} { __typename }`],
  ['operations with the same name', times(400, () => 'query Q { __typename }')],
  ['the name of an unknown operation', '{ __typename }', {}],
  ['no operation at all', 'fragment F on Query { __typename }'],
  ['a subscription', 'subscription { a }'],
  ['a definition of a type', 'type Query { a: Int }'],
  ['a string that does not end', '{ a(b: "'],
  ['an odd character', '{ \u0000 }'],
];

const CASES = WRONG.map(([what, query, variables = {}]) => ({ what, query, variables }));

/** The longest that is taken. It counts towards the size of a rejection. */
const ID = 'x'.repeat(128);

describe.each([
  ['on', true],
  ['off', false],
])('with INTROSPECTION=%s, a request with', (_setting, introspection) => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN, introspection });
  });
  afterAll(() => gateway.close());

  const post = (operation: object, headers: Record<string, string>) =>
    fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', api_token: TOKEN, 'x-request-id': ID, ...headers },
      body: JSON.stringify(operation),
    });

  it.each(CASES)('$what is rejected with a short message', async ({ what, query, variables }) => {
    const operation = { query, variables, ...(what.startsWith('the name') && { operationName: 'Other' }) };
    const accept = 'application/graphql-response+json';
    const { status, text } = await readRejection(await post(operation, { accept }));
    expect(status).toBe(400);
    if (!introspection) expect(text).not.toContain('Did you mean');
    const throughYoga = { accept, 'content-type': 'application/json;  charset=utf-8' };
    expect((await readRejection(await post(operation, throughYoga))).text).toBe(text);
    const legacy = await readRejection(await post(operation, { accept: 'application/json' }));
    expect([200, 400]).toContain(legacy.status);
    expect(legacy.text).toBe(text);
  });
});

describe('an error next to data', () => {
  it('is not limited in number', async () => {
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    const query = `{ ${times(40, (n) => `a${n}: readerGroups(first: 0) { totalCount }`)} projectVersions { name } }`;
    const { status, body } = await gateway.send(query);
    await gateway.close();
    expect([status, body.errors?.length, body.data?.['projectVersions']]).toEqual([200, 40, expect.any(Array)]);
  });
});

describe('suggestions', () => {
  it('are made when introspection is on', async () => {
    const gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
    const { body } = await gateway.send('{ readerGrops { totalCount } }');
    await gateway.close();
    expect(body.errors?.[0]?.message).toContain('Did you mean "readerGroups"');
  });
});
