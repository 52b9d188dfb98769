import { hash } from 'node:crypto';
import { type DocumentNode, GraphQLError, getOperationAST, Kind, type OperationDefinitionNode } from 'graphql';
import { isObject } from '../../../core/base/json.ts';
import { MAX_QUERY_BYTES } from '../../../core/base/limits.ts';
import { err, ok, type Result } from '../../../core/base/result.ts';
import type { RequestErrorCode } from '../../../core/request-errors.ts';
import type { Documents, RequestedDocument } from './documents.ts';

/** The documents that the operator vouches for, by their IDs and by the SHA-256 of their texts. They are valid. */
type TrustedDocuments = ReadonlyMap<string, DocumentNode>;

/** Works out once what an operation costs. Returns an error when it can never be executed. */
export type PrepareCost = (document: DocumentNode, operation: OperationDefinitionNode) => GraphQLError | null;

interface TrustedDocumentsOptions {
  readonly texts: ReadonlyMap<string, string>;
  /** These functions cache nothing, since trusted documents must not replace others in a cache. */
  readonly documents: Pick<Documents, 'parse' | 'validate'>;
  readonly prepareCost: PrepareCost;
}

/** The form that the draft of GraphQL over HTTP has for a hash as ID. */
const SHA256_PREFIX = 'sha256:';

const sha256Of = (text: string): string => hash('sha256', text);

const sha256IdOf = (hexadecimal: string): string => `${SHA256_PREFIX}${hexadecimal}`;

/**
 * Parses, validates and plans trusted documents, so that no request has to. The limits of documents hold for them, too.
 * The errors are all problems, each with the ID of its document.
 */
export function createTrustedDocuments(options: TrustedDocumentsOptions): Result<TrustedDocuments, readonly string[]> {
  const { texts } = options;
  const trusted = new Map<string, DocumentNode>();
  const problems: string[] = [];
  for (const [id, text] of texts) {
    const sha256Id = sha256IdOf(sha256Of(text));
    if (id.startsWith(SHA256_PREFIX) && id !== sha256Id) problems.push(`${id}: the SHA-256 of the text is another`);
    const document = readDocument(text, options);
    if (document.ok) {
      // An ID of the file takes precedence over a hash.
      if (!texts.has(sha256Id)) trusted.set(sha256Id, document.value);
      trusted.set(id, document.value);
    } else {
      for (const error of document.error) problems.push(`${id}: ${describeProblem(error)}`);
    }
  }
  return problems.length === 0 ? ok(trusted) : err(problems);
}

function readDocument(
  text: string,
  { documents, prepareCost }: TrustedDocumentsOptions,
): Result<DocumentNode, readonly GraphQLError[]> {
  try {
    const document = documents.parse(documentOfText(text, null));
    const invalid = documents.validate(document);
    if (invalid.length > 0) return err(invalid);
    const errors = document.definitions.flatMap((definition) => {
      const error = definition.kind === Kind.OPERATION_DEFINITION ? prepareCost(document, definition) : null;
      return error === null ? [] : [error];
    });
    return errors.length === 0 ? ok(document) : err(errors);
  } catch (error) {
    if (error instanceof GraphQLError) return err([error]);
    throw error;
  }
}

function describeProblem({ message, locations }: GraphQLError): string {
  const [place] = locations ?? [];
  return place ? `${message} (line ${place.line}, column ${place.column})` : message;
}

