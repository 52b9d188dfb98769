/** The values of the enum `ErrorCode`. Codes of requests that are refused as they stand are `REQUEST_ERRORS`. */
export const ERROR_CODES = {
  VALIDATION_FAILED: {
    description:
      'The input of a mutation, or an argument of a query, breaks a rule. Nothing was written, and the issues name the places.',
  },
  NOT_FOUND: { description: 'The object that a write names does not exist.' },
  UNAUTHENTICATED: { description: 'The API token or the JWT is missing or not valid (HTTP 401).' },
  FORBIDDEN: { description: 'The API token or the JWT is valid and does not permit this (HTTP 403).' },
  RATE_LIMITED: {
    description:
      'The service accepts no more calls for now, or the gateway no more requests of this caller (HTTP 429). The same request can be sent again after `retryAfterSeconds`.',
  },
  REJECTED: { description: 'The service refused the request for a reason that no other code stands for.' },
  UNAVAILABLE: {
    description:
      'The service cannot be reached, or the gateway has no room for the request. Nothing was written, and the same request can be sent again.',
  },
  OUTCOME_UNKNOWN: {
    description:
      'The write was sent, and no answer tells whether it took effect. Read the object before writing again.',
  },
  NOT_OFFERED: { description: 'The service has no call that reads this.' },
  QUERY_TOO_COSTLY: {
    description:
      'The request would take more calls to the service, or a larger answer, than one request may. Ask for fewer items or fields.',
  },
  IDEMPOTENCY_CONFLICT: {
    description: 'The idempotency key was used with another input before. Nothing was written.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    description:
      'The first request with the idempotency key is still under way. Send the same request again to get its answer.',
  },
  INTERNAL: {
    description: 'A fault of the gateway itself. `extensions.requestId` finds its line in the log of the gateway.',
  },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
