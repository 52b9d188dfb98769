import { resolve } from 'node:path';
import { type DocumentNode, getOperationAST } from 'graphql';
import { operationsOf } from '../../../../../test/clients/documents.ts';
import type { ClientAnswer } from '../../client-suite.ts';
import type { Library } from '../library.ts';

type Variables = Readonly<Record<string, unknown>>;

interface UrqlResult {
  readonly data?: unknown;
  readonly error?: {
    readonly networkError?: Error;
    readonly graphQLErrors: readonly { readonly message: string }[];
  };
}

type Run = (document: DocumentNode, variables: Variables) => Promise<UrqlResult>;

/** The module of JavaScript: React has no types of its own. */
interface UrqlHooks {
  createUrqlHooks(url: string, token: string): { readonly runQuery: Run; readonly runMutation: Run };
}

export const urqlReact: Library = {
  name: 'urql, hooks of React',
  setup: 'document cache; `useQuery` and `useMutation`, rendered by React on the server',
  packages: ['urql', '@urql/core', 'react'],
  types: null,
  async open({ url, token }, documents) {
    const operationOf = operationsOf(documents);
    const { createUrqlHooks }: UrqlHooks = await import(
      resolve('integrations/test/clients/compatibility/urql-hooks.js')
    );
    const { runQuery, runMutation } = createUrqlHooks(url, token);
    return {
      async run(name, variables = {}): Promise<ClientAnswer> {
        const document = operationOf(name);
        const isMutation = getOperationAST(document)?.operation === 'mutation';
        const { data, error } = await (isMutation ? runMutation : runQuery)(document, variables);
        if (error?.networkError) throw error.networkError;
        return { data, errors: error?.graphQLErrors.map(({ message }) => message) ?? [] };
      },
    };
  },
};
