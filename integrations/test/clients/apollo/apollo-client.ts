import { ApolloClient, HttpLink, InMemoryCache, type PossibleTypesMap } from '@apollo/client';

/** `possibleTypes` is the content of `/possible-types.json`. */
export const createApolloClient = (url: string, token: string, possibleTypes: PossibleTypesMap) =>
  new ApolloClient({
    link: new HttpLink({ uri: url, headers: { 'x-api-token': token } }),
    cache: new InMemoryCache({ possibleTypes }),
  });

/** Matches errors that a later release adds, too, by the pattern of their names. */
export const withLaterErrors = (possibleTypes: PossibleTypesMap): PossibleTypesMap => ({
  ...possibleTypes,
  MutationError: [...(possibleTypes['MutationError'] ?? []), '.+Error'],
});
