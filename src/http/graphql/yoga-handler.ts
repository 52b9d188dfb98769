import type { Plugin } from 'graphql-yoga';
import { type Refusal, refusalBody } from '../responses/http-error.ts';
import type { ServerContext } from './fast-path.ts';

const NOT_FOUND: Refusal = { status: 404, code: 'NOT_FOUND', message: 'There is nothing at this path.' };

const NOT_ACCEPTABLE: Refusal = {
  status: 406,
  code: 'NOT_ACCEPTABLE',
  message: 'Answers are application/graphql-response+json or application/json, in UTF-8.',
};

const ACCEPTED = /^(?:\*\/\*|application\/(?:\*|json|graphql-response\+json))$/u;

/**
 * The end of the routes: GraphQL is at `/graphql` and nowhere else. Yoga would take every path that ends like it, past
 * whatever guards that path, and answer a client that accepts no JSON with a stream of events.
 */
export const useGraphQLRoute = (): Plugin<object, ServerContext> => ({
  onRequest: ({ request, serverContext: { route }, fetchAPI, endResponse }) => {
    const isAcceptable = acceptsJson(request.headers.get('accept') ?? '*/*');
    const refusal = route !== 'graphql' ? NOT_FOUND : isAcceptable ? null : NOT_ACCEPTABLE;
    if (refusal === null) return;
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    endResponse(new fetchAPI.Response(refusalBody(refusal), { status: refusal.status, headers }));
  },
});

/** Whether one of the accepted media types is ours, as Yoga reads them: with no charset but UTF-8. */
function acceptsJson(accept: string): boolean {
  return accept
    .replace(/\s/gu, '')
    .toLowerCase()
    .split(',')
    .some((entry) => {
      const [mediaType = '', ...parameters] = entry.split(';');
      const charset = parameters.find((parameter) => parameter.includes('charset=')) ?? 'charset=utf-8';
      return ACCEPTED.test(mediaType) && charset === 'charset=utf-8';
    });
}
