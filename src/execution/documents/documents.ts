import { type DocumentNode, type GraphQLError, type GraphQLSchema, type ValidationRule, validate } from 'graphql';
import type { QueryLimits } from '../../domain/limits.ts';
import { createWeightedCache } from '../weighted-cache.ts';
import { checkQueryShape } from './document-size.ts';
import { parseQuery } from './parse-document.ts';

export interface DocumentsOptions {
  readonly schema: GraphQLSchema;
  readonly limits: QueryLimits;
  readonly rules: readonly ValidationRule[];
  /** Bytes that the documents kept may take up in memory (`QUERY_CACHE_BYTES`). */
  readonly cacheBytes: number;
}

export interface Documents {
  /** Throws a GraphQLError, with code and status, where the text is none or is beyond a limit. */
  parse(text: string): DocumentNode;
  /** Of a document that `parse` gave. */
  validate(document: DocumentNode): readonly GraphQLError[];
}

/** graphql-js adds one of its own where it stops. */
const MAX_VALIDATION_ERRORS = 19;

/** Measured: as part of a parsed document a token takes up 260 to 470 bytes. Execution keeps notes beside it. */
const BYTES_PER_TOKEN = 600;
/**
 * Of the plans by which a field is run (measured: 170 to 530 bytes) and its cost is summed up: once for each time that the
 * field is written out.
 */
const BYTES_PER_FIELD = 800;

/**
 * Parses and validates documents, within limits that hold before either becomes expensive. Only what turned out valid is
 * remembered, and in a bounded number of bytes: a client that never sends a text twice costs what it costs, and no memory.
 */
export function createDocuments({ schema, limits, rules, cacheBytes }: DocumentsOptions): Documents {
  const valid = createWeightedCache<DocumentNode>(cacheBytes);
  /** What is not yet validated, with its weight. */
  const fresh = new WeakMap<DocumentNode, number>();
  return {
    parse: (text) => {
      const known = valid.get(text);
      if (known) return known;
      const { document, tokens } = parseQuery(text, limits);
      const fields = checkQueryShape(document, limits);
      fresh.set(document, text.length * 2 + tokens * BYTES_PER_TOKEN + fields * BYTES_PER_FIELD);
      return document;
    },
    validate: (document) => {
      const weight = fresh.get(document);
      if (weight === undefined) return [];
      const errors = validate(schema, document, rules, { maxErrors: MAX_VALIDATION_ERRORS });
      if (errors.length > 0) return errors.map(withCode);
      fresh.delete(document);
      if (document.loc) valid.set(document.loc.source.body, document, weight);
      return [];
    },
  };
}

/** Over application/json the draft of GraphQL over HTTP answers it with 200. */
function withCode(error: GraphQLError): GraphQLError {
  Object.assign(error.extensions, { code: 'GRAPHQL_VALIDATION_FAILED', http: { spec: true, status: 400 } });
  return error;
}
