import type { GraphQLSchema } from 'graphql';

/** The part of a version that a release raises, from the least to the most. */
export const BUMPS = ['patch', 'minor', 'major'] as const;

export type Bump = (typeof BUMPS)[number];

export interface SchemaChange {
  /** What a changeset must name: schema coordinates, such as `Article.title` or `Query.articles(first:)`. */
  readonly coordinates: readonly string[];
  /** The least that the release must be. */
  readonly bump: Bump;
  readonly message: string;
  /** Why no release may have this change; null where one may. */
  readonly forbidden: string | null;
}

/** Two schemas that are compared. */
export interface SchemaPair {
  readonly released: GraphQLSchema;
  readonly current: GraphQLSchema;
}
