import { Client, cacheExchange, fetchExchange, makeOperation, mapExchange } from '@urql/core';
import type { DocumentNode } from 'graphql';

/** `idOf` returns the ID of a document, as in `document.__meta__.hash` of GraphQL Code Generator. */
const trustedDocuments = (idOf: (document: DocumentNode) => string) =>
  mapExchange({
    onOperation: (operation) => {
      const persistedQuery = { version: 1 as const, sha256Hash: idOf(operation.query) };
      const extensions = { ...operation.extensions, persistedQuery };
      return makeOperation(operation.kind, { ...operation, extensions }, operation.context);
    },
  });

export const createTrustedUrqlClient = (
  { url, token }: { url: string; token: string },
  idOf: (document: DocumentNode) => string,
) =>
  new Client({
    url,
    fetchOptions: { headers: { 'x-api-token': token } },
    preferGetMethod: true,
    exchanges: [trustedDocuments(idOf), cacheExchange, fetchExchange],
  });
