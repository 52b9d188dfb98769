import type { Plugin } from 'graphql-yoga';

/** The bodies that a page of another site can make a browser send without asking first. */
const SIMPLE_CONTENT_TYPES = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain', '']);

/** Any of these makes a browser ask first, since none is a header that it sends for any page. */
const PREFLIGHTED_HEADERS = ['graphql-require-preflight', 'api_token', 'x-api-token', 'authorization'];

const REFUSAL = {
  errors: [
    {
      message:
        'A browser could send this request for any site. Send the header graphql-require-preflight, or POST application/json.',
      extensions: { code: 'CSRF_PREVENTED' },
    },
  ],
};

/**
 * Refuses GraphQL requests that a browser would send for another site without a preflight. It stands behind the routes,
 * and knows no paths, so that none goes past it.
 */
export function useCsrfPrevention(): Plugin {
  return {
    onRequest: ({ request, fetchAPI, endResponse }) => {
      if (request.method === 'OPTIONS') return;
      if (PREFLIGHTED_HEADERS.some((name) => request.headers.has(name))) return;
      const contentType = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
      if (request.method === 'GET' || SIMPLE_CONTENT_TYPES.has(contentType ?? '')) {
        endResponse(fetchAPI.Response.json(REFUSAL, { status: 403 }));
      }
    },
  };
}
