/**
 * The codes of requests that are refused without being executed, in `extensions.code`, with their meanings. They are
 * not in the enum `ErrorCode`, which has the codes of failed reads and writes.
 */
export const REQUEST_ERRORS = {
  BAD_REQUEST: 'The HTTP request has no readable query, or another method than its operation needs.',
  BAD_USER_INPUT: 'A variable or an argument does not fit its type, or the operation is a subscription.',
  CSRF_PREVENTED:
    'A page of another site could have sent the request: it lacks the header `graphql-require-preflight`.',
  GRAPHQL_PARSE_FAILED: 'The document is not GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not fit the schema.',
  LIMIT_EXCEEDED: 'The document or the request body exceeds a limit of the gateway.',
  NOT_ACCEPTABLE: 'The header `Accept` permits no JSON.',
  OPERATION_RESOLUTION_FAILURE:
    'The document has no operation of the name that was sent, or several and no name was sent.',
  PERSISTED_QUERY_NOT_FOUND:
    'The gateway knows no document with the ID or the SHA-256 that was sent. A client of automatic persisted queries sends its text, too.',
  PERSISTED_QUERY_NOT_SUPPORTED: 'The extension `persistedQuery` has another version than 1.',
  PERSISTED_QUERY_ONLY: 'The gateway executes trusted documents only, which are sent by their ID and without text.',
  REQUEST_ENTITY_TOO_LARGE: 'The request body has more bytes than the gateway accepts.',
  UNSUPPORTED_MEDIA_TYPE: 'The request body is not `application/json` in UTF-8.',
} as const;

export type RequestErrorCode = keyof typeof REQUEST_ERRORS;

/** The values of the enum `ErrorCode`. Requests that are refused unexecuted have the codes of `REQUEST_ERRORS`. */
export const ERROR_CODES = {
  VALIDATION_FAILED:
    'The input of a mutation, or an argument of a query, breaks a rule. Nothing was written, and the issues name the places.',
  NOT_FOUND: 'The object that a write names does not exist.',
  CHANGED_SINCE: 'What a write was to change no longer has the revision that was sent. Nothing was written.',
  UNAUTHENTICATED: 'The API token or the JWT is missing or not valid (HTTP 401).',
  FORBIDDEN: 'The API token or the JWT is valid and does not permit this (HTTP 403).',
  RATE_LIMITED:
    'The service accepts no more calls for now, or the gateway no more requests of this caller (HTTP 429). The same request can be sent again after `retryAfterSeconds`.',
  REJECTED: 'The service refused the request for a reason that no other code stands for.',
  UNAVAILABLE:
    'The service cannot be reached, or the gateway has no room for the request. Nothing was written, and the same request can be sent again.',
  OUTCOME_UNKNOWN:
    'The write was sent, and no answer tells whether it took effect. Read the object before writing again.',
  NOT_OFFERED: 'The service has no call that reads this.',
  QUERY_TOO_COSTLY:
    'The request would take more calls to the service, or a larger answer, than one request may. Ask for fewer items or fields.',
  IDEMPOTENCY_CONFLICT: 'The idempotency key was used with another input before. Nothing was written.',
  IDEMPOTENCY_IN_PROGRESS:
    'The first request with the idempotency key is still under way. Send the same request again to get its answer.',
  INTERNAL: 'A fault of the gateway itself. `extensions.requestId` finds its line in the log of the gateway.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
