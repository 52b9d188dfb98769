import {
  type DefinitionNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  Lexer,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  Source,
  TokenKind,
  type ValidationRule,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import {
  MAX_CACHED_DOCUMENTS,
  MAX_DOCUMENT_NESTING,
  MAX_QUERY_ALIASES,
  MAX_QUERY_BYTES,
  MAX_QUERY_DIRECTIVES,
  MAX_QUERY_FIELDS,
  MAX_QUERY_TOKENS,
  MAX_ROOT_FIELDS,
  MAX_VALIDATION_ERRORS,
} from '../../../core/base/limits.ts';
import type { RequestErrorCode } from '../../../core/request-errors.ts';
import { fragmentsOf } from '../executor/collect-fields.ts';

interface SelectionSize {
  readonly fields: number;
  readonly aliases: number;
  readonly depth: number;
  /** Fields of its own level. */
  readonly directFields: number;
}

const EMPTY_SIZE: SelectionSize = { fields: 0, aliases: 0, depth: 0, directFields: 0 };

/** Measures the selections of a document. Throws when one exceeds a limit or a fragment spreads itself. */
function createMeasure(document: DocumentNode, maxDepth: number) {
  const fragments = fragmentsOf(document);
  /** Each fragment is measured once, since fragments that spread each other can expand exponentially. */
  const measured = new Map<string, SelectionSize>();
  /** Names of the fragments around the current selection. */
  const openFragments = new Set<string>();

  const measureSelectionSet = ({ selections }: SelectionSetNode): SelectionSize => {
    let size = EMPTY_SIZE;
    for (const selection of selections) {
      checkDirectives(selection);
      const part = measureSelection(selection);
      size = {
        fields: size.fields + part.fields,
        aliases: size.aliases + part.aliases,
        depth: Math.max(size.depth, part.depth),
        directFields: size.directFields + part.directFields,
      };
      checkLimit('fields', size.fields, MAX_QUERY_FIELDS);
      checkLimit('aliases', size.aliases, MAX_QUERY_ALIASES);
      checkLimit('levels of fields within each other', size.depth, maxDepth);
    }
    return size;
  };

  const measureSelection = (selection: SelectionNode): SelectionSize => {
    if (selection.kind === Kind.INLINE_FRAGMENT) return measureSelectionSet(selection.selectionSet);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return measureFragment(selection.name.value);
    const { fields, aliases, depth } = selection.selectionSet
      ? measureSelectionSet(selection.selectionSet)
      : EMPTY_SIZE;
    return { fields: fields + 1, aliases: aliases + (selection.alias ? 1 : 0), depth: depth + 1, directFields: 1 };
  };

  /** An unknown fragment counts nothing; validation rejects it. */
  const measureFragment = (name: string): SelectionSize => {
    const known = measured.get(name);
    if (known) return known;
    const fragment = fragments[name];
    if (!fragment) return EMPTY_SIZE;
    if (openFragments.has(name)) throw limitExceededError(`The fragment "${name}" must not spread itself.`);
    openFragments.add(name);
    checkLimit('fragments within each other', openFragments.size, MAX_DOCUMENT_NESTING);
    const size = measureSelectionSet(fragment.selectionSet);
    openFragments.delete(name);
    measured.set(name, size);
    return size;
  };

  return { measureSelectionSet, measureFragment };
}

/**
 * Throws when a document exceeds a limit. Runs before validation, whose time grows faster than the document. Returns the
 * number of fields with all fragments expanded.
 */
function checkDocumentSize(document: DocumentNode, maxDepth: number): number {
  const { measureSelectionSet, measureFragment } = createMeasure(document, maxDepth);
  let fields = 0;
  for (const definition of document.definitions) {
    checkDirectives(definition);
    if (definition.kind === Kind.FRAGMENT_DEFINITION) measureFragment(definition.name.value);
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const variable of definition.variableDefinitions ?? []) checkDirectives(variable);
    const size = measureSelectionSet(definition.selectionSet);
    checkLimit('fields at the root of an operation', size.directFields, MAX_ROOT_FIELDS);
    fields += size.fields;
    checkLimit('fields', fields, MAX_QUERY_FIELDS);
  }
  return fields;
}

function checkDirectives({ directives = [] }: Pick<DefinitionNode | SelectionNode, 'directives'>): void {
  checkLimit('directives in one place', directives.length, MAX_QUERY_DIRECTIVES);
}

function checkLimit(what: string, count: number, limit: number): void {
  if (count > limit) throw limitExceededError(`The query must have at most ${limit} ${what}.`);
}

