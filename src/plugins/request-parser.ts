import { GraphQLError } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import type { JsonBounds } from '../domain/json-bounds.ts';
import { isObject } from '../domain/objects.ts';
import type { Result } from '../domain/result.ts';
import { mediaProblem, parseJsonBody } from '../http/json-body.ts';
import { badRequest, type Refusal } from '../http/refusal.ts';

const JSON_PARAMETERS: ReadonlySet<string> = new Set(['variables', 'extensions']);

/**
 * Reads the parameters of a GraphQL request: JSON by POST, the query string by GET, and nothing else, in the place of
 * Yoga's own parsers, which take forms, other charsets and JSON of any depth.
 */
export function useRequestParser(bounds: JsonBounds): Plugin {
  return {
    onRequestParse: ({ request, url, setRequestParser }) => {
      if (request.method === 'GET') setRequestParser(() => paramsOfQuery(url.searchParams, bounds));
      if (request.method !== 'POST') return;
      const problem = mediaProblem(request.headers);
      if (problem) throw refusalError(problem);
      setRequestParser(async (limited) => paramsOf(unwrap(parseJsonBody(await bytesOf(limited), bounds))));
    },
  };
}

/** A body fails in two ways: Yoga found it too large, or the client went away. */
async function bytesOf(request: Request): Promise<Buffer> {
  try {
    return Buffer.from(await request.arrayBuffer());
  } catch (error) {
    throw error instanceof GraphQLError ? error : refusalError(badRequest('The request body was cut off.'));
  }
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

/** An empty parameter is as good as none. */
function paramsOfQuery(search: URLSearchParams, bounds: JsonBounds): GraphQLParams {
  const params: Record<string, unknown> = {};
  for (const name of ['query', 'operationName', 'variables', 'extensions']) {
    const text = search.get(name);
    if (!text) continue;
    params[name] = JSON_PARAMETERS.has(name) ? unwrap(parseJsonBody(Buffer.from(text), bounds)) : text;
  }
  return params;
}

function unwrap(parsed: Result<unknown, Refusal>): unknown {
  if (!parsed.ok) throw refusalError(parsed.error);
  return parsed.value;
}

const refusalError = ({ message, code, status }: Refusal): GraphQLError =>
  new GraphQLError(message, { extensions: { code, http: { status } } });
