import { ApolloClient, HttpLink, InMemoryCache, type PossibleTypesMap, setLogVerbosity } from '@apollo/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoGateway, startDemoGateway } from '../../../../test/clients/demo-gateway.ts';
import { operationOf } from '../../../../test/clients/documents.ts';
import { type TestClient, testClient } from '../client-suite.ts';
import { createApolloClient, withLaterErrors } from './apollo-client.ts';
import { runWithApollo } from './run-with-apollo.ts';

const testClientOf = (client: ApolloClient, fetchPolicy?: 'no-cache'): TestClient => ({
  run: (name, variables) => runWithApollo(client, { document: operationOf(name), variables, fetchPolicy }),
});

async function readPossibleTypes(url: string): Promise<PossibleTypesMap> {
  const response = await fetch(new URL('/possible-types.json', url));
  return response.json();
}

describe('Apollo Client with the possible types that the gateway serves', () => {
  testClient(async ({ url, token }) => testClientOf(createApolloClient(url, token, await readPossibleTypes(url))));
});

const BROKEN_RULE = { input: { articles: [{ articleId: 'pair-a-lamp', order: 0 }] } };

const LOST = { bulkUpdateArticles: { __typename: 'ValidationError' } };

const VALIDATION_ERROR = {
  bulkUpdateArticles: {
    __typename: 'ValidationError',
    message: 'order must be 1 or more.',
    issues: [{ path: ['input', 'articles', '0', 'order'] }],
  },
};

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

  const withDefaultCache = () => {
    const { url, token } = gateway.target;
    const link = new HttpLink({ uri: url, headers: { 'x-api-token': token } });
    return new ApolloClient({ link, cache: new InMemoryCache() });
  };

  it('without possible types loses the fields of a fragment on an interface in a query', async () => {
    const { data } = await testClientOf(withDefaultCache()).run('ReaderGroup', { groupId: 'staff' });
    expect(data).toEqual({
      readerGroup: expect.objectContaining({ title: 'Staff', accessScope: { __typename: 'PlainAccessScope' } }),
    });
  });

  it('without possible types loses the message of an error in a mutation', async () => {
    const { data } = await testClientOf(withDefaultCache()).run('BulkUpdateArticles', BROKEN_RULE);
    expect(data).toEqual(LOST);
  });

  it('without possible types and without the cache returns all that a mutation asks for', async () => {
    const { data } = await testClientOf(withDefaultCache(), 'no-cache').run('BulkUpdateArticles', BROKEN_RULE);
    expect(data).toMatchObject(VALIDATION_ERROR);
  });

  it('without an error policy rejects a mutation whose read-back fails, and its outcomes are lost', async () => {
    const mutation = operationOf('UpdateWithFailingReadBack');
    const variables = { articles: [{ articleId: 'pair-a-lamp', title: 'Pair any lamp' }] };
    await expect(withDefaultCache().mutate({ mutation, variables })).rejects.toThrow('first');
  });

  it('with the possible types of an older release matches a later error by its pattern only', async () => {
    const { url, token } = gateway.target;
    const possibleTypes = await readPossibleTypes(url);
    const errors = possibleTypes['MutationError']?.filter((name) => name !== 'ValidationError') ?? [];
    const older = { ...possibleTypes, MutationError: errors };
    const lost = await testClientOf(createApolloClient(url, token, older)).run('BulkUpdateArticles', BROKEN_RULE);
    expect(lost.data).toEqual(LOST);
    const client = createApolloClient(url, token, withLaterErrors(older));
    expect((await testClientOf(client).run('BulkUpdateArticles', BROKEN_RULE)).data).toMatchObject(VALIDATION_ERROR);
  });
});
