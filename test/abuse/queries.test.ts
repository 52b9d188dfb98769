import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { times } from '../support/repeat.ts';
import { readRejection } from './rejections.ts';

/** For each limit, a document of a given size, and the largest size that is accepted. */
const LIMITED: readonly (readonly [what: string, document: (size: number) => string, largest: number])[] = [
  ['bytes', (size) => '{ __typename }'.padEnd(size, ' '), 65_536],
  ['bytes that are no characters', (size) => `{ __typename } # ${'ä'.repeat(Math.ceil((size - 17) / 2))}`, 65_535],
  ['tokens', (size) => `{ node(id: "x", ids: [${times(size - 15, () => '1')}]) { id } }`, 3_000],
  ['depth', (size) => `${'{ a '.repeat(size)}${'}'.repeat(size)}`, 16],
  ['fields', (size) => `{ projectVersions { ${times(size - 1, () => 'name')} } }`, 1_000],
  ['fields at the root', (size) => `{ ${times(size, () => '__typename')} }`, 50],
  ['aliases', (size) => `{ projectVersions { ${times(size, (index) => `a${index}: name`)} } }`, 100],
  ['directives on a field', (size) => `{ __typename ${times(size, () => '@include(if: true)')} }`, 5],
  ['directives on a fragment', (size) => `{ ... ${times(size, () => '@include(if: true)')} { __typename } }`, 5],
  ['directives on an operation', (size) => `query ${times(size, () => '@a')} { __typename }`, 5],
  ['directives on a variable', (size) => `query ($a: Int ${times(size, () => '@a')}) { __typename }`, 5],
  ['brackets', (size) => `{ node(id: ${'['.repeat(size - 2)}${']'.repeat(size - 2)}) { id } }`, 200],
  ['nested inline fragments', (size) => `${'{ ... '.repeat(size - 1)}{ __typename }${'}'.repeat(size - 1)}`, 200],
  [
    'nested fragments',
    (size) =>
      `{ ...F1 } ${times(size - 1, (index) => `fragment F${index + 1} on Query { ...F${index + 2} }`)} fragment F${size} on Query { __typename }`,
    200,
  ],
];

describe('a document', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ backend: await openFixtureStore(), local: true, token: TOKEN });
  });
  afterAll(() => gateway.close());

  // Plain POSTs take the fast path; the same media type in another notation does not.
  const post = (query: string, contentType = 'application/json', accept = 'application/graphql-response+json') =>
    fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': contentType, accept, api_token: TOKEN },
      body: JSON.stringify({ query }),
    });

  describe.each(['application/json', 'application/json;  charset=utf-8'])('sent as %s', (contentType) => {
    it.each(LIMITED)('is rejected for one too many of its %s', async (_what, document, largest) => {
      const { status, errors } = await readRejection(await post(document(largest + 1), contentType));
      expect([status, errors.map(({ extensions }) => extensions.code)]).toEqual([400, ['LIMIT_EXCEEDED']]);
    });

    it.each(LIMITED)('is not rejected for the allowed number of its %s', async (_what, document, largest) => {
      expect(await (await post(document(largest), contentType)).text()).not.toContain('LIMIT_EXCEEDED');
    });
  });

  it.each([
    ['that spreads itself', '{ ...F } fragment F on Query { __typename ...F }'],
    ['whose fragments spread each other', '{ ...F } fragment F on Query { ...G } fragment G on Query { ...F }'],
    ['whose unused fragment spreads itself', '{ __typename } fragment F on Query { ...F }'],
    [
      'that spreads itself deep down',
      '{ ...F } fragment F on Query { projectVersions { name ... on ProjectVersion { ...G } } } fragment G on ProjectVersion { languages { ...H } } fragment H on Language { ...F }',
    ],
  ])('%s is rejected', async (_what, query) => {
    const { status, errors } = await readRejection(await post(query));
    expect([status, errors[0]?.extensions.code]).toEqual([400, 'LIMIT_EXCEEDED']);
    expect(errors[0]?.message).toContain('must not spread itself');
  });

  it('whose fragments grow exponentially is rejected without being expanded', async () => {
    const bomb = `{ ...F0 } ${times(250, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)} fragment F250 on Query { __typename }`;
    expect((await readRejection(await post(bomb))).errors[0]?.message).toContain('200 fragments');
    const doubling = `{ ...F0 } ${times(40, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)} fragment F40 on Query { __typename }`;
    expect((await readRejection(await post(doubling))).errors[0]?.message).toContain('1000 fields');
  });

  it('of many operations is measured as a whole', async () => {
    const part = `{ projectVersions { ${times(300, () => 'name')} } }`;
    const query = times(4, (index) => `query Q${index} ${part}`);
    expect((await readRejection(await post(query))).errors[0]?.message).toContain('1000 fields');
  });

  it('of 20,000 nested brackets of any kind is rejected', async () => {
    for (const [open = '', close = ''] of [
      ['{a', '}'],
      ['[', ']'],
      ['(a:', ')'],
      ['{a(b:[', '])}'],
    ]) {
      const nested = `${open.repeat(20_000)}${close.repeat(20_000)}`.slice(0, 65_000);
      for (const query of [nested, `{ node(id: ${nested}`])
        expect((await readRejection(await post(query))).status).toBe(400);
    }
  });

  it('that is rejected over application/json gets a 400 too', async () => {
    const response = await post(`{ ${times(51, () => '__typename')} }`, 'application/json', 'application/json');
    expect((await readRejection(response)).status).toBe(400);
  });

  it('by which tools read the whole schema is accepted', async () => {
    const { body } = await gateway.send(getIntrospectionQuery());
    expect(body.errors).toBeUndefined();
  });
});