/** The parameters of a request that name or contain its document, as they were sent. */
interface DocumentParams {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

interface DocumentRefusal {
  readonly code: RequestErrorCode;
  readonly message: string;
}

interface RequestedDocumentsOptions {
  readonly trusted: TrustedDocuments;
  readonly trustedOnly: boolean;
  readonly findRegistered: Documents['findRegistered'];
}

type FoundDocument = Result<RequestedDocument, DocumentRefusal>;

/** Finds the document of a request. The value is null when the request has none. */
export type FindDocument = (params: DocumentParams) => Result<RequestedDocument | null, DocumentRefusal>;

/**
 * Finds documents by `documentId` of the draft of GraphQL over HTTP, and by the extension `persistedQuery` of Apollo, by
 * which clients register documents, too. Nothing is parsed here, so that a text that is refused costs nothing.
 */
export function createFindDocument(options: RequestedDocumentsOptions): FindDocument {
  const { trustedOnly } = options;
  return (params) => {
    const { query, documentId } = params;
    const persistedQuery = persistedQueryOf(params);
    const isById = documentId != null || persistedQuery != null;
    if (trustedOnly && (query != null || !isById)) return err(ONLY_TRUSTED);
    if (documentId != null && persistedQuery != null) return err(badDocumentRequest(ONE_ID));
    if (documentId != null) return findByDocumentId(documentId, params, options);
    if (persistedQuery != null) return findByExtension(persistedQuery, params, options);
    return ok(typeof query === 'string' ? documentOfText(query, null) : null);
  };
}

const persistedQueryOf = ({ extensions }: DocumentParams): unknown =>
  isObject(extensions) ? extensions['persistedQuery'] : null;

function findByDocumentId(
  documentId: unknown,
  { query, operationName }: DocumentParams,
  { trusted }: RequestedDocumentsOptions,
): FoundDocument {
  if (typeof documentId !== 'string') return err(badDocumentRequest('"documentId" must be a string.'));
  if (query != null) return err(badDocumentRequest('A request must have either "query" or "documentId".'));
  const found = trusted.get(documentId);
  return found ? ok(trustedDocument(found, operationName)) : err(UNKNOWN_ID);
}

function findByExtension(
  persistedQuery: unknown,
  { query, operationName }: DocumentParams,
  { trusted, trustedOnly, findRegistered }: RequestedDocumentsOptions,
): FoundDocument {
  if (!isObject(persistedQuery)) return err(badDocumentRequest(EXTENSION_SHAPE));
  const { version, sha256Hash: hash } = persistedQuery;
  if (version !== 1) return err(UNSUPPORTED);
  if (typeof hash !== 'string') return err(badDocumentRequest(EXTENSION_SHAPE));
  if (query != null) return checkHash(query, hash);
  const found = trusted.get(hash) ?? trusted.get(sha256IdOf(hash));
  if (found) return ok(trustedDocument(found, operationName));
  if (trustedOnly) return err(UNKNOWN_HASH);
  const text = SHA256.test(hash) ? findRegistered(hash) : undefined;
  return text === undefined ? err(UNKNOWN_HASH) : ok(documentOfText(text, hash));
}

const SHA256 = /^[\da-f]{64}$/u;

/** Nobody can register a text by the hash of another. */
function checkHash(query: unknown, hash: string): FoundDocument {
  if (typeof query !== 'string') return err(badDocumentRequest('"query" must be a string.'));
  // Parsing refuses it, so that it need not be hashed.
  if (query.length > MAX_QUERY_BYTES) return ok(documentOfText(query, null));
  return sha256Of(query) === hash ? ok(documentOfText(query, hash)) : err(WRONG_HASH);
}

const documentOfText = (text: string, hash: string | null): RequestedDocument => ({
  text,
  hash,
  trusted: null,
  trustedName: null,
});

function trustedDocument(trusted: DocumentNode, operationName: unknown): RequestedDocument {
  const name = typeof operationName === 'string' ? operationName : null;
  const trustedName = getOperationAST(trusted, name)?.name?.value ?? null;
  return { text: trusted.loc?.source.body ?? '', hash: null, trusted, trustedName };
}

const badDocumentRequest = (message: string): DocumentRefusal => ({ code: 'BAD_REQUEST', message });

const WRONG_HASH = badDocumentRequest('"sha256Hash" must be the SHA-256 of "query" in lower-case hexadecimal.');

const ONE_ID = 'A request must have either "documentId" or "extensions.persistedQuery".';

const EXTENSION_SHAPE = '"extensions.persistedQuery" must be { "version": 1, "sha256Hash": "…" }.';

const ONLY_TRUSTED: DocumentRefusal = {
  code: 'PERSISTED_QUERY_ONLY',
  message: 'The gateway executes trusted documents only. Send the ID of one as "documentId", and no "query".',
};

const UNKNOWN_ID: DocumentRefusal = {
  code: 'PERSISTED_QUERY_NOT_FOUND',
  message: 'The gateway has no document with this "documentId".',
};

/** Clients compare this message, or the code, and then send the text. */
const UNKNOWN_HASH: DocumentRefusal = { code: 'PERSISTED_QUERY_NOT_FOUND', message: 'PersistedQueryNotFound' };

/** Clients compare this message, or the code, and from then on send texts only. */
const UNSUPPORTED: DocumentRefusal = {
  code: 'PERSISTED_QUERY_NOT_SUPPORTED',
  message: 'PersistedQueryNotSupported',
};
