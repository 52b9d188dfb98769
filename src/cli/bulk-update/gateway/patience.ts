import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../../../base/result.ts';
import type { GatewayFailure } from './gateway-failures.ts';

/** Pauses between calls grow from the first to the second, in milliseconds. */
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
const PAUSE_GROWTH = 1.5;

/** A wait that the gateway itself asks for is bounded, so that it never sleeps for hours. */
const LONGEST_ASKED_PAUSE_MS = 60_000;

/** The longest that one call is repeated. */
const PATIENCE_MS = 180_000;

/** Pauses that grow. */
export class GrowingPause {
  readonly #signal: AbortSignal;
  #milliseconds = SHORTEST_PAUSE_MS;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Throws when the signal ends the pause. */
  async take(atLeastMs = 0): Promise<void> {
    await sleep(Math.max(this.#milliseconds, Math.min(atLeastMs, LONGEST_ASKED_PAUSE_MS)), undefined, {
      signal: this.#signal,
    });
    this.#milliseconds = Math.min(this.#milliseconds * PAUSE_GROWTH, LONGEST_PAUSE_MS);
  }
}

export interface Patience {
  readonly signal: AbortSignal;
  /** Told of each failure that is followed by another attempt. */
  readonly onRetry: (failure: GatewayFailure) => void;
}

/** Prints why a call is repeated, once for the same reason. */
export function createPatience(signal: AbortSignal, print: (text: string) => void): Patience {
  let last = '';
  return {
    signal,
    onRetry: ({ message }) => {
      if (message !== last) print(`waiting: ${message}`);
      last = message;
    },
  };
}

/**
 * Repeats a call whose repetition is safe, while it fails by its connection or by what passes. The attempts are those
 * that were made.
 */
export async function repeatCall<Value>(
  call: () => Promise<Result<Value, GatewayFailure>>,
  { signal, onRetry }: Patience,
): Promise<{ readonly answer: Result<Value, GatewayFailure>; readonly attempts: number }> {
  const pause = new GrowingPause(signal);
  const end = performance.now() + PATIENCE_MS;
  for (let attempts = 1; ; attempts += 1) {
    const answer = await call();
    signal.throwIfAborted();
    const isFinal = answer.ok || (answer.error.kind !== 'unreachable' && answer.error.kind !== 'again');
    if (isFinal || performance.now() > end) return { answer, attempts };
    onRetry(answer.error);
    await pause.take(answer.error.retryAfterMs ?? 0);
  }
}
