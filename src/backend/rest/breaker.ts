import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhenResult } from 'cockatiel';
import type { Log } from '../../domain/log.ts';

/**
 * Spares a service that fails, and its callers the wait: once so many calls in a row have failed, one at a time is let
 * through to try it and the others are refused. The first that succeeds ends that, so a recovered service is used at once.
 */
export interface Breaker {
  /** Null where the call was refused: it was not begun. */
  run<T>(call: () => Promise<T>, isFailure: (answer: T) => boolean): Promise<T | null>;
  /** Whether another call would be refused now. */
  isRefusing(): boolean;
  /** `performance.now()` of the last failure; null where calls are let through. */
  openSince(): number | null;
}

/** So many failures in a row. Fewer may be chance; each more is a call whose outcome nobody may ever know. */
const FAILURES = 5;

export function createBreaker(log: Log): Breaker {
  const policy = circuitBreaker(
    handleWhenResult((answer) => answer instanceof Failed),
    { breaker: new ConsecutiveBreaker(FAILURES), halfOpenAfter: 0 },
  );
  let openSince: number | null = null;
  policy.onBreak(() => {
    if (openSince === null) log('warn', 'the service fails: one call at a time tries it', { failures: FAILURES });
    openSince = performance.now();
  });
  policy.onReset(() => {
    log('info', 'the service answers again');
    openSince = null;
  });
  // The policy would have the others wait for what comes of the trial.
  const isRefusing = () => policy.state === CircuitState.HalfOpen;
  return {
    async run(call, isFailure) {
      if (isRefusing()) return null;
      const end = await policy.execute(async () => {
        const begun = policy.state;
        const answer = await call();
        // What was under way when the others failed says nothing new, and must not end a trial that is not its own.
        const isLate = begun === CircuitState.Closed && policy.state !== CircuitState.Closed;
        return isFailure(answer) && !isLate ? new Failed(answer) : new Ended(answer);
      });
      return end.answer;
    },
    isRefusing,
    openSince: () => openSince,
  };
}

class Ended<T> {
  readonly answer: T;
  constructor(answer: T) {
    this.answer = answer;
  }
}

class Failed<T> extends Ended<T> {}
