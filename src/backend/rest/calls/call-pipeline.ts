import { err } from '../../../base/result.ts';
import { mostOf, NotBegun, Semaphore } from '../../../base/semaphore.ts';
import { type Caller, usesLentToken } from '../../../domain/callers/caller.ts';
import { unauthenticated, unavailable } from '../../../domain/errors.ts';
import type { Metrics } from '../../../domain/metrics.ts';
import type { SharedState } from '../../../state/shared/shared-state.ts';
import type { CallStep, SendCall } from './call.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createLockNotes } from './lock-notes.ts';
import type { ServiceHealth } from './readiness.ts';
import { createRetries } from './retries.ts';
import { deadlineExceeded, notBegun, type RequestResult, type ServiceCall } from './service-call.ts';
import { apiRootOf, openServiceClient, type ServiceClientOptions } from './service-client.ts';
import { createTokenStates, type TokenState, type TokenStates } from './token-states.ts';
import { createUntrustedCallLimiter, type UntrustedCallLimiter } from './untrusted-calls.ts';
import { createWaitingRoom } from './waiting-room.ts';

/** The service as one caller may use it: with the caller's token, within the caller's time. */
export interface Upstream {
  /** Null when the caller has no token that a header can carry. */
  tokenOf(caller: Caller): string | null;
  /** Undefined while no response has told anything of the token. */
  tokenStateOf(caller: Caller): TokenState | undefined;
  send(caller: Caller, operation: ServiceCall): Promise<RequestResult>;
}

export interface CallPipeline extends Upstream, ServiceHealth {
  close(): void;
}

export interface CallPipelineOptions extends ServiceClientOptions {
  /** The most calls that wait; one more fails at once, unsent. */
  readonly maxWaiting: number;
  /** Null where the gateway knows of no other in front of the same service. */
  readonly shared: SharedState | null;
  /** Marks what a write makes stale. Null where nobody has a cache. */
  readonly marks: CallStep | null;
}

/**
 * What becomes of a call to the service, in this order: each step sends the call on, or returns why it is not sent. Marks
 * and notes last for a time of their own, so a write makes them when nothing else delays it but its connection: see
 * docs/decisions/0015-upstream-budget-and-breaker.md.
 */
export function openCallPipeline(options: CallPipelineOptions): CallPipeline {
  const { baseUrl, timeoutMs, maxSockets, maxWaiting, shared, marks, log, metrics } = options;
  const slots = new Semaphore({ slots: mostOf(maxSockets), waiting: mostOf(maxWaiting) });
  const tokenStates = createTokenStates({ slots, shared, serviceUrl: apiRootOf(baseUrl) });
  const client = openServiceClient(options);
  const breaker = createCircuitBreaker(log, timeoutMs);
  const steps: readonly CallStep[] = [
    createRetries(),
    breaker.rejectEarly,
    createWaitingRoom(slots),
    breaker.guard,
    ...(marks === null ? [] : [marks]),
    createLockNotes(timeoutMs),
  ];
  const send = steps.reduceRight<SendCall>((next, step) => (call) => step(call, next), client.send);
  const strangers = createUntrustedCallLimiter({ slots: maxSockets, maxWaiting });
  observeCalls(metrics, { slots, tokenStates, strangers, failingSince: breaker.failingSince });
  return {
    ...createUpstream(send, tokenStates, strangers),
    failingSince: breaker.failingSince,
    baseUrlProblem: client.baseUrlProblem,
    close: client.close,
  };
}

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]+$/u;

function createUpstream(send: SendCall, tokenStates: TokenStates, strangers: UntrustedCallLimiter): Upstream {
  const tokenOf = ({ apiToken }: Caller) => (apiToken !== null && HEADER_VALUE.test(apiToken) ? apiToken : null);
  return {
    tokenOf,
    tokenStateOf(caller) {
      const apiToken = tokenOf(caller);
      return apiToken === null ? undefined : tokenStates.find(apiToken);
    },
    async send(caller, operation) {
      const apiToken = tokenOf(caller);
      if (apiToken === null) return err(notBegun(unauthenticated()));
      const token = tokenStates.acquire(apiToken);
      const isTrusted = usesLentToken(caller);
      if (isTrusted) token.budget.isShared = true;
      const isStranger = () => !isTrusted && !token.isAccepted;
      const start = () =>
        send({ operation, caller, apiToken, token, isStranger: isStranger(), fence: caller.fence, attempt: 1 });
      try {
        if (!isStranger()) return await start();
        const result = await strangers.run(caller, token, start);
        if (!(result instanceof NotBegun)) return result;
        return err(result.reason === 'full' ? notBegun(unavailable(TOO_MANY_STRANGERS)) : deadlineExceeded(caller));
      } finally {
        tokenStates.release(token);
      }
    },
  };
}

const TOO_MANY_STRANGERS =
  'Too many calls with API tokens that the service has not accepted yet are under way already; nothing was sent.';

interface ObservedCalls {
  readonly slots: Semaphore;
  readonly tokenStates: TokenStates;
  readonly strangers: UntrustedCallLimiter;
  readonly failingSince: () => number | null;
}

function observeCalls(metrics: Metrics, { slots, tokenStates, strangers, failingSince }: ObservedCalls): void {
  metrics.observe('breakerOpen', () => (failingSince() === null ? 0 : 1));
  metrics.observe('callsInFlight', () => slots.inUse);
  metrics.observe('callsWaitingForConnection', () => slots.waitingForSlot);
  metrics.observe('callsWaitingForRateLimit', () => slots.waiting - slots.waitingForSlot);
  metrics.observe('callsWaitingUntrusted', strangers.waitingCalls);
  metrics.observe('budgetRemaining', () => tokenStates.lowestRateLimit()?.remaining ?? null);
  metrics.observe('budgetResetSeconds', () => {
    const resetAt = tokenStates.lowestRateLimit()?.resetAt ?? null;
    return resetAt === null ? null : Math.max(0, (resetAt.getTime() - Date.now()) / 1_000);
  });
}
