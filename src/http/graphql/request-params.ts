import { isObject } from '../../domain/articles/articles.ts';

/** The parameters of a GraphQL request over HTTP, once nothing speaks against them. */
export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName: string | null | undefined;
}

const PARAMETERS = new Set(['query', 'variables', 'operationName', 'extensions']);

/** Null where the body is not of the right shape: how that is said is for whoever says it to all. */
export function decodeOperation(json: unknown): Operation | null {
  if (!isObject(json) || !Object.keys(json).every((name) => PARAMETERS.has(name))) return null;
  const { query, variables, operationName, extensions } = json;
  if (typeof query !== 'string' || !isObjectOrNothing(variables) || !isObjectOrNothing(extensions)) return null;
  if (operationName != null && typeof operationName !== 'string') return null;
  return { query, variables, operationName };
}

const isObjectOrNothing = (value: unknown): value is Readonly<Record<string, unknown>> | null | undefined =>
  value == null || isObject(value);

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['application/graphql-response+json', 'application/graphql-response+json'],
  ['application/json', 'application/json'],
  ['application/*', 'application/json'],
  ['*/*', 'application/json'],
]);

/** The media type that an `Accept` header asks for: the first that it lists of ours. Null where that is not plain to see. */
export function mediaTypeOf(accept: string): string | null {
  const alone = MEDIA_TYPES.get(accept);
  if (alone !== undefined) return alone;
  for (const entry of accept.split(',')) {
    const [name = '', ...parameters] = entry.split(';');
    if (parameters.some((parameter) => /charset/iu.test(parameter))) return null;
    const mediaType = MEDIA_TYPES.get(name.trim().toLowerCase());
    if (mediaType !== undefined) return mediaType;
  }
  return null;
}
