import type { Plugin } from 'graphql-yoga';
import type { ServerContext } from '../graphql/fast-path.ts';

/** `/schema.graphql`: the schema as text, with what introspection loses. */
export function useSchemaSdl(sdl: string): Plugin<object, ServerContext> {
  return {
    onRequest: ({ request, serverContext: { route }, fetchAPI, endResponse }) => {
      if (route !== 'schema' || (request.method !== 'GET' && request.method !== 'HEAD')) return;
      const headers = { 'content-type': 'application/graphql; charset=utf-8', 'x-content-type-options': 'nosniff' };
      endResponse(new fetchAPI.Response(request.method === 'HEAD' ? null : sdl, { headers }));
    },
  };
}
