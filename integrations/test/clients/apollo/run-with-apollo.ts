import { type ApolloClient, CombinedGraphQLErrors, type OperationVariables } from '@apollo/client';
import { type DocumentNode, getOperationAST } from 'graphql';
import type { ClientAnswer } from '../client-suite.ts';

interface ApolloRequest {
  readonly document: DocumentNode;
  readonly variables?: OperationVariables | undefined;
  /** How a mutation uses the cache. */
  readonly fetchPolicy?: 'network-only' | 'no-cache' | undefined;
}

export async function runWithApollo(
  client: ApolloClient,
  { document, variables = {}, fetchPolicy = 'network-only' }: ApolloRequest,
): Promise<ClientAnswer> {
  const isMutation = getOperationAST(document)?.operation === 'mutation';
  const { data, error } = isMutation
    ? await client.mutate({ mutation: document, variables, errorPolicy: 'all', fetchPolicy })
    : await client.query({ query: document, variables });
  if (error !== undefined && !CombinedGraphQLErrors.is(error)) throw error;
  return { data, errors: error?.errors.map(({ message }) => message) ?? [] };
}
