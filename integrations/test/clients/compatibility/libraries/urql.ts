import { operationsOf } from '../../../../../test/clients/documents.ts';
import { runWithUrql } from '../../urql/run-with-urql.ts';
import { createUrqlClient } from '../../urql/urql-client.ts';
import type { Library } from '../library.ts';

export const urql: Library = {
  name: 'urql',
  setup: 'document cache',
  packages: ['@urql/core'],
  types: null,
  async open({ url, token }, documents) {
    const operationOf = operationsOf(documents);
    const client = createUrqlClient(url, token);
    return { run: (name, variables) => runWithUrql(client, { document: operationOf(name), variables }) };
  },
};
