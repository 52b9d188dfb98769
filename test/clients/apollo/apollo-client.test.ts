import {
  CombinedGraphQLErrors,
  InMemoryCache,
  type OperationVariables,
  type PossibleTypesMap,
  setLogVerbosity,
} from '@apollo/client';
import { getOperationAST } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestClient, testClient } from '../client-suite.ts';
import { type DemoGateway, startDemoGateway, type Target } from '../demo-gateway.ts';
import { operationOf } from '../documents.ts';
import { createApolloClient } from './apollo-client.ts';

type Apollo = ReturnType<typeof createApolloClient>;

const testClientOf = (client: Apollo, fetchPolicy: 'network-only' | 'no-cache' = 'network-only'): TestClient => ({
  async run(name, variables: OperationVariables = {}) {
    const document = operationOf(name);
    const isMutation = getOperationAST(document)?.operation === 'mutation';
    const { data, error } = isMutation
      ? await client.mutate({ mutation: document, variables, errorPolicy: 'all', fetchPolicy })
      : await client.query({ query: document, variables });
    if (error !== undefined && !CombinedGraphQLErrors.is(error)) throw error;
    return { data, errors: error?.errors.map(({ message }) => message) ?? [] };
  },
});

async function servedPossibleTypes({ url }: Target): Promise<PossibleTypesMap> {
  const response = await fetch(new URL('/possible-types.json', url));
  return response.json();
}

const BROKEN_RULE = { input: { articles: [{ articleId: 'pair-a-lamp', order: 0 }] } };

const VALIDATION_ERROR = {
  bulkUpdateArticles: {
    __typename: 'ValidationError',
    message: 'order must be 1 or more.',
    issues: [{ path: ['input', 'articles', '0', 'order'] }],
  },
};

describe('Apollo Client with the possible types that the gateway serves', () => {
  testClient(async (target) => {
    const possibleTypes = await servedPossibleTypes(target);
    return testClientOf(createApolloClient(target, new InMemoryCache({ possibleTypes })));
  });
});

describe('Apollo Client', () => {
  let gateway: DemoGateway;
  beforeAll(async () => {
    // Its warnings say what these tests show.
    setLogVerbosity('silent');
    gateway = await startDemoGateway();
  });
  afterAll(() => {
    setLogVerbosity('log');
    return gateway.close();
  });

  it('without possible types loses the fields of a fragment on an interface in a query', async () => {
    const client = testClientOf(createApolloClient(gateway.target, new InMemoryCache()));
    const { data } = await client.run('ReaderGroup', { groupId: 'staff' });
    expect(data).toEqual({
      readerGroup: expect.objectContaining({ title: 'Staff', accessScope: { __typename: 'PlainAccessScope' } }),
    });
  });

  it('without possible types loses the message of an error in a mutation', async () => {
    const client = testClientOf(createApolloClient(gateway.target, new InMemoryCache()));
    const { data } = await client.run('BulkUpdateArticles', BROKEN_RULE);
    expect(data).toEqual({ bulkUpdateArticles: { __typename: 'ValidationError' } });
  });

  it('without possible types returns all that a mutation asks for when the cache is not used', async () => {
    const client = testClientOf(createApolloClient(gateway.target, new InMemoryCache()), 'no-cache');
    expect((await client.run('BulkUpdateArticles', BROKEN_RULE)).data).toMatchObject(VALIDATION_ERROR);
  });

  it('matches the errors of later releases by a pattern', async () => {
    const possibleTypes = await servedPossibleTypes(gateway.target);
    const known = possibleTypes['MutationError']?.filter((name) => name !== 'ValidationError') ?? [];
    const older = new InMemoryCache({ possibleTypes: { ...possibleTypes, MutationError: known } });
    const lost = await testClientOf(createApolloClient(gateway.target, older)).run('BulkUpdateArticles', BROKEN_RULE);
    expect(lost.data).toEqual({ bulkUpdateArticles: { __typename: 'ValidationError' } });
    const cache = new InMemoryCache({ possibleTypes: { ...possibleTypes, MutationError: [...known, '.+Error'] } });
    const { data } = await testClientOf(createApolloClient(gateway.target, cache)).run(
      'BulkUpdateArticles',
      BROKEN_RULE,
    );
    expect(data).toMatchObject(VALIDATION_ERROR);
  });
});
