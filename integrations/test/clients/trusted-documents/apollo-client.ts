import { ApolloClient, HttpLink, InMemoryCache, type PossibleTypesMap } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import type { DocumentNode } from 'graphql';

/** `idOf` returns the ID of a document, as in `document.__meta__.hash` of GraphQL Code Generator. */
export const createTrustedApolloClient = (
  { url, token }: { url: string; token: string },
  possibleTypes: PossibleTypesMap,
  idOf: (document: DocumentNode) => string,
) =>
  new ApolloClient({
    link: new PersistedQueryLink({
      generateHash: async (document) => idOf(document),
      useGETForHashedQueries: true,
    }).concat(new HttpLink({ uri: url, headers: { 'x-api-token': token } })),
    cache: new InMemoryCache({ possibleTypes }),
  });
