import { type DocumentNode, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { QueryLimits } from '../domain/limits.ts';
import { checkQueryShape } from './query-shape.ts';
import { parseQuery } from './query-text.ts';
import { createWeightedCache } from './weighted-cache.ts';

export interface QueriesOptions {
  readonly limits: QueryLimits;
  /** Bytes that the documents kept may take up in memory (`QUERY_CACHE_BYTES`). */
  readonly cacheBytes: number;
}

/** graphql-js adds one of its own where it stops. */
const MAX_VALIDATION_ERRORS = 19;

/** Measured: as part of a parsed document a token takes up 260 to 470 bytes. Execution keeps notes beside it. */
const BYTES_PER_TOKEN = 600;

/**
 * Parses and validates documents, within limits that hold before either becomes expensive. Only what turned out valid is
 * remembered, and in a bounded number of bytes: a client that never sends a text twice costs what it costs, and no memory.
 */
export function useQueries({ limits, cacheBytes }: QueriesOptions): Plugin {
  const valid = createWeightedCache<DocumentNode>(cacheBytes);
  /** What is not yet validated, with its weight. */
  const fresh = new WeakMap<DocumentNode, number>();
  const open = (text: string): DocumentNode => {
    const known = valid.get(text);
    if (known) return known;
    const { document, tokens } = parseQuery(text, limits);
    checkQueryShape(document, limits);
    fresh.set(document, text.length * 2 + tokens * BYTES_PER_TOKEN);
    return document;
  };
  return {
    onParse: ({ params, setParsedDocument }) => setParsedDocument(open(params.source.toString())),
    onValidate: ({ setValidationFn }) => {
      setValidationFn((schema, document: DocumentNode, rules) => {
        const weight = fresh.get(document);
        if (weight === undefined) return [];
        const errors = validate(schema, document, rules, { maxErrors: MAX_VALIDATION_ERRORS });
        if (errors.length > 0) return errors;
        fresh.delete(document);
        if (document.loc) valid.set(document.loc.source.body, document, weight);
        return [];
      });
    },
  };
}
