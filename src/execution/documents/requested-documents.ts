import { getOperationAST } from 'graphql';
import { isObject } from '../../base/json/json-objects.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { RequestErrorCode } from '../../domain/request-errors.ts';
import type { Documents } from './documents.ts';
import { sha256IdOf, sha256Of, type TrustedDocument, type TrustedDocuments } from './trusted-documents.ts';

/** The document that a request names or contains. */
export interface RequestedDocument {
  readonly text: string;
  /** The SHA-256 of the text where the request has it: the document is registered by it. */
  readonly hash: string | null;
  /** Null when the document is not a trusted one. */
  readonly trusted: TrustedDocument | null;
  /** The name of the operation of a trusted document. Null for others, whose names can be anything. */
  readonly trustedName: string | null;
}

/** The parameters of a request that tell its document, as they were sent. */
interface DocumentParams {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

/** Why the document of a request is not executed. */
interface DocumentRefusal {
  readonly code: RequestErrorCode;
  readonly message: string;
}

export interface RequestedDocumentsOptions {
  readonly trusted: TrustedDocuments;
  /** True when only trusted documents are executed. */
  readonly trustedOnly: boolean;
  /** Null when no document is kept, so that none can be registered. */
  readonly findRegistered: Documents['findRegistered'] | null;
  /** The most characters of a text that is hashed. Parsing refuses a longer one. */
  readonly maxTextLength: number;
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
  { trusted, trustedOnly, findRegistered, maxTextLength }: RequestedDocumentsOptions,
): FoundDocument {
  if (!isObject(persistedQuery)) return err(badDocumentRequest(EXTENSION_SHAPE));
  const { version, sha256Hash: hash } = persistedQuery;
  if (version !== 1) return err(UNSUPPORTED);
  if (typeof hash !== 'string') return err(badDocumentRequest(EXTENSION_SHAPE));
  if (query != null) return checkHash(query, hash, maxTextLength);
  const found = trusted.get(hash) ?? trusted.get(sha256IdOf(hash));
  if (found) return ok(trustedDocument(found, operationName));
  if (trustedOnly) return err(UNKNOWN_HASH);
  if (findRegistered === null) return err(UNSUPPORTED);
  const text = SHA256.test(hash) ? findRegistered(hash) : undefined;
  return text === undefined ? err(UNKNOWN_HASH) : ok(documentOfText(text, hash));
}

const SHA256 = /^[\da-f]{64}$/u;

/** Nobody can register a text by the hash of another. */
function checkHash(query: unknown, hash: string, maxTextLength: number): FoundDocument {
  if (typeof query !== 'string') return err(badDocumentRequest('"query" must be a string.'));
  if (query.length > maxTextLength) return ok(documentOfText(query, null));
  return sha256Of(query) === hash ? ok(documentOfText(query, hash)) : err(WRONG_HASH);
}

const documentOfText = (text: string, hash: string | null): RequestedDocument => ({
  text,
  hash,
  trusted: null,
  trustedName: null,
});

function trustedDocument(trusted: TrustedDocument, operationName: unknown): RequestedDocument {
  const name = typeof operationName === 'string' ? operationName : null;
  const trustedName = getOperationAST(trusted.document, name)?.name?.value ?? null;
  return { text: trusted.text, hash: null, trusted, trustedName };
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

/** Clients compare this message, or the code. They send the text then. */
const UNKNOWN_HASH: DocumentRefusal = { code: 'PERSISTED_QUERY_NOT_FOUND', message: 'PersistedQueryNotFound' };

/** Clients compare this message, or the code. They send texts only from then on. */
const UNSUPPORTED: DocumentRefusal = {
  code: 'PERSISTED_QUERY_NOT_SUPPORTED',
  message: 'PersistedQueryNotSupported',
};
