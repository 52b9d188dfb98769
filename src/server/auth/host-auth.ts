import { isObject } from '../../core/base/json.ts';
import { MAX_SUBJECT_LENGTH } from '../../core/base/limits.ts';
import type { Log } from '../../core/base/log.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import {
  CLIENT_SCOPES,
  type Client,
  type ClientAuthentication,
  UNKNOWN_CLIENT_ERROR,
} from '../../core/callers/caller.ts';
import { type BackendError, unauthenticated } from '../../core/errors.ts';

/** The function of a host that tells who sends a request. JavaScript can return anything. */
export type Authenticate = (request: Request) => unknown;

interface HostAuthOptions {
  readonly authenticate: Authenticate;
  /** The API token that is lent to the clients that it names. */
  readonly apiToken: string | null;
  readonly log: Log;
}

/** Clients are those whom the host names. What its function throws is thrown. */
export const createHostAuth = ({ authenticate, apiToken, log }: HostAuthOptions): ClientAuthentication => ({
  apiToken,
  identify: async ({ request: facts, requestTimeoutMs, toRequest }) => {
    const ending = new AbortController();
    const request = toRequest?.(ending) ?? null;
    if (request === null) return err(NOBODY_ERROR);
    const timer = setTimeout(() => ending.abort(), requestTimeoutMs);
    const client = await Promise.race([ask(authenticate, request), waitForAbort(ending.signal)]).finally(() =>
      clearTimeout(timer),
    );
    if (client !== null) return client;
    if (!facts.isEnded()) log('error', 'authenticate has not answered in time', { requestId: facts.id });
    return err(UNKNOWN_CLIENT_ERROR);
  },
});

const NOBODY_ERROR = unauthenticated(
  [],
  'The server that the gateway is part of does not know who sends this: sign in there.',
);

const waitForAbort = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));

async function ask(authenticate: Authenticate, request: Request): Promise<Result<Client, BackendError>> {
  const answer = await Promise.try(authenticate, request).catch((error: unknown) => {
    throw new Error('authenticate has failed', { cause: error });
  });
  return answer === null ? err(NOBODY_ERROR) : ok(clientOf(answer));
}

function clientOf(answer: unknown): Client {
  const { subject = null, scopes } = isObject(answer) ? answer : {};
  const isSubject = subject === null || (typeof subject === 'string' && subject.length <= MAX_SUBJECT_LENGTH);
  if (!isSubject || !Array.isArray(scopes) || !scopes.every((scope) => typeof scope === 'string'))
    throw new TypeError(ANSWER_RULE);
  return { subject: subject || null, scopes: new Set(CLIENT_SCOPES.filter((scope) => scopes.includes(scope))) };
}

const ANSWER_RULE = `authenticate must give null or { subject, scopes }: a text of at most ${MAX_SUBJECT_LENGTH} characters, and an array of texts`;
