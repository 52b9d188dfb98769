import type { BackendError } from '../errors.ts';
import { err, ok, type Result } from '../result.ts';
import { type Client, type ClientAuthentication, type Scope, scopeMissing } from './clients.ts';

/**
 * Who is asking, and how long they wait. One object per request, and a new one after each of its writes: what was read
 * for the request hangs on it, and is forgotten with it.
 */
export interface Caller {
  /** The API token that calls are made with: the one that was sent, or the gateway's own where that is lent; null: none. */
  readonly apiToken: string | null;
  /** The API token that was sent in place of the one that is lent; null beside a JWT alone. Absent where none is lent. */
  readonly sentToken?: string | null | undefined;
  /** Whose JWT it is, or why it is nobody's. Absent without client authentication: the API token alone decides. */
  readonly client?: Result<Client, BackendError> | undefined;
  /** The client's IP address as the socket has it; '' where there is none. */
  readonly address: string;
  readonly requestId: string;
  /** The same object in all that follow each other in one request: what the request has spent hangs on it. */
  readonly request?: object | undefined;
  /** `performance.now()` after which nothing new is begun on the caller's behalf (`REQUEST_TIMEOUT_MS`). */
  readonly deadline: number;
  /** True where a call that the service's rate limit would keep waiting is not sent at all. */
  readonly doesNotWait?: boolean | undefined;
  /** Whether the client has hung up, so that nobody waits for an answer. Absent where that is not known. */
  readonly isGone?: (() => boolean) | undefined;
}

interface HeaderReader {
  get(name: string): string | null;
}

/** Many proxies drop names with an underscore, so the token has three places; the first that is there counts. */
export function apiTokenOf(headers: HeaderReader): string | null {
  const bare = bareTokenOf(headers);
  if (bare !== null) return bare || null;
  const bearer = /^bearer +(.+)$/iu.exec(headers.get('authorization') ?? '');
  return bearer?.[1] ?? null;
}

const bareTokenOf = (headers: HeaderReader): string | null => headers.get('api_token') ?? headers.get('x-api-token');

/** The connection that a request came on, as far as it matters here. */
type Connection = Pick<Caller, 'address' | 'isGone'>;

export const createCaller = (
  headers: HeaderReader,
  timeoutMs: number,
  connection: Connection = { address: '' },
): Caller => ({
  apiToken: apiTokenOf(headers),
  requestId: crypto.randomUUID(),
  request: {},
  deadline: performance.now() + timeoutMs,
  ...connection,
});

/**
 * The same where clients are known by their JWT: `Authorization` is nothing but that, and nobody who is not known has any
 * API token, so that the one the gateway holds is out of their reach on every floor.
 */
export async function createClientCaller(
  headers: HeaderReader,
  timeoutMs: number,
  clients: ClientAuthentication,
): Promise<Caller> {
  const caller = createCaller(headers, timeoutMs);
  const client = await clients.identify(headers.get('authorization'));
  if (!client.ok) return { ...caller, client, apiToken: null };
  const apiToken = bareTokenOf(headers) || null;
  return apiToken === null
    ? { ...caller, client, apiToken: clients.apiToken, sentToken: null }
    : { ...caller, client, apiToken };
}

/** The API token that the caller sent, whatever was lent for it. Who a caller is never depends on a lent token. */
export const sentTokenOf = ({ apiToken, sentToken }: Caller): string | null =>
  sentToken === undefined ? apiToken : sentToken;

/** Whoever is lent the gateway's token is known to the gateway, whatever the service has said of that token so far. */
export const isLent = ({ sentToken }: Caller): boolean => sentToken !== undefined;

/** Whether the caller's JWT permits what needs the scope; always so where there is no client authentication. */
export function permit({ client }: Caller, scope: Scope): Result<void, BackendError> {
  if (client === undefined) return ok(undefined);
  if (!client.ok) return client;
  return client.value.scopes.has(scope) ? ok(undefined) : err(scopeMissing);
}

/** Milliseconds that are left of the caller's deadline, never below 0. */
export const timeLeft = ({ deadline }: Pick<Caller, 'deadline'>): number => Math.max(0, deadline - performance.now());
