import type { Lease } from '../base/lease.ts';
import type { HeaderReader } from '../base/media-types.ts';
import { networkOf } from '../base/network.ts';
import { err, ok, type Result } from '../base/result.ts';
import { type BackendError, forbidden, unauthenticated, unavailable } from '../errors.ts';
import type { ReservedCalls } from '../rate-limit.ts';
import type { Trace } from '../tracing.ts';
import type { RequestFacts } from './request-facts.ts';
import type { RequestedOperation } from './request-report.ts';

export interface Caller {
  /** The API token of calls to the backend, which the caller sent, or the service credential. Null when there is none. */
  readonly apiToken: string | null;
  /** The API token that the caller sent, null for a client who sent none. Absent unless the caller uses the service credential. */
  readonly sentToken?: string | null | undefined;
  /** The client that the JWT or the host identifies, or the reason why there is none. Absent without authentication. */
  readonly client?: Result<Client, BackendError> | undefined;
  /** The remote IP address of the socket; '' when it has none. */
  readonly address: string;
  /** What is known of the request, which all its caller objects have. */
  readonly request: RequestFacts;
  /** The type of the GraphQL operation that asks; absent elsewhere. */
  readonly operationType?: RequestedOperation['type'] | undefined;
  readonly trace?: Trace | null | undefined;
  /** True for a call with the items of several requests. */
  readonly isMerged?: boolean | undefined;
  /** The `performance.now()` after which no call begins on the caller's behalf (`REQUEST_TIMEOUT_MS`). */
  readonly deadline: number;
  /** Milliseconds from the start of the request to its deadline. */
  readonly requestTimeoutMs: number;
  /** True when a call fails at once instead of waiting for the service's rate limit. */
  readonly doesNotWait?: boolean | undefined;
  /** True for a job, which leaves some of the rate limit to others, and whose calls fail instead of waiting for it. */
  readonly isBackground?: boolean | undefined;
  /** The calls of the rate limit that were taken in advance, for a job that reads and then writes, or for a fork and its update. */
  readonly reserved?: ReservedCalls | undefined;
  /** Ends the right of the caller's writes to begin. Absent where no other process reports their outcomes. */
  readonly lease?: Lease | undefined;
  /** True once the client has disconnected, so that nobody waits for the response. Absent when that is not known. */
  readonly isGone?: (() => boolean) | undefined;
}

/**
 * The API token of a request. Many proxies drop header names with an underscore, so three headers can have the token.
 * The first one is used.
 */
function apiTokenOf(headers: HeaderReader): string | null {
  const headerToken = tokenHeaderOf(headers);
  if (headerToken !== null) return headerToken || null;
  const bearer = /^bearer +(.+)$/iu.exec(headers.get('authorization') ?? '');
  return bearer?.[1] ?? null;
}

const tokenHeaderOf = (headers: HeaderReader): string | null => headers.get('api_token') ?? headers.get('x-api-token');

export interface CallerOptions extends Pick<Caller, 'requestTimeoutMs' | 'address' | 'isGone' | 'request' | 'trace'> {
  readonly headers: HeaderReader;
  /**
   * Returns the request for a host that identifies its callers; null where nobody has to be identified, and absent
   * without HTTP. The controller is aborted once nobody waits for the response.
   */
  readonly toRequest?: ((ending: AbortController) => Request | null) | null;
}

export const createCaller = ({
  headers,
  requestTimeoutMs,
  address,
  isGone,
  request,
  trace,
}: CallerOptions): Caller => ({
  apiToken: apiTokenOf(headers),
  address,
  isGone,
  request,
  trace,
  deadline: performance.now() + requestTimeoutMs,
  requestTimeoutMs,
});

/**
 * Creates the caller with client authentication, where `Authorization` is never an API token. A caller who is no client
 * gets no API token at all, so that no layer can use the service credential for it.
 */
export async function createClientCaller(options: CallerOptions, clients: ClientAuthentication): Promise<Caller> {
  const { headers } = options;
  const caller = createCaller(options);
  const client = await clients.identify(options);
  if (!client.ok) return { ...caller, client, apiToken: null };
  const apiToken = tokenHeaderOf(headers) || null;
  return apiToken === null
    ? { ...caller, client, apiToken: clients.apiToken, sentToken: null }
    : { ...caller, client, apiToken };
}

/** The API token that the caller sent. A caller is never identified by the service credential, which others use too. */
export const sentTokenOf = ({ apiToken, sentToken }: Caller): string | null =>
  sentToken === undefined ? apiToken : sentToken;

/**
 * The name of a caller in counts: the subject of a client, or else a hash of the token that was sent, since others use
 * the service credential, too. Without either, it is the caller's network.
 */
export function callerNameOf(caller: Caller): string {
  if (caller.client?.ok && caller.client.value.subject !== null) return `subject ${caller.client.value.subject}`;
  const token = sentTokenOf(caller);
  return token === null ? `network ${networkOf(caller.address)}` : `token ${token}`;
}

export const usesServiceCredential = ({ sentToken }: Caller): boolean => sentToken !== undefined;

/** Checks that the client has the scope. Without client authentication every caller has every scope. */
export function checkClientScope({ client }: Caller, scope: ClientScope): Result<void, BackendError> {
  if (client === undefined) return ok(undefined);
  if (!client.ok) return client;
  return client.value.scopes.has(scope) ? ok(undefined) : err(missingScope(scope));
}

/** Milliseconds until the caller's deadline, never below 0. */
export const timeLeft = ({ deadline }: Pick<Caller, 'deadline'>): number => Math.max(0, deadline - performance.now());

/** The scopes that a JWT or a host can grant. Others are ignored. */
export const CLIENT_SCOPES = ['read', 'articles:write', 'articles:publish', 'groups:write'] as const;

export type ClientScope = (typeof CLIENT_SCOPES)[number];

/** The issuer of the JWTs of `kb-gateway dev-jwt`, which are for trying. They live for at most `DEV_JWT_SECONDS`. */
export const DEV_ISSUER = 'kb-gateway-dev';
export const DEV_JWT_SECONDS = 3_600;

/** The client that a valid JWT or a host identifies. */
export interface Client {
  /** The claim `sub`; null when there is none. */
  readonly subject: string | null;
  readonly scopes: ReadonlySet<ClientScope>;
}

export interface ClientAuthentication {
  /**
   * Finds the client of a request. Every invalid JWT gives the same error; `unavailable` means that nobody knows now.
   * The log names the request by its ID.
   */
  identify(options: CallerOptions): Promise<Result<Client, BackendError>>;
  /** The service credential, for a client who sends no token. */
  readonly apiToken: string | null;
}

export const INVALID_JWT_ERROR = unauthenticated(
  [],
  'A valid JWT is required. Send it in the header Authorization, after the word Bearer.',
);

export const UNKNOWN_CLIENT_ERROR = unavailable(
  'The gateway cannot check at the moment who is asking. Nothing was sent.',
);

const missingScope = (scope: ClientScope): BackendError =>
  forbidden([], `This needs the scope ${scope}, which the caller does not have.`);
