import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { isObject, type JsonBounds, type JsonParseOptions } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import type { FindDocument } from '../../execution/documents/requested-documents.ts';
import { contentTypeError, parseRequestJson } from '../requests/json-body.ts';
import { badRequest, type HttpError } from '../responses/http-error.ts';
import type { YogaContext } from './yoga-handler.ts';

const JSON_PARAMETER_NAMES: ReadonlySet<string> = new Set(['variables', 'extensions']);

/**
 * Reads the parameters of a GraphQL request: JSON by POST and the query string by GET. It replaces Yoga's own parsers,
 * which take forms, other charsets and JSON of any depth, and puts the text of a document in the place of its ID.
 */
export function useRequestParser(bounds: JsonBounds, findDocument: FindDocument): Plugin<object, YogaContext> {
  return {
    onRequestParse: ({ request, url, serverContext, setRequestParser }) => {
      const { body, memory } = serverContext;
      const options = { bounds, budget: memory };
      const withDocument = (params: Params): GraphQLParams => {
        const requested = findDocument(params);
        if (!requested.ok) throw graphQLErrorOf({ ...requested.error, status: 400 });
        serverContext.requested = requested.value;
        const { documentId, ...others } = params;
        return requested.value === null ? others : { ...others, query: requested.value.text };
      };
      if (request.method === 'GET')
        setRequestParser(async () => withDocument(await parseQueryString(url.searchParams, options)));
      if (request.method !== 'POST') return;
      const error = contentTypeError(request.headers);
      if (error) throw graphQLErrorOf(error);
      setRequestParser(async () => {
        const params = checkParams(parsedOrThrow(await parseRequestJson(body.bytes, options)));
        body.drop();
        return withDocument(params);
      });
    },
  };
}

type Params = Readonly<Record<string, unknown>>;

/** Checks what Yoga does not: it checks the query and the variables, but not the name. */
function checkParams(json: unknown): Params {
  if (!isObject(json)) {
    throw graphQLErrorOf(badRequest('The request body must be one object: requests are not taken in batches.'));
  }
  if (json['operationName'] != null && typeof json['operationName'] !== 'string') {
    throw graphQLErrorOf(badRequest('"operationName" must be a string.'));
  }
  return json;
}

/** Empty parameters are ignored. */
async function parseQueryString(search: URLSearchParams, options: JsonParseOptions): Promise<Params> {
  const params: Record<string, unknown> = {};
  for (const name of ['query', 'documentId', 'operationName', 'variables', 'extensions']) {
    const text = search.get(name);
    if (!text) continue;
    params[name] = JSON_PARAMETER_NAMES.has(name)
      ? parsedOrThrow(await parseRequestJson(Buffer.from(text), options))
      : text;
  }
  return params;
}

function parsedOrThrow(parsed: Result<unknown, HttpError>): unknown {
  if (!parsed.ok) throw graphQLErrorOf(parsed.error);
  return parsed.value;
}

const graphQLErrorOf = ({ message, code, status }: HttpError): GraphQLError =>
  new GraphQLError(message, { extensions: { code, http: { status } } });
