import type { Client, OperationContext } from '@urql/core';
import { type DocumentNode, getOperationAST } from 'graphql';
import type { ClientAnswer } from '../client-suite.ts';

interface UrqlRequest {
  readonly document: DocumentNode;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly context?: Partial<OperationContext> | undefined;
}

export async function runWithUrql(
  client: Client,
  { document, variables = {}, context = {} }: UrqlRequest,
): Promise<ClientAnswer> {
  const isMutation = getOperationAST(document)?.operation === 'mutation';
  const { data, error } = isMutation
    ? await client.mutation(document, { ...variables }, context)
    : await client.query(document, { ...variables }, context);
  if (error?.networkError) throw error.networkError;
  return { data, errors: error?.graphQLErrors.map(({ message }) => message) ?? [] };
}
