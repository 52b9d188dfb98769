import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../domain/callers/caller.ts';
import type { BackendError } from '../../domain/errors.ts';
import type { Result } from '../../domain/result.ts';
import type { Refusals } from '../responses/error-responder.ts';
import type { Route } from '../route.ts';

export interface CallerGateOptions {
  readonly limit: (caller: Caller, address: string) => Result<void, BackendError>;
  readonly refusals: Refusals;
}

export interface Asked {
  readonly route: Route;
  readonly caller: Caller;
}

/** Answers 429 to a caller who has made all requests of this minute, and true where it answered. */
export function createCallerGate({ limit, refusals }: CallerGateOptions) {
  return ({ method, socket }: IncomingMessage, response: ServerResponse, { route, caller }: Asked): boolean => {
    if (route !== 'graphql' && route !== 'facade') return false;
    // A browser's question whether it may ask carries nothing that tells who asks.
    if (method === 'OPTIONS') return false;
    const spent = limit(caller, socket.remoteAddress ?? '');
    if (!spent.ok) refusals.fail(response, route, spent.error);
    return !spent.ok;
  };
}
