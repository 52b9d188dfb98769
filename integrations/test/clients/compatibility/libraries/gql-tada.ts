import { writeTadaProgram } from '../../gql-tada/gql-tada-program.ts';
import { runWithUrql } from '../../urql/run-with-urql.ts';
import { createUrqlClient } from '../../urql/urql-client.ts';
import type { Library } from '../library.ts';

export const gqlTada: Library = {
  name: 'gql.tada',
  setup: 'executed by urql',
  packages: ['gql.tada'],
  types: 'gql-tada.ts',
  async open({ url, token }, documents, folder) {
    const typed = await writeTadaProgram(documents, folder);
    const client = createUrqlClient(url, token);
    return {
      run(name, variables) {
        const document = typed[name];
        if (document === undefined) throw new Error(`There is no constant ${name}.`);
        return runWithUrql(client, { document, variables });
      },
    };
  },
};
