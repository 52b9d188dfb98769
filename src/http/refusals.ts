import type { ServerResponse } from 'node:http';
import type { BackendError, BackendErrorKind } from '../domain/errors.ts';
import { type Refusal, refusalBody } from './refusal.ts';
import { sendText } from './responses.ts';
import type { Route } from './route.ts';

export interface RefusalBodies {
  /** A failure as the body of an answer of GraphQL. */
  readonly graphqlBody: (failure: BackendError) => string;
  /** The same, and a refusal, as the façade says them; null where there is none. */
  readonly facadeBody: ((refused: BackendError | Refusal) => string) | null;
}

/** Answers a request that is not taken, in the words of the API that it asks for. */
export interface Refusals {
  refuse(response: ServerResponse, route: Route, refusal: Refusal): void;
  fail(response: ServerResponse, route: Route, failure: BackendError): void;
}

export const createRefusals = ({ graphqlBody, facadeBody }: RefusalBodies): Refusals => ({
  refuse(response, route, refusal) {
    const inWords = (route === 'facade' && facadeBody) || refusalBody;
    sendText(response, { status: refusal.status, headers: HEADERS, text: inWords(refusal) });
  },
  fail(response, route, failure) {
    const inWords = (route === 'facade' && facadeBody) || graphqlBody;
    const seconds = failure.kind === 'rate-limited' ? failure.retryAfterSeconds : null;
    const headers = { ...HEADERS, ...(seconds !== null && { 'retry-after': `${seconds}` }) };
    const status = (failure.kind === 'rejected' && failure.httpStatus) || STATUS[failure.kind];
    sendText(response, { status, headers, text: inWords(failure) });
  },
});

const HEADERS = { 'content-type': 'application/json; charset=utf-8' };

const STATUS = {
  validation: 400,
  'reader-group-not-found': 400,
  unauthenticated: 401,
  forbidden: 403,
  'rate-limited': 429,
  rejected: 400,
  unavailable: 503,
  'outcome-unknown': 500,
  'not-offered': 404,
  'query-too-costly': 400,
  'too-costly': 400,
} as const satisfies Record<BackendErrorKind, number>;
