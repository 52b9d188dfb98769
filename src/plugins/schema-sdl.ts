import type { Plugin } from 'graphql-yoga';

/** `/schema.graphql`: the schema as text, with what introspection loses. */
export function useSchemaSdl(sdl: string): Plugin {
  return {
    onRequest: ({ request, url, fetchAPI, endResponse }) => {
      if (url.pathname !== '/schema.graphql' || (request.method !== 'GET' && request.method !== 'HEAD')) return;
      const headers = { 'content-type': 'application/graphql; charset=utf-8', 'x-content-type-options': 'nosniff' };
      endResponse(new fetchAPI.Response(request.method === 'HEAD' ? null : sdl, { headers }));
    },
  };
}
