import type { Result } from '../../base/result.ts';
import { type BackendError, forbidden, unauthenticated } from '../errors.ts';

/** The scopes that a JWT can grant. Others in the JWT are ignored. */
export const CLIENT_SCOPES = ['read', 'articles:write', 'groups:write'] as const;

export type ClientScope = (typeof CLIENT_SCOPES)[number];

/** The client that a valid JWT names. */
export interface Client {
  /** The claim `sub`; null when the JWT has none. */
  readonly subject: string | null;
  readonly scopes: ReadonlySet<ClientScope>;
}

export interface ClientAuthentication {
  /**
   * Finds the client by the JWT in an `Authorization` header. Every invalid JWT gives the same error; `unavailable`
   * means that the keys can't be fetched now. The log names the request by its ID.
   */
  identify(authorization: string | null, requestId: string): Promise<Result<Client, BackendError>>;
  /** The gateway's API token, which is lent to a client who sends none. */
  readonly apiToken: string | null;
}

export const INVALID_JWT_ERROR: BackendError = {
  ...unauthenticated(),
  message: 'A valid JWT is required. Send it in the header Authorization, after the word Bearer.',
};

export const missingScope = (scope: ClientScope): BackendError => ({
  ...forbidden(),
  message: `The JWT does not permit this: it lacks the scope ${scope}.`,
});
