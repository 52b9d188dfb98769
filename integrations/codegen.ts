import type { CodegenConfig } from '@graphql-codegen/cli';

/** Types of the documents that our own tests and the examples send, so that a wrong one fails to compile. */
const config: CodegenConfig = {
  schema: '../schema.graphql',
  config: {
    documentMode: 'string',
    enumsAsTypes: true,
    useTypeImports: true,
    strictScalars: true,
    scalars: { ID: 'string', DateTime: 'string', JSON: 'unknown' },
  },
  generates: {
    '../test/support/generated/operations.ts': {
      documents: ['../test/**/*.graphql', 'test/**/*.graphql'],
      plugins: ['typescript-operations', 'typed-document-node'],
    },
    '../examples/node-client/generated/operations.ts': {
      documents: '../examples/node-client/*.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
    },
    '../examples/react-page/generated/operations.ts': {
      documents: '../examples/react-page/*.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
    },
    'examples/apollo-client/generated/operations.ts': {
      documents: 'examples/apollo-client/*.graphql',
      plugins: ['typescript-operations', 'typed-document-node'],
      config: { documentMode: 'documentNode' },
    },
    // The console sends texts, or IDs where the gateway executes trusted documents only.
    '../console/src/generated/': {
      documents: '../console/src/**/*.graphql',
      preset: 'client',
      presetConfig: {
        fragmentMasking: false,
        skipIndexFile: true,
        persistedDocuments: { mode: 'embedHashInDocument', hashAlgorithm: 'sha256' },
      },
    },
  },
};

export default config;
