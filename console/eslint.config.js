import graphql from '@graphql-eslint/eslint-plugin';
import { documentRules } from '../eslint.config.js';

const DOCUMENTS = ['src/**/*.graphql'];
const graphQLConfig = { schema: '../schema.graphql', documents: DOCUMENTS };

export default [
  {
    files: DOCUMENTS,
    plugins: { '@graphql-eslint': graphql },
    languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig } },
    rules: documentRules,
  },
];
