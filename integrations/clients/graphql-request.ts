import { GraphQLClient } from 'graphql-request';

export const createGraphQLRequestClient = (url: string, token: string) =>
  new GraphQLClient(url, { headers: { api_token: token }, errorPolicy: 'all' });
