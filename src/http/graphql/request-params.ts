import { isObject } from '../../base/json.ts';

/** The valid parameters of a GraphQL request over HTTP. */
export interface GraphQLRequestParams {
  readonly query: string | null | undefined;
  readonly documentId: string | null | undefined;
  readonly extensions: Readonly<Record<string, unknown>> | null | undefined;
  readonly variables: Readonly<Record<string, unknown>> | null | undefined;
  readonly operationName: string | null | undefined;
}

const PARAMETER_NAMES = new Set(['query', 'documentId', 'variables', 'operationName', 'extensions']);

/** Null when the body has another shape. Yoga handles the request then, and words the error. */
export function decodeRequestParams(json: unknown): GraphQLRequestParams | null {
  if (!isObject(json) || !Object.keys(json).every((name) => PARAMETER_NAMES.has(name))) return null;
  const { query, documentId, variables, operationName, extensions } = json;
  if (!isStringOrNullish(query) || !isStringOrNullish(documentId) || !isStringOrNullish(operationName)) return null;
  if (!isObjectOrNullish(variables) || !isObjectOrNullish(extensions)) return null;
  return { query, documentId, variables, operationName, extensions };
}

const isStringOrNullish = (value: unknown): value is string | null | undefined =>
  value == null || typeof value === 'string';

const isObjectOrNullish = (value: unknown): value is Readonly<Record<string, unknown>> | null | undefined =>
  value == null || isObject(value);
