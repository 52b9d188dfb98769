import type { ResultOf, VariablesOf } from 'gql.tada';
import type { EditArticles, SetScope } from './documents.ts';

export type EditArticlesData = ResultOf<typeof EditArticles>;

export type ScopeInput = NonNullable<VariablesOf<typeof SetScope>['input']['accessScope']>;
