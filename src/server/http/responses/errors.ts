import { type BackendError, unavailable } from '../../../core/errors.ts';
import type { RequestErrorCode } from '../../../core/request-errors.ts';
import type { RoutedRequest } from '../route.ts';

/** The reason why a request is refused before GraphQL or the façade reads it, or is not answered by them. */
export interface HttpError {
  readonly status: number;
  /** The last three are those of failed reads, too. */
  readonly code: RequestErrorCode | 'NOT_FOUND' | 'UNAVAILABLE' | 'INTERNAL';
  readonly message: string;
  /** The error code of JSON-RPC, where it is not that of an error of the server. */
  readonly rpcCode?: number;
}

export const badRequest = (message: string): HttpError => ({ status: 400, code: 'BAD_REQUEST', message });

export const notFound: HttpError = { status: 404, code: 'NOT_FOUND', message: 'There is nothing at this path.' };

export const notAcceptable: HttpError = {
  status: 406,
  code: 'NOT_ACCEPTABLE',
  message: 'Answers are application/graphql-response+json or application/json, in UTF-8.',
};

export const OUT_OF_MEMORY = unavailable(
  'The gateway has no memory left for this at the moment. Nothing was sent; try again.',
);

export const OVERLOADED = unavailable('The gateway has too many requests at the moment. Nothing was sent; try again.');

export const internalError: HttpError = { status: 500, code: 'INTERNAL', message: 'Unexpected error.' };

export const bodyTooLarge = (maxBytes: number): HttpError => ({
  status: 413,
  code: 'REQUEST_ENTITY_TOO_LARGE',
  message: `The request body must have at most ${maxBytes} bytes.`,
});

type RouteTarget = Pick<RoutedRequest, 'response' | 'route' | 'facts' | 'summary'>;

/** Sends an error in place of a response. */
export type SendError = (target: RouteTarget, error: BackendError | HttpError) => void;