const limitExceededError = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'LIMIT_EXCEEDED' satisfies RequestErrorCode } });

const OPENING_BRACKETS: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING_BRACKETS: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** Throws a GraphQLError with a code when the text is invalid or exceeds a limit. */
function parseBoundedDocument(text: string): DocumentNode {
  if (text.length > MAX_QUERY_BYTES || Buffer.byteLength(text) > MAX_QUERY_BYTES) {
    throw limitExceededError(`The query must have at most ${MAX_QUERY_BYTES} bytes.`);
  }
  const source = new Source(text, 'GraphQL request');
  try {
    checkTokens(source);
    return parse(source);
  } catch (error) {
    if (error instanceof GraphQLError && error.extensions['code'] === undefined) {
      Object.assign(error.extensions, { code: 'GRAPHQL_PARSE_FAILED' satisfies RequestErrorCode });
    }
    throw error;
  }
}

function checkTokens(source: Source): void {
  const lexer = new Lexer(source);
  let tokens = 0;
  let depth = 0;
  for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
    if (++tokens > MAX_QUERY_TOKENS) {
      throw limitExceededError(`The query must have at most ${MAX_QUERY_TOKENS} tokens.`);
    }
    if (OPENING_BRACKETS.has(kind) && ++depth > MAX_DOCUMENT_NESTING) {
      throw limitExceededError(`The query must not nest brackets more than ${MAX_DOCUMENT_NESTING} deep.`);
    }
    if (CLOSING_BRACKETS.has(kind)) depth--;
  }
}

interface DocumentsOptions {
  readonly schema: GraphQLSchema;
  /** Nesting of fields (`MAX_QUERY_DEPTH`). */
  readonly maxDepth: number;
  readonly rules: readonly ValidationRule[];
  readonly cacheBytes: number;
}

/** The document that a request names or contains. */
export interface RequestedDocument {
  readonly text: string;
  /** The SHA-256 of the text where the request has it: the document is registered by it. */
  readonly hash: string | null;
  readonly trusted: DocumentNode | null;
  /** The name of the operation of a trusted document. Null for others, whose names can be anything. */
  readonly trustedName: string | null;
}

export interface Documents {
  /**
   * Throws a GraphQLError with a code when the text is invalid or exceeds a limit. With a hash, which must be the
   * SHA-256 of the text, the document is registered: as long as it is cached, `findRegistered` finds it.
   */
  parse(requested: RequestedDocument): DocumentNode;
  validate(document: DocumentNode): readonly GraphQLError[];
  /** The text of a valid document that was registered by its SHA-256 in hexadecimal. */
  findRegistered(hash: string): string | undefined;
}

/** A heavier document is not cached, so that it does not replace nearly all others. */
const MAX_SHARE_OF_CACHE = 1 / 8;

/** Measured: a token of a parsed document takes 260 to 470 bytes. The rest is for what execution caches with it. */
const BYTES_PER_TOKEN = 600;
/** The plans for the execution of a field (measured: 170 to 530 bytes) and for its cost, for each use of a fragment. */
const BYTES_PER_FIELD = 800;

/**
 * Parses and validates documents, and checks limits before either becomes expensive. Caches only valid documents, up to
 * a number of bytes, so that a client that never sends a text twice cannot fill the memory.
 */
export function createDocuments({ schema, maxDepth, rules, cacheBytes }: DocumentsOptions): Documents {
  /** The valid documents by their texts, or by their hashes. */
  const validDocuments = new LRUCache<string, DocumentNode>({
    max: MAX_CACHED_DOCUMENTS,
    // 0 would mean no limit. With 1 nothing is cached, since every document weighs more.
    maxSize: Math.max(1, cacheBytes),
    maxEntrySize: Math.max(1, Math.floor(cacheBytes * MAX_SHARE_OF_CACHE)),
  });
  /** Parsed documents until they are validated, with their keys in the cache. */
  const unvalidated = new WeakMap<DocumentNode, { readonly key: string; readonly weight: number }>();
  return {
    parse: ({ text, hash, trusted }) => {
      if (trusted !== null) return trusted;
      const key = hash ?? text;
      const known = validDocuments.get(key);
      // A client may send the hash of another document as a text.
      if (known?.loc?.source.body === text) return known;
      const document = parseBoundedDocument(text);
      const fields = checkDocumentSize(document, maxDepth);
      const weight = text.length * 2 + (document.tokenCount ?? 0) * BYTES_PER_TOKEN + fields * BYTES_PER_FIELD;
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
