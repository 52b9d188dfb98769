import type { Plugin } from 'graphql-yoga';

/** Mounts the REST façade: every path under `/v2`, in any case. */
export function useFacade(answer: (request: Request) => Promise<Response>): Plugin {
  return {
    onRequest: async ({ request, url, endResponse }) => {
      if (/^\/v2(?:\/|$)/iu.test(url.pathname)) endResponse(await answer(request));
    },
  };
}
