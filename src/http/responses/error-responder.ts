import type { ServerResponse } from 'node:http';
import type { BackendError } from '../../domain/errors.ts';
import type { Route } from '../route.ts';
import { type Refusal, refusalBody } from './http-error.ts';
import { sendText } from './send-response.ts';

export interface RefusalBodies {
  /** A failure as the body of an answer of GraphQL. */
  readonly graphqlBody: (failure: BackendError) => string;
  /** The same, and a refusal, as the façade says them; null where there is none. */
  readonly facadeBody: ((refused: BackendError | Refusal) => string) | null;
  /** The status of an answer that is nothing but a failure. */
  readonly httpStatusOf: (failure: BackendError) => number;
}

/** Answers a request that is not taken, in the words of the API that it asks for. */
export interface Refusals {
  refuse(response: ServerResponse, route: Route, refusal: Refusal): void;
  fail(response: ServerResponse, route: Route, failure: BackendError): void;
}

export const createRefusals = ({ graphqlBody, facadeBody, httpStatusOf }: RefusalBodies): Refusals => ({
  refuse(response, route, refusal) {
    const inWords = (route === 'facade' && facadeBody) || refusalBody;
    sendText(response, { status: refusal.status, headers: HEADERS, text: inWords(refusal) });
  },
  fail(response, route, failure) {
    const inWords = (route === 'facade' && facadeBody) || graphqlBody;
    const seconds = failure.kind === 'rate-limited' ? failure.retryAfterSeconds : null;
    const headers = { ...HEADERS, ...(seconds !== null && { 'retry-after': `${seconds}` }) };
    sendText(response, { status: httpStatusOf(failure), headers, text: inWords(failure) });
  },
});

const HEADERS = { 'content-type': 'application/json; charset=utf-8' };
