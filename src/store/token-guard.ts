import { hash, timingSafeEqual } from 'node:crypto';
import type { Backend, Page } from '../core/backend.ts';
import type { StoredPage } from '../core/base/pages.ts';
import { err, ok, type Result } from '../core/base/result.ts';
import type { Caller } from '../core/callers/caller.ts';
import { type BackendError, unauthenticated } from '../core/errors.ts';
import { createServiceError } from '../core/notices.ts';
import type { ResultsByKey } from './reads/results-by-key.ts';

type Authenticate = (caller: Caller) => Result<void, BackendError>;

/**
 * The token checks of the port. Hashes are stored, and all of them are compared every time, so that the duration of a
 * check reveals nothing about a token.
 */
export function createTokenChecks(apiTokens: readonly string[]): Pick<Backend, 'authenticate' | 'requireKnown'> {
  const acceptedHashes = apiTokens.map(sha256Of);
  const check: Authenticate = ({ apiToken }) => {
    if (apiToken === null) return err(unauthenticated());
    const sentHash = sha256Of(apiToken);
    const matches = acceptedHashes.filter((accepted) => timingSafeEqual(accepted, sentHash));
    return matches.length > 0
      ? ok(undefined)
      : err(unauthenticated([createServiceError('The API token is not valid.')]));
  };
  /** The results are kept, since a request asks several times. */
  const checked = new WeakMap<Caller, ReturnType<Authenticate>>();
  const authenticate: Authenticate = (caller) => {
    const known = checked.get(caller);
    if (known !== undefined) return known;
    const result = check(caller);
    checked.set(caller, result);
    return result;
  };
  return { authenticate, requireKnown: async (caller) => authenticate(caller) };
}

const sha256Of = (token: string): Buffer => hash('sha256', token, 'buffer');

export type TokenGuard = ReturnType<typeof createTokenGuard>;

/**
 * Checks the token before an operation of the port, so that no operation runs for an untrusted caller, even one that
 * was never authenticated, and maps thrown errors. Operations with one result per key use `guardBatch`, which skips
 * them when there are no keys. `toBackendError` rethrows bugs.
 */
export const createTokenGuard = (
  authenticate: Authenticate,
  toBackendError: (error: unknown, caller: Caller) => BackendError,
) => ({
  guardCall:
    <S, A extends readonly unknown[], T>(
      storeFor: (caller: Caller) => S,
      operation: (store: S, ...args: A) => Promise<Result<T, BackendError>>,
    ) =>
    async (caller: Caller, ...args: A): Promise<Result<T, BackendError>> => {
      const authenticated = authenticate(caller);
      if (!authenticated.ok) return authenticated;
      return operation(storeFor(caller), ...args).catch((error: unknown) => err(toBackendError(error, caller)));
    },
  guardBatch:
    <S, K, A extends readonly unknown[], T>(
      storeFor: (caller: Caller) => S,
      operation: (store: S, keys: readonly K[], ...args: A) => Promise<ResultsByKey<T>>,
    ) =>
    async (caller: Caller, keys: readonly K[], ...args: A): Promise<ResultsByKey<T>> => {
      const authenticated = authenticate(caller);
      if (!authenticated.ok) return keys.map(() => authenticated);
      if (keys.length === 0) return [];
      return operation(storeFor(caller), keys, ...args).catch((error: unknown) => {
        const failed = err(toBackendError(error, caller));
        return keys.map(() => failed);
      });
    },
  /** Returns the page with a total whose failures are values. */
  guardCount:
    (caller: Caller) =>
    <T>({ totalCount, ...page }: StoredPage<T>): Page<T> => ({
      ...page,
      totalCount: totalCount && (() => totalCount().then(ok, (error: unknown) => err(toBackendError(error, caller)))),
    }),
});
