import { GraphQLClient } from 'graphql-request';

export const createGraphQLRequestClient = (url: string, token: string) =>
  new GraphQLClient(url, { headers: { 'x-api-token': token }, errorPolicy: 'all' });
