import { ApolloClient, HttpLink, type InMemoryCache } from '@apollo/client';
import type { Target } from '../demo-gateway.ts';

export const createApolloClient = ({ url, token }: Target, cache: InMemoryCache) =>
  new ApolloClient({ cache, link: new HttpLink({ uri: url, headers: { api_token: token } }) });
