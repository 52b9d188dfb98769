import type { JsonBounds } from '../base/json/json-scanner.ts';

/** The largest GraphQL document that is executed. */
export interface QueryLimits {
  /** UTF-8 bytes of the text. */
  readonly maxQueryBytes: number;
  readonly maxQueryTokens: number;
  /** Nesting of fields. The introspection query of common tools has 15 levels. */
  readonly maxQueryDepth: number;
  /** Fields, with those of a fragment counted at each of its spreads. */
  readonly maxQueryFields: number;
  /** Fields with an alias, counted as above. */
  readonly maxQueryAliases: number;
  /** Fields at the root of one operation, counted as above. */
  readonly maxQueryRootFields: number;
  /** Directives at one location, such as a field. */
  readonly maxQueryDirectives: number;
}

/** The bounds of one request and of its response. */
export interface RequestLimits extends QueryLimits, JsonBounds {
  /** Fields, list items and input values of one operation: see `ResponseBudget`. */
  readonly maxAnswerFields: number;
  /** Characters of all texts in the input and the response of one operation. */
  readonly maxAnswerChars: number;
  /** Bytes of the cache of parsed documents. */
  readonly queryCacheBytes: number;
}
