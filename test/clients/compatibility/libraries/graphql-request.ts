import { resolve } from 'node:path';
import { print } from 'graphql';
import type { ClientAnswer } from '../../client-suite.ts';
import { operationsOf } from '../../documents.ts';
import type { Library } from '../library.ts';

/** The module of the package `integrations`, which has packages of its own. */
interface GraphQLRequest {
  createGraphQLRequestClient(url: string, token: string): GraphQLRequestClient;
}

interface GraphQLRequestClient {
  rawRequest(
    document: string,
    variables?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly data: unknown; readonly errors?: readonly { readonly message: string }[] }>;
}

export const graphqlRequest: Library = {
  name: 'graphql-request',
  setup: "`errorPolicy: 'all'`",
  packages: ['graphql-request'],
  folder: 'integrations',
  types: null,
  async open({ url, token }, documents) {
    const operationOf = operationsOf(documents);
    const { createGraphQLRequestClient }: GraphQLRequest = await import(
      resolve('integrations/clients/graphql-request.ts')
    );
    const client = createGraphQLRequestClient(url, token);
    return {
      async run(name, variables): Promise<ClientAnswer> {
        const { data, errors = [] } = await client.rawRequest(print(operationOf(name)), variables);
        return { data, errors: errors.map(({ message }) => message) };
      },
    };
  },
};
