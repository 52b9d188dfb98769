/**
 * The codes of requests that are refused as they stand, in `extensions.code`, and what each means. They are not in the
 * enum `ErrorCode`, which has the codes of failed reads and writes.
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
