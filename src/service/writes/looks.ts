import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, timeLeft } from '../../core/callers/caller.ts';

/**
 * The looks for something that reads may not show yet: one at once, and another after each pause while the request has
 * `neededMs` left after it.
 */
export async function* looksWithin(
  caller: Caller,
  pausesMs: readonly number[],
  neededMs: number,
): AsyncGenerator<void> {
  yield;
  for (const pauseMs of pausesMs) {
    if (timeLeft(caller) < pauseMs + neededMs) return;
    await sleep(pauseMs);
    yield;
  }
}
