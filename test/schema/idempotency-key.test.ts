import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { openFixtureStore, TOKEN } from '../support/fixture-store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

const ERROR = `... on MutationError { __typename code message retryable mayHaveApplied
  ... on ValidationError { issues { path } } ... on IdempotencyError { indexes } }`;

/** Each mutation with two inputs, and what reads the effect of the first. */
const MUTATIONS = [
  {
    name: 'bulkUpdateArticles',
    document: `mutation ($input: BulkUpdateArticlesInput!, $key: String) {
      result: bulkUpdateArticles(input: $input, idempotencyKey: $key) { ${ERROR}
        ... on BulkUpdateArticlesPayload { replayed
          results { __typename index articleId details retryable ... on ArticleUpdated { article { title } } }
          summary { total pending updated failed } warnings { description } extensionData }
      }
    }`,
    inputs: [
      { articles: [{ articleId: 'a1', title: 'One' }, { articleId: 'gone' }] },
      { articles: [{ articleId: 'a1', title: 'Two' }, { articleId: 'gone' }] },
    ],
    anew: { results: [{ article: { title: 'Two' } }, { __typename: 'ArticleUpdateFailed' }] },
  },
  {
    name: 'updateReaderGroup',
    document: `mutation ($input: UpdateReaderGroupInput!, $key: String) {
      result: updateReaderGroup(input: $input, idempotencyKey: $key) { ${ERROR}
        ... on UpdateReaderGroupPayload { replayed serviceResult readerGroup { title } warnings { code } extensionData }
      }
    }`,
    inputs: [
      { groupId: 'g1', title: 'One' },
      { groupId: 'g1', title: 'Two' },
    ],
    anew: { readerGroup: { title: 'Two' } },
  },
  {
    name: 'changeReaderGroupMembers',
    document: `mutation ($input: ChangeReaderGroupMembersInput!, $key: String) {
      result: changeReaderGroupMembers(input: $input, idempotencyKey: $key) { ${ERROR}
        ... on ChangeReaderGroupMembersPayload { replayed readers { added removed alreadyMembers notMembers }
          invitedSsoUsers { added } readerGroup { title readerIds } warnings { code } }
      }
    }`,
    inputs: [
      { groupId: 'g2', addReaderIds: ['r7'] },
      { groupId: 'g2', removeReaderIds: ['r7'] },
    ],
    anew: { readers: { added: ['r7'] }, readerGroup: { readerIds: expect.not.arrayContaining(['r7']) } },
  },
] as const;

let gateway: Gateway;
let writes: string[];

/** Records which methods of the backend write. */
const recordWrites = (backend: Backend): Backend => ({
  ...backend,
  bulkUpdateArticles: (...args) => {
    writes.push('bulkUpdateArticles');
    return backend.bulkUpdateArticles(...args);
  },
  updateReaderGroup: (...args) => {
    writes.push('updateReaderGroup');
    return backend.updateReaderGroup(...args);
  },
  changeReaderGroupMembers: (...args) => {
    writes.push('changeReaderGroupMembers');
    return backend.changeReaderGroupMembers(...args);
  },
});

beforeEach(async () => {
  writes = [];
  gateway = await startGateway({ backend: recordWrites(await openFixtureStore()), local: true, token: TOKEN });
});
afterEach(() => gateway.close());

describe.each(MUTATIONS)('$name with an idempotency key', ({ name, document, inputs: [input, other], anew }) => {
  const send = async (variables: object) => {
    const { body } = await gateway.send(document, variables);
    expect(body.errors).toBeUndefined();
    return Object(body.data?.['result']);
  };

  it('is made once, and gives its answer again', async () => {
    const first = await send({ input, key: 'k' });
    expect(first).toMatchObject({ replayed: false });
    expect(await send({ input, key: 'k' })).toEqual({ ...first, replayed: true });
    expect(writes).toEqual([name]);
    expect(await send({ input: other, key: 'another' })).toMatchObject({ replayed: false });
    expect(await send({ input, key: 'k' })).toMatchObject({ replayed: true, ...anew });
    expect(writes).toEqual([name, name]);
  });

  it('is made once for many requests at one time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send({ input, key: 'k' })));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(writes).toEqual([name]);
  });

  it('refuses another input, and a key that is none', async () => {
    await send({ input, key: 'k' });
    expect(await send({ input: other, key: 'k' })).toMatchObject({
      __typename: 'IdempotencyError',
      code: 'IDEMPOTENCY_CONFLICT',
      retryable: false,
      mayHaveApplied: false,
      indexes: [],
    });
    for (const key of ['', 'a b', 'é', 'x'.repeat(256), 'line\n']) {
      expect(await send({ input, key })).toMatchObject({
        __typename: 'ValidationError',
        issues: [{ path: ['idempotencyKey'] }],
      });
    }
    expect(await send({ input: other, key: 'x'.repeat(255) })).toMatchObject({ replayed: false });
    expect(writes).toEqual([name, name]);
  });

  it('is made at each request without a key, or with null', async () => {
    expect(await send({ input })).toMatchObject({ replayed: false });
    expect(await send({ input, key: null })).toMatchObject({ replayed: false });
    expect(writes).toEqual([name, name]);
  });
});

describe('a key of a write that failed', () => {
  it('is free again where nothing was written', async () => {
    const [, { document }] = MUTATIONS;
    const send = async (input: object) => (await gateway.send(document, { input, key: 'k' })).body.data?.['result'];
    expect(await send({ groupId: 'gone', title: 'One' })).toMatchObject({ __typename: 'ReaderGroupNotFoundError' });
    expect(await send({ groupId: 'g1', title: 'One' })).toMatchObject({ replayed: false });
  });
});
