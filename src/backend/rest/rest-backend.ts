import { unauthenticated } from '../../domain/errors.ts';
import type { Log } from '../../domain/log.ts';
import { err, ok } from '../../domain/result.ts';
import type { Backend } from '../backend.ts';
import { createBudgets } from './budgets.ts';
import { openClient } from './http/client.ts';
import { checkService } from './readiness.ts';
import { createReadSessions } from './reads/request-cache.ts';
import { createReads } from './reads.ts';
import { createVerification } from './tokens/token-verification.ts';
import { createNewcomers } from './tokens/untrusted-calls.ts';
import { createUpstream } from './upstream.ts';
import { createWrites } from './writes/reader-group-writes.ts';

export interface RestBackendOptions {
  /** Where `/v2` lies: a path in front of it and a slash at the end are both fine (`UPSTREAM_URL`). */
  readonly baseUrl: string;
  /** Milliseconds for one call (`UPSTREAM_TIMEOUT_MS`). */
  readonly timeoutMs: number;
  /** Items per call of the bulk update (`UPSTREAM_BULK_SIZE`). */
  readonly bulkSize: number;
  /** Reads that one caller's request may cost (`MAX_UPSTREAM_CALLS`). */
  readonly maxReadCalls: number;
  readonly log: Log;
}

/**
 * So many calls are on their way at one time. The service allows a token some 60 a minute, so it is only calls that hang
 * that come to so many, and as long as there are fewer they hold up no other.
 */
const MAX_SOCKETS = 256;

/** So many wait for their turn; what comes on top is `unavailable` at once. */
const MAX_WAITING = 1_000;

/** The backend that forwards every call to the service at `baseUrl`. */
export function openRestBackend(options: RestBackendOptions): Backend {
  const { baseUrl, timeoutMs, bulkSize, maxReadCalls, log } = options;
  const client = openClient({ baseUrl, timeoutMs, maxSockets: MAX_SOCKETS, maxWaiting: MAX_WAITING, log });
  const budgets = createBudgets();
  const newcomers = createNewcomers({ slots: MAX_SOCKETS, waiting: MAX_WAITING });
  const upstream = createUpstream({ client, budgets, newcomers });
  const verification = createVerification(upstream);
  const sessions = createReadSessions(upstream, maxReadCalls);
  return {
    authenticate: (caller) => (upstream.tokenOf(caller) === null ? err(unauthenticated()) : ok(undefined)),
    isAccepted: verification.isAccepted,
    verifyToken: verification.verifyToken,
    async rateLimit(caller) {
      if (upstream.tokenOf(caller) === null) return err(unauthenticated());
      return ok(upstream.known(caller)?.queue.budget.known() ?? null);
    },
    checkReady: () => checkService(client, baseUrl),
    async close() {
      client.close();
    },
    ...createWrites({ upstream, verification, sessions, bulkSize, log }),
    ...createReads(sessions),
  };
}
