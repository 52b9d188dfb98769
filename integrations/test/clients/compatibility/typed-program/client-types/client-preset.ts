import type { EditArticlesMutation, SetScopeMutationVariables } from './src/generated/graphql.ts';

export type EditArticlesData = EditArticlesMutation;

export type ScopeInput = NonNullable<SetScopeMutationVariables['input']['accessScope']>;
