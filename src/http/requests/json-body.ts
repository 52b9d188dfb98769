import {
  contentTypeProblem,
  type HeaderReader,
  type JsonBodyFormat,
  type JsonParseFailure,
  type JsonParseOptions,
  parseBoundedJson,
} from '../../base/json.ts';
import { err, type Result } from '../../base/result.ts';
import {
  badRequest,
  type HttpError,
  limitExceeded,
  outOfMemory,
  unsupportedMediaType,
} from '../responses/http-error.ts';

/** A byte order mark is kept, which makes it a syntax error. */
const GRAPHQL_JSON: JsonBodyFormat = {
  mediaType: /^application\/json$/u,
  decoder: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }),
};

/** Null when GraphQL takes a body with these headers. */
export function contentTypeError(headers: HeaderReader): HttpError | null {
  const problem = contentTypeProblem(headers, GRAPHQL_JSON);
  return problem === null ? null : unsupportedMediaType(problem);
}

type ParsedJson = Result<unknown, HttpError>;

/** Parses JSON of a GraphQL request. Small texts are parsed synchronously. */
export function parseRequestJson(bytes: Uint8Array, options: JsonParseOptions): ParsedJson | Promise<ParsedJson> {
  const parsed = parseBoundedJson({ bytes, decoder: GRAPHQL_JSON.decoder }, options);
  return parsed instanceof Promise ? parsed.then(withHttpError) : withHttpError(parsed);
}

const withHttpError = (parsed: Result<unknown, JsonParseFailure>): ParsedJson =>
  parsed.ok ? parsed : err(httpErrorOf(parsed.error));

function httpErrorOf(failure: JsonParseFailure): HttpError {
  switch (failure.kind) {
    case 'encoding':
      return badRequest('The request body is not UTF-8.');
    case 'limit':
      return limitExceeded(`The request body ${failure.problem}.`);
    case 'syntax':
      return badRequest('The request body is not JSON.');
    case 'out-of-memory':
      return outOfMemory;
  }
}
