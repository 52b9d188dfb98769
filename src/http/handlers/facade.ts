import type { Plugin } from 'graphql-yoga';
import type { ServerContext } from '../graphql/fast-path.ts';

/** Answers one request to the façade; its body is in the context. */
type Answer = (request: Request, context: ServerContext) => Promise<Response>;

/** Mounts the REST façade: every path under `/v2`, in any case. */
export function useFacade(answer: Answer): Plugin<object, ServerContext> {
  return {
    onRequest: async ({ request, serverContext, endResponse }) => {
      if (serverContext.route === 'facade') endResponse(await answer(request, serverContext));
    },
  };
}
