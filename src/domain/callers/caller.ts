import type { BackendError } from '../errors.ts';
import { DEFAULT_RETRY_AFTER_SECONDS } from '../rate-limit.ts';
import { err, ok, type Result } from '../result.ts';
import { type Client, type ClientAuthentication, type ClientScope, missingScope } from './clients.ts';

/** The reads that a backend keeps for one request. */
export interface RequestReads {
  /** The calls to the service that they have cost. */
  readonly calls: number;
  /** Forgets everything, since a write may have changed it. */
  clear(): void;
}

/** What is known of one request so far. */
interface RequestState {
  reads: RequestReads | null;
  /** The longest wait that a rate limit has asked for. Absent when none has refused any part of the request. */
  retryAfterSeconds?: number;
}

/** The caller of one request. */
export interface Caller {
  /** The API token of calls to the backend, which the caller sent or is lent. Null when there is none. */
  readonly apiToken: string | null;
  /** The API token that the caller sent, null for a JWT alone. Absent unless another token is lent to the caller. */
  readonly sentToken?: string | null | undefined;
  /** The client that the JWT names, or the reason why it names none. Absent without client authentication. */
  readonly client?: Result<Client, BackendError> | undefined;
  /** The remote IP address of the socket; '' when it has none. */
  readonly address: string;
  readonly requestId: string;
  /** The request's own state, which all its caller objects share. Without it, backends keep nothing that was read. */
  readonly request?: RequestState | undefined;
  /** The `performance.now()` after which no call begins on the caller's behalf (`REQUEST_TIMEOUT_MS`). */
  readonly deadline: number;
  /** Milliseconds from the start of the request to its deadline. */
  readonly requestTimeoutMs: number;
  /** True when a call fails at once instead of waiting for the service's rate limit. */
  readonly doesNotWait?: boolean | undefined;
  /** True once the client has disconnected, so that nobody waits for the response. Absent when that is not known. */
  readonly isGone?: (() => boolean) | undefined;
}

/** The headers of a request, by their names in lower case. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** Many proxies drop header names with an underscore, so three headers can carry the token. The first one counts. */
function apiTokenOf(headers: HeaderReader): string | null {
  const headerToken = tokenHeaderOf(headers);
  if (headerToken !== null) return headerToken || null;
  const bearer = /^bearer +(.+)$/iu.exec(headers.get('authorization') ?? '');
  return bearer?.[1] ?? null;
}

const tokenHeaderOf = (headers: HeaderReader): string | null => headers.get('api_token') ?? headers.get('x-api-token');

type ClientConnection = Pick<Caller, 'address' | 'isGone'>;

export const createCaller = (
  headers: HeaderReader,
  requestTimeoutMs: number,
  connection: ClientConnection = { address: '' },
): Caller => ({
  apiToken: apiTokenOf(headers),
  requestId: crypto.randomUUID(),
  request: { reads: null },
  deadline: performance.now() + requestTimeoutMs,
  requestTimeoutMs,
  ...connection,
});

/**
 * Creates the caller with client authentication, where `Authorization` carries the JWT. A caller without a valid JWT
 * gets no API token at all, so that no layer can use the gateway's token for them.
 */
export async function createJwtCaller(
  headers: HeaderReader,
  requestTimeoutMs: number,
  clients: ClientAuthentication,
): Promise<Caller> {
  const caller = createCaller(headers, requestTimeoutMs);
  const client = await clients.identify(headers.get('authorization'));
  if (!client.ok) return { ...caller, client, apiToken: null };
  const apiToken = tokenHeaderOf(headers) || null;
  return apiToken === null
    ? { ...caller, client, apiToken: clients.apiToken, sentToken: null }
    : { ...caller, client, apiToken };
}

/** The API token that the caller sent. A caller is never identified by a lent token, which others use too. */
export const sentTokenOf = ({ apiToken, sentToken }: Caller): string | null =>
  sentToken === undefined ? apiToken : sentToken;

/** True for callers who are lent a token. They are trusted even before the service has accepted that token. */
export const usesLentToken = ({ sentToken }: Caller): boolean => sentToken !== undefined;

/** Checks that the caller's JWT has the scope. Without client authentication every caller has every scope. */
export function checkClientScope({ client }: Caller, scope: ClientScope): Result<void, BackendError> {
  if (client === undefined) return ok(undefined);
  if (!client.ok) return client;
  return client.value.scopes.has(scope) ? ok(undefined) : err(missingScope(scope));
}

/** Milliseconds until the caller's deadline, never below 0. */
export const timeLeft = ({ deadline }: Pick<Caller, 'deadline'>): number => Math.max(0, deadline - performance.now());

/** Records that a rate limit refused part of the request: its response then has the header `Retry-After`. */
export function recordRateLimit({ request }: Caller, retryAfterSeconds: number | null): void {
  if (request === undefined) return;
  request.retryAfterSeconds = Math.max(
    request.retryAfterSeconds ?? 0,
    retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS,
  );
}
