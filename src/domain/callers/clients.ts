import { type BackendError, forbidden, unauthenticated } from '../errors.ts';
import type { Result } from '../result.ts';

/** What a client's JWT can permit; a JWT that names others beside them is none the worse for it. */
export const SCOPES = ['read', 'articles:write', 'groups:write'] as const;

export type Scope = (typeof SCOPES)[number];

/** Whom a valid JWT names, and what it permits. */
export interface Client {
  /** The claim `sub`; null where the JWT has none. */
  readonly subject: string | null;
  readonly scopes: ReadonlySet<Scope>;
}

/** Tells whose request it is by the JWT in its `Authorization` header. */
export interface ClientAuthentication {
  /** Fails with one and the same error whatever is wrong with the JWT, and as unavailable where nobody can tell now. */
  identify(authorization: string | null): Promise<Result<Client, BackendError>>;
  /** What the gateway holds for its clients: the API token of a known client that sends none. */
  readonly apiToken: string | null;
}

export const unknownClient: BackendError = {
  ...unauthenticated(),
  message: 'A valid JWT is required. Send it in the header Authorization, after the word Bearer.',
};

export const scopeMissing: BackendError = { ...forbidden(), message: 'The JWT does not permit this.' };
