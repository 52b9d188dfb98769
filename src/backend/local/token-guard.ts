import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../domain/callers/caller.ts';
import { type BackendError, unauthenticated } from '../../domain/errors.ts';
import { serviceError } from '../../domain/notices.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Backend } from '../backend.ts';
import type { Found } from './reads/results-by-key.ts';

export type Authenticate = (caller: Caller) => Result<void, BackendError>;

/**
 * Tells callers with an accepted API token from others. What is kept and compared are hashes, all of them every time, so
 * that the time it takes says nothing of a token.
 */
export function createAuthenticate(apiTokens: readonly string[]): Authenticate {
  const accepted = apiTokens.map(hashOf);
  return ({ apiToken }) => {
    if (apiToken === null) return err(unauthenticated());
    const given = hashOf(apiToken);
    const matches = accepted.filter((hash) => timingSafeEqual(hash, given));
    return matches.length > 0 ? ok(undefined) : err(unauthenticated([serviceError('The API token is not valid.')]));
  };
}

/** The port's checks of tokens: the store accepts those that it was given, without asking anybody. */
export function createTokenChecks(
  apiTokens: readonly string[],
): Pick<Backend, 'authenticate' | 'isAccepted' | 'verifyToken'> {
  const authenticate = createAuthenticate(apiTokens);
  return {
    authenticate,
    isAccepted: (caller) => authenticate(caller).ok,
    verifyToken: async (caller) => authenticate(caller),
  };
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface GuardOptions {
  readonly authenticate: Authenticate;
  /** What a call answers that met this error; throws what is no failure of the store but a bug. */
  readonly failureOf: (error: unknown) => BackendError;
}

/**
 * Puts the token in front of a call of the port, so that no call answers a stranger even if nobody asked before, and makes
 * a failure of the store an answer. The store is given as the caller may use it. `each` is for calls with one answer per key, which are not made where there is no key.
 */
export const createGuard = ({ authenticate, failureOf }: GuardOptions) => ({
  one:
    <S, A extends readonly unknown[], T>(
      storeFor: (caller: Caller) => S,
      ask: (store: S, ...args: A) => Promise<Result<T, BackendError>>,
    ) =>
    async (caller: Caller, ...args: A): Promise<Result<T, BackendError>> => {
      const permitted = authenticate(caller);
      if (!permitted.ok) return permitted;
      return ask(storeFor(caller), ...args).catch((error: unknown) => err(failureOf(error)));
    },
  each:
    <S, K, A extends readonly unknown[], T>(
      storeFor: (caller: Caller) => S,
      ask: (store: S, keys: readonly K[], ...args: A) => Promise<Found<T>>,
    ) =>
    async (caller: Caller, keys: readonly K[], ...args: A): Promise<Found<T>> => {
      const permitted = authenticate(caller);
      if (!permitted.ok) return keys.map(() => permitted);
      if (keys.length === 0) return [];
      return ask(storeFor(caller), keys, ...args).catch((error: unknown) => {
        const failed = err(failureOf(error));
        return keys.map(() => failed);
      });
    },
});
