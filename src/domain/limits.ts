import type { JsonBounds } from './json/json-scanner.ts';

/** How large a GraphQL document may be. */
export interface QueryLimits {
  /** UTF-8 bytes of its text. */
  readonly maxQueryBytes: number;
  readonly maxQueryTokens: number;
  /** Fields within each other. Introspection as tools ask for it has 15. */
  readonly maxQueryDepth: number;
  /** Fields, each as often as the fragments that it stands in are spread. */
  readonly maxQueryFields: number;
  /** Fields with an alias, counted like fields. */
  readonly maxQueryAliases: number;
  /** Fields at the root of one operation, counted like fields. */
  readonly maxQueryRootFields: number;
  /** Directives in one place. */
  readonly maxQueryDirectives: number;
}

/** How much one request may ask for. Whatever asks for more is refused before anything of it is executed. */
export interface RequestLimits extends QueryLimits, JsonBounds {
  /** Fields, list items and values of input that one operation may come to: see `ResponseBudget`. */
  readonly maxAnswerFields: number;
  /** Characters of text that one operation may read and answer. */
  readonly maxAnswerText: number;
  /** Bytes of memory for documents that are kept, so that the next request with the same one begins at once. */
  readonly queryCacheBytes: number;
}
