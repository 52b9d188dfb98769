import { isObject } from '../../domain/json/json-objects.ts';

/** The valid parameters of a GraphQL request over HTTP. */
export interface GraphQLRequestParams {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName: string | null | undefined;
}

const PARAMETER_NAMES = new Set(['query', 'variables', 'operationName', 'extensions']);

/** Null when the body has another shape. Yoga handles the request then, and words the error. */
export function decodeRequestParams(json: unknown): GraphQLRequestParams | null {
  if (!isObject(json) || !Object.keys(json).every((name) => PARAMETER_NAMES.has(name))) return null;
  const { query, variables, operationName, extensions } = json;
  if (typeof query !== 'string' || !isObjectOrNullish(variables) || !isObjectOrNullish(extensions)) return null;
  if (operationName != null && typeof operationName !== 'string') return null;
  return { query, variables, operationName };
}

const isObjectOrNullish = (value: unknown): value is Readonly<Record<string, unknown>> | null | undefined =>
  value == null || isObject(value);
