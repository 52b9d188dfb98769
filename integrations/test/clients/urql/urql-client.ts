import { Client, cacheExchange, fetchExchange } from '@urql/core';

export const createUrqlClient = (url: string, token: string) =>
  new Client({
    url,
    fetchOptions: { headers: { 'x-api-token': token } },
    exchanges: [cacheExchange, fetchExchange],
  });
