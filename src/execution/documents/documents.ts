import { type DocumentNode, GraphQLError, type GraphQLSchema, type ValidationRule, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { QueryLimits } from '../../domain/limits.ts';
import type { RequestErrorCode } from '../../domain/request-errors.ts';
import { checkDocumentSize } from './document-size.ts';
import { parseBoundedDocument } from './parse-document.ts';

export interface DocumentsOptions {
  readonly schema: GraphQLSchema;
  readonly limits: QueryLimits;
  readonly rules: readonly ValidationRule[];
  /** Bytes of memory for cached documents (`QUERY_CACHE_BYTES`). */
  readonly cacheBytes: number;
}

export interface Documents {
  /**
   * Throws a GraphQLError with a code when the text is invalid or exceeds a limit. With a hash, which must be the
   * SHA-256 of the text, the document is registered: as long as it is cached, `findRegistered` finds it.
   */
  parse(text: string, hash: string | null): DocumentNode;
  /** Validates a document that `parse` returned. */
  validate(document: DocumentNode): readonly GraphQLError[];
  /** The text of a valid document that was registered by its SHA-256 in hexadecimal. */
  findRegistered(hash: string): string | undefined;
}

/** graphql-js adds an error of its own when it stops there. */
const MAX_VALIDATION_ERRORS = 19;

/** The most cached documents. Few clients have more, and the cache allocates its arrays at once. */
const MAX_CACHED_DOCUMENTS = 10_000;
/** A heavier document is not cached, so that it does not replace nearly all others. */
const MAX_SHARE_OF_CACHE = 1 / 8;

/** Measured: a token of a parsed document takes 260 to 470 bytes. The rest is for what execution caches with it. */
const BYTES_PER_TOKEN = 600;
/** The plans for the execution of a field (measured: 170 to 530 bytes) and for its cost, for each use of a fragment. */
const BYTES_PER_FIELD = 800;

interface UnvalidatedDocument {
  /** The key of the document in the cache. */
  readonly key: string;
  readonly weight: number;
}

/**
 * Parses and validates documents, and checks limits before either becomes expensive. Caches only valid documents, up to
 * a number of bytes, so that a client that never sends a text twice cannot fill the memory.
 */
export function createDocuments({ schema, limits, rules, cacheBytes }: DocumentsOptions): Documents {
  /** By their texts, or by their hashes. */
  const validDocuments = new LRUCache<string, DocumentNode>({
    max: MAX_CACHED_DOCUMENTS,
    // 0 would mean no limit. Every document weighs more than 1.
    maxSize: Math.max(1, cacheBytes),
    maxEntrySize: Math.max(1, Math.floor(cacheBytes * MAX_SHARE_OF_CACHE)),
  });
  /** Parsed documents until they are validated. */
  const unvalidated = new WeakMap<DocumentNode, UnvalidatedDocument>();
  return {
    parse: (text, hash) => {
      const key = hash ?? text;
      const known = validDocuments.get(key);
      // What is sent as a text may be the hash of another.
      if (known?.loc?.source.body === text) return known;
      const { document, tokens } = parseBoundedDocument(text, limits);
      const fields = checkDocumentSize(document, limits);
      const weight = text.length * 2 + tokens * BYTES_PER_TOKEN + fields * BYTES_PER_FIELD;
      unvalidated.set(document, { key, weight });
      return document;
    },
    validate: (document) => {
      const parsed = unvalidated.get(document);
      if (parsed === undefined) return [];
      const errors = validate(schema, document, rules, { maxErrors: MAX_VALIDATION_ERRORS });
      if (errors.length > 0) return errors.map(toValidationError);
      unvalidated.delete(document);
      validDocuments.set(parsed.key, document, { size: parsed.weight });
      return [];
    },
    findRegistered: (hash) => validDocuments.get(hash)?.loc?.source.body,
  };
}

/** Leaves out the cause, which is that of a scalar about a value in the document: the error is not unexpected. */
function toValidationError({ message, nodes, extensions }: GraphQLError): GraphQLError {
  const code: RequestErrorCode = 'GRAPHQL_VALIDATION_FAILED';
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: { ...extensions, code } });
}
