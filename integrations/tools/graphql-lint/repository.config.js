import graphql from '@graphql-eslint/eslint-plugin';

// Lints the schema and the documents in .graphql files; Biome lints everything else. All rules of GraphQL ESLint are on,
// except for those that are off here.

const DOCUMENTS = ['{integrations/,}test/**/*.graphql', '{integrations/,}examples/*/*.graphql'];

const { configs, parser } = graphql;
const common = (documents) => ({
  plugins: { '@graphql-eslint': graphql },
  languageOptions: { parser, parserOptions: { graphQLConfig: { schema: 'schema.graphql', documents } } },
});

const schemaRules = {
  ...configs['flat/schema-all'].rules,
  ...configs['flat/schema-relay'].rules,
  '@graphql-eslint/require-description': [
    'error',
    {
      types: true,
      rootField: true,
      FieldDefinition: true,
      InputValueDefinition: true,
      EnumValueDefinition: true,
      DirectiveDefinition: true,
    },
  ],
  // Pages are read forwards only, as the service has them.
  '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
  // Only lists that can be long are connections.
  '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false, shouldImplementNode: true }],
  // The schema is printed in one order already, in which a capital letter comes before a small one.
  '@graphql-eslint/alphabetize': 'off',
  // A mutation may have arguments that are not part of its input.
  '@graphql-eslint/input-name': 'off',
  // Clients that are not in this repository use the fields that its documents leave out.
  '@graphql-eslint/no-unused-fields': 'off',
  // The schema has mutations.
  '@graphql-eslint/no-root-type': 'off',
  // The service's own ID, such as `articleId`, stands beside the global `id`.
  '@graphql-eslint/no-typename-prefix': 'off',
  // The service gives no date for what it is going to remove.
  '@graphql-eslint/require-deprecation-date': 'off',
  // Only what `node` reads has a global ID; payloads, errors and parts of other objects have none.
  '@graphql-eslint/strict-id-in-types': 'off',
};

const documentRules = {
  ...configs['flat/operations-all'].rules,
  // Fields stand in the order in which a page shows them.
  '@graphql-eslint/alphabetize': 'off',
  // The documents of one module are one file.
  '@graphql-eslint/lone-executable-definition': 'off',
  // A file is named after its module.
  '@graphql-eslint/match-document-filename': 'off',
  // A fragment also names the type of what a component takes.
  '@graphql-eslint/no-one-place-fragments': 'off',
  // The code generator reads all documents of a folder together.
  '@graphql-eslint/require-import-fragment': 'off',
  // Documents select what they show; a client whose cache needs `id` adds it.
  '@graphql-eslint/require-selections': 'off',
};

export const documents = (files) => ({ files, ...common(files), rules: documentRules });

export default [
  { ignores: ['**/*.js', '**/node_modules'] },
  { files: ['schema.graphql'], ...common(DOCUMENTS), rules: schemaRules },
  documents(DOCUMENTS),
];
