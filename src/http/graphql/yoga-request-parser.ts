import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { isObject } from '../../domain/articles/articles.ts';
import type { JsonBounds } from '../../domain/json/json-scanner.ts';
import type { ParseRoom } from '../../domain/json/parse-json.ts';
import type { Result } from '../../domain/result.ts';
import { mediaProblem, parseJsonBody } from '../json-body.ts';
import { badRequest, type Refusal } from '../responses/http-error.ts';
import type { ServerContext } from './fast-path.ts';

const JSON_PARAMETERS: ReadonlySet<string> = new Set(['variables', 'extensions']);

/**
 * Reads the parameters of a GraphQL request: JSON by POST, the query string by GET, and nothing else, in the place of
 * Yoga's own parsers, which take forms, other charsets and JSON of any depth.
 */
export function useRequestParser(bounds: JsonBounds): Plugin<object, ServerContext> {
  return {
    onRequestParse: ({ request, url, serverContext: { body, memory }, setRequestParser }) => {
      if (request.method === 'GET') setRequestParser(() => paramsOfQuery(url.searchParams, { bounds, room: memory }));
      if (request.method !== 'POST') return;
      const problem = mediaProblem(request.headers);
      if (problem) throw refusalError(problem);
      setRequestParser(async () => {
        const params = paramsOf(unwrap(await parseJsonBody(body.bytes, bounds, memory)));
        body.drop();
        return params;
      });
    },
  };
}

/** Query and variables are judged by Yoga, which leaves out the name. */
function paramsOf(json: unknown): GraphQLParams {
  if (!isObject(json)) {
    throw refusalError(badRequest('The request body must be one object: requests are not taken in batches.'));
  }
  if (json['operationName'] != null && typeof json['operationName'] !== 'string') {
    throw refusalError(badRequest('"operationName" must be a string.'));
  }
  return json;
}

interface Parsing {
  readonly bounds: JsonBounds;
  readonly room: ParseRoom;
}

/** An empty parameter is as good as none. */
async function paramsOfQuery(search: URLSearchParams, { bounds, room }: Parsing): Promise<GraphQLParams> {
  const params: Record<string, unknown> = {};
  for (const name of ['query', 'operationName', 'variables', 'extensions']) {
    const text = search.get(name);
    if (!text) continue;
    params[name] = JSON_PARAMETERS.has(name) ? unwrap(await parseJsonBody(Buffer.from(text), bounds, room)) : text;
  }
  return params;
}

function unwrap(parsed: Result<unknown, Refusal>): unknown {
  if (!parsed.ok) throw refusalError(parsed.error);
  return parsed.value;
}

const refusalError = ({ message, code, status }: Refusal): GraphQLError =>
  new GraphQLError(message, { extensions: { code, http: { status } } });
