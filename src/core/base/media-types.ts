import { MIMEType } from 'node:util';

/** The headers of a request, by their names in lower case. */
export interface HeaderReader {
  get(name: string): string | null;
}

/**
 * The problem of the headers of a JSON body, which must be UTF-8 without a content encoding; null when there is none.
 * `mediaTypes` matches the accepted types, in lower case and without parameters.
 */
export function contentTypeProblem(headers: HeaderReader, mediaTypes: RegExp): string | null {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return 'The content encoding of the request body must be identity.';
  const contentType = headers.get('content-type') ?? '';
  // Every API accepts this type, and nearly all clients send it.
  if (contentType === 'application/json') return null;
  const type = parseMediaType(contentType);
  if (type === null || !mediaTypes.test(type.essence))
    return 'The media type of the request body must be application/json.';
  return isInUtf8(type) ? null : 'The charset of the request body must be UTF-8.';
}

/** A media type with its parameters, whose names are in lower case and whose values are unquoted. */
function parseMediaType(text: string): MIMEType | null {
  try {
    return new MIMEType(text);
  } catch {
    return null;
  }
}

/** A media type without a charset is in UTF-8. */
const isInUtf8 = ({ params }: MIMEType): boolean => /^utf-?8$/iu.test(params.get('charset')?.trim() ?? 'utf-8');

const GRAPHQL_JSON = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';

/** The media type of GraphQL responses for each media range that clients accept, the most specific first. */
const RANGES: ReadonlyMap<string, readonly string[]> = new Map([
  [GRAPHQL_JSON, [GRAPHQL_JSON]],
  [JSON_TYPE, [JSON_TYPE]],
  ['application/*', [JSON_TYPE, GRAPHQL_JSON]],
  ['*/*', [JSON_TYPE, GRAPHQL_JSON]],
]);

/** The most media ranges of an `Accept` header that are read. Browsers send fewer than ten. */
const MAX_RANGES = 50;

/**
 * The media type of the response to a GraphQL request by its `Accept` header: the one with the greatest weight, and of
 * those with the same weight the first one. Null where the client accepts neither type in UTF-8. An empty header accepts all.
 */
export function negotiateGraphqlType(accept = ''): string | null {
  const [only] = RANGES.get(accept || '*/*') ?? [];
  return only ?? mediaTypeByWeight(accept);
}

function mediaTypeByWeight(accept: string): string | null {
  const weights = new Map<string, number>();
  for (const [text] of accept.matchAll(/(?:[^,"]|"(?:\\.|[^"\\])*"?)+/gsu).take(MAX_RANGES)) {
    const range = parseMediaType(text);
    if (range !== null && RANGES.has(range.essence) && isInUtf8(range) && !weights.has(range.essence))
      weights.set(range.essence, weightOf(range));
  }
  let best: string | null = null;
  let greatest = 0;
  for (const [range, weight] of weights) {
    if (weight <= greatest) continue;
    // A more specific range takes precedence for its type (RFC 9110, 12.5.1).
    const type = RANGES.get(range)?.find((name) => name === range || !isMoreSpecific(weights, name, range));
    if (type !== undefined) [best, greatest] = [type, weight];
  }
  return best;
}

const isMoreSpecific = (weights: ReadonlyMap<string, number>, name: string, range: string): boolean =>
  weights.has(name) || (range === '*/*' && weights.has('application/*'));

/** The weight; 1 where it is missing or no number. */
function weightOf({ params }: MIMEType): number {
  const weight = Number(params.get('q') || 1);
  return weight >= 0 && weight <= 1 ? weight : 1;
}
