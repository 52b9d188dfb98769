import { hash } from 'node:crypto';
import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode } from 'graphql';
import { err, ok, type Result } from '../../base/result.ts';
import type { Documents } from './documents.ts';

/** A document that the operator vouches for, parsed and validated at the start. */
export interface TrustedDocument {
  readonly text: string;
  readonly document: DocumentNode;
}

/** By the IDs of the documents, and by the SHA-256 of their texts. */
export type TrustedDocuments = ReadonlyMap<string, TrustedDocument>;

export interface TrustedDocumentsOptions {
  /** The texts of the documents by their IDs. */
  readonly texts: ReadonlyMap<string, string>;
  /** They keep nothing themselves: trusted documents must not replace others in a cache. */
  readonly documents: Pick<Documents, 'parse' | 'validate'>;
  /** Works out once what an operation costs. Returns an error when it can never be executed. */
  readonly prepareCost: (document: DocumentNode, operation: OperationDefinitionNode) => GraphQLError | null;
}

/** The form that the draft of GraphQL over HTTP has for a hash as ID. */
const SHA256_PREFIX = 'sha256:';

export const sha256Of = (text: string): string => hash('sha256', text);

export const sha256IdOf = (hexadecimal: string): string => `${SHA256_PREFIX}${hexadecimal}`;

/**
 * Parses, validates and plans trusted documents, so that no request has to. The limits of documents hold for them, too.
 * The errors are all problems, each with the ID of its document.
 */
export function createTrustedDocuments(options: TrustedDocumentsOptions): Result<TrustedDocuments, readonly string[]> {
  const { texts } = options;
  const trusted = new Map<string, TrustedDocument>();
  const problems: string[] = [];
  for (const [id, text] of texts) {
    const sha256Id = sha256IdOf(sha256Of(text));
    if (id.startsWith(SHA256_PREFIX) && id !== sha256Id) problems.push(`${id}: the SHA-256 of the text is another`);
    const document = readDocument(text, options);
    if (document.ok) {
      const entry = { text, document: document.value };
      // An ID of the file takes precedence over a hash.
      if (!texts.has(sha256Id)) trusted.set(sha256Id, entry);
      trusted.set(id, entry);
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
    const document = documents.parse(text, null);
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

/** graphql-js quotes names of any length. */
const MAX_MESSAGE = 500;

function describeProblem({ message, locations }: GraphQLError): string {
  const [place] = locations ?? [];
  const short = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
  return place ? `${short} (line ${place.line}, column ${place.column})` : short;
}
