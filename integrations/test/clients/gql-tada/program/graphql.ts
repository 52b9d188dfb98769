import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './graphql-env.d.ts';

export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { ID: string; DateTime: string; JSON: unknown };
  disableMasking: true;
}>();
