import { MAX_UNVERIFIED_CALLS, MAX_WAITING_CALLS } from '../../core/base/limits.ts';
import { err } from '../../core/base/result.ts';
import { mostOf, NotBegun, Semaphore } from '../../core/base/semaphore.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { SharedState } from '../../core/shared-state.ts';
import { unlessUnavailable } from '../../core/state-unavailable.ts';
import { type CallStep, latestStartOf } from './call.ts';
import { CALL_QUEUE_FULL, deadlineExceeded } from './service-call.ts';
import type { TokenState } from './token-states.ts';

/** One call of each token asks the service. The others of that token use its result. */
const SLOTS = { slots: { total: MAX_UNVERIFIED_CALLS, perKey: 1 }, waiting: mostOf(MAX_WAITING_CALLS) };

/**
 * Lets the calls of a token that the service has not answered yet wait together for the first answer: one call gets it,
 * and the others are refused with it or go on. Tokens take turns. A refused token is refused for some seconds without a
 * call. A token that another gateway has seen accepted does not wait.
 */
export function createTokenTurns(shared: SharedState | null, metrics: Metrics): CallStep {
  const firstCalls = new Semaphore(SLOTS);
  metrics.observe('callsWaitingUnverified', () => firstCalls.waiting);
  const note = (token: TokenState) => {
    if (shared !== null && token.isDueToNote()) void unlessUnavailable(() => shared.acceptedTokens.add(token.key));
  };

  return async (call, next) => {
    const { token, caller } = call;
    if (!token.hasAnswer) {
      const first = await firstCalls.run({ key: token.key, deadline: latestStartOf(call) }, async () => {
        if (token.hasAnswer) return null;
        if (shared !== null && (await unlessUnavailable(() => shared.acceptedTokens.has(token.key)))) {
          token.setKnown();
          return null;
        }
        return next(call);
      });
      note(token);
      if (first instanceof NotBegun) return err(first.reason === 'full' ? CALL_QUEUE_FULL : deadlineExceeded(caller));
      if (first !== null) return first;
    }
    const result = token.refusal ?? (await next(call));
    note(token);
    return result;
  };
}
