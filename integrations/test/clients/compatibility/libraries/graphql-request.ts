import { print } from 'graphql';
import { operationsOf } from '../../../../../test/clients/documents.ts';
import type { ClientAnswer } from '../../client-suite.ts';
import { createGraphQLRequestClient } from '../graphql-request-client.ts';
import type { Library } from '../library.ts';

export const graphqlRequest: Library = {
  name: 'graphql-request',
  setup: "`errorPolicy: 'all'`",
  packages: ['graphql-request'],
  types: null,
  async open({ url, token }, documents) {
    const operationOf = operationsOf(documents);
    const client = createGraphQLRequestClient(url, token);
    return {
      async run(name, variables): Promise<ClientAnswer> {
        const { data, errors = [] } = await client.rawRequest(print(operationOf(name)), variables);
        return { data, errors: errors.map(({ message }) => message) };
      },
    };
  },
};
