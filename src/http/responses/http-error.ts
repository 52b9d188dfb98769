import type { RequestErrorCode } from '../../domain/request-errors.ts';

/** The codes of refused requests; the last three are those of failed reads, too. */
type HttpErrorCode =
  | RequestErrorCode
  | 'METHOD_NOT_ALLOWED'
  | 'ORIGIN_NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'UNAVAILABLE'
  | 'INTERNAL';

/** The reason why a request is refused before GraphQL or the façade reads it, or is not answered by them. */
export interface HttpError {
  readonly status: number;
  readonly code: HttpErrorCode;
  readonly message: string;
}

export const badRequest = (message: string): HttpError => ({ status: 400, code: 'BAD_REQUEST', message });

export const limitExceeded = (message: string): HttpError => ({ status: 400, code: 'LIMIT_EXCEEDED', message });

export const unsupportedMediaType = (message: string): HttpError => ({
  status: 415,
  code: 'UNSUPPORTED_MEDIA_TYPE',
  message,
});

export const notFound: HttpError = { status: 404, code: 'NOT_FOUND', message: 'There is nothing at this path.' };

export const methodNotAllowed: HttpError = {
  status: 405,
  code: 'BAD_REQUEST',
  message: 'A message of MCP is sent by POST: there are no sessions, and no stream of the server.',
};

export const notAcceptable: HttpError = {
  status: 406,
  code: 'NOT_ACCEPTABLE',
  message: 'Answers are application/graphql-response+json or application/json, in UTF-8.',
};

export const outOfMemory: HttpError = {
  status: 503,
  code: 'UNAVAILABLE',
  message: 'The gateway has no memory left for this at the moment. Nothing was sent; try again.',
};

export const overloaded: HttpError = {
  status: 503,
  code: 'UNAVAILABLE',
  message: 'The gateway has too many requests at the moment. Nothing was sent; try again.',
};

export const internalError: HttpError = { status: 500, code: 'INTERNAL', message: 'Unexpected error.' };

export const bodyTooLarge = (maxBytes: number): HttpError => ({
  status: 413,
  code: 'REQUEST_ENTITY_TOO_LARGE',
  message: `The request body must have at most ${maxBytes} bytes.`,
});

/** Encodes an error in the format of a GraphQL response. */
export const httpErrorBody = ({ message, code }: HttpError, requestId: string): string =>
  JSON.stringify({ errors: [{ message, extensions: { code, requestId } }] });

/** The range that JSON-RPC leaves to servers. */
const SERVER_ERROR = -32_000;

/** Encodes an error as a response of JSON-RPC to a message that was not read. */
export const jsonRpcErrorBody = (
  { message, code }: { readonly message: string; readonly code: string },
  requestId: string,
): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: SERVER_ERROR, message, data: { code, requestId } } });
