import { operationsOf } from '../../../../../test/clients/documents.ts';
import { createApolloClient } from '../../apollo/apollo-client.ts';
import { runWithApollo } from '../../apollo/run-with-apollo.ts';
import type { Library } from '../library.ts';

export const apolloClient: Library = {
  name: 'Apollo Client',
  setup: 'normalized cache, with the possible types that the gateway serves',
  packages: ['@apollo/client'],
  types: null,
  async open({ url, token }, documents) {
    const operationOf = operationsOf(documents);
    const response = await fetch(new URL('/possible-types.json', url));
    const client = createApolloClient(url, token, await response.json());
    return { run: (name, variables) => runWithApollo(client, { document: operationOf(name), variables }) };
  },
};
