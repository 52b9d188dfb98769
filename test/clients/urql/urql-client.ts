import { Client, cacheExchange, fetchExchange } from '@urql/core';
import type { Target } from '../demo-gateway.ts';

export const createUrqlClient = ({ url, token }: Target) =>
  new Client({
    url,
    exchanges: [cacheExchange, fetchExchange],
    fetchOptions: { headers: { api_token: token } },
    preferGetMethod: false,
  });
