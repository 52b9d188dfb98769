import type { EditArticles$data } from './src/generated/EditArticles.graphql.ts';
import type { SetScope$variables } from './src/generated/SetScope.graphql.ts';

export type EditArticlesData = EditArticles$data;

export type ScopeInput = NonNullable<SetScope$variables['input']['accessScope']>;
