import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../domain/caller.ts';
import type { BackendError } from '../domain/errors.ts';
import type { Result } from '../domain/result.ts';
import { isFacadeTarget } from './request-head.ts';
import { sendText } from './responses.ts';

/** A failure as the body of an answer. */
type ErrorBody = (failure: BackendError) => string;

export interface CallerGateOptions {
  readonly limit: (caller: Caller, address: string) => Result<void, BackendError>;
  readonly graphqlBody: ErrorBody;
  /** Null where there is no façade. */
  readonly facadeBody: ErrorBody | null;
}

/** Answers 429 to a caller who has made all requests of this minute, and true where it answered. */
export function createCallerGate({ limit, graphqlBody, facadeBody }: CallerGateOptions) {
  return ({ method, url = '', socket }: IncomingMessage, response: ServerResponse, caller: Caller): boolean => {
    const body = /^\/graphql(?![^?])/u.test(url) ? graphqlBody : isFacadeTarget(url) ? facadeBody : null;
    // A browser's question whether it may ask carries nothing that tells who asks.
    if (body === null || method === 'OPTIONS') return false;
    const spent = limit(caller, socket.remoteAddress ?? '');
    if (spent.ok) return false;
    const seconds = spent.error.kind === 'rate-limited' ? spent.error.retryAfterSeconds : null;
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...(seconds !== null && { 'retry-after': `${seconds}` }),
    };
    sendText(response, { status: 429, headers, text: body(spent.error) });
    return true;
  };
}
