/** Why a request is not taken, before GraphQL has a say. */
export interface Refusal {
  readonly status: 400 | 404 | 406 | 413 | 415 | 503;
  readonly code:
    | 'BAD_REQUEST'
    | 'NOT_FOUND'
    | 'NOT_ACCEPTABLE'
    | 'REQUEST_ENTITY_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'LIMIT_EXCEEDED'
    | 'UNAVAILABLE';
  readonly message: string;
}

export const badRequest = (message: string): Refusal => ({ status: 400, code: 'BAD_REQUEST', message });

export const limitExceeded = (message: string): Refusal => ({ status: 400, code: 'LIMIT_EXCEEDED', message });

export const unsupported = (message: string): Refusal => ({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message });

export const noRoom: Refusal = {
  status: 503,
  code: 'UNAVAILABLE',
  message: 'The gateway has no memory left for this at the moment. Nothing was sent; try again.',
};

export const tooLarge = (maxBytes: number): Refusal => ({
  status: 413,
  code: 'REQUEST_ENTITY_TOO_LARGE',
  message: `The request body must have at most ${maxBytes} bytes.`,
});

/** The refusal as the body of an answer, in the shape of GraphQL's. */
export const refusalBody = ({ message, code }: Refusal): string =>
  JSON.stringify({ errors: [{ message, extensions: { code } }] });
