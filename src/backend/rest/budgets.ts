import { hash } from 'node:crypto';
import { type BackendError, rateLimited } from '../../domain/errors.ts';
import type { RateLimit } from '../../domain/project-versions.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type BudgetQueue, createBudgetQueue } from './budget-queue.ts';
import type { HttpAnswer } from './exchange.ts';
import type { CallFailure } from './request-error.ts';

/** What the service allows each API token, learned from its answers and spent in the order in which calls come. */
export interface Budgets {
  /**
   * Waits for the call's turn, as long as the deadline (`performance.now()`) allows; `rate-limited` where that is not
   * enough, with nothing sent.
   */
  take(apiToken: string, deadline: number): Promise<Result<Spent, BackendError>>;
  /** Milliseconds that a call does well to wait, where more can gather meanwhile to be sent in the next. */
  gapMs(apiToken: string): number;
  /** What is known of the token, without spending any of it. */
  of(apiToken: string): RateLimit | null;
}

/** A call that may be sent. */
export interface Spent {
  /** To be called once, with what came of it. */
  settle(sent: Result<HttpAnswer, CallFailure>): void;
}

/** So many tokens are remembered, the latest used; a token is remembered by its hash alone. */
const MAX_TOKENS = 1_000;

/** So many calls of all tokens wait for their budgets; one more is refused at once. */
const MAX_WAITING = 1_000;

export function createBudgets(): Budgets {
  const queues = new Map<string, BudgetQueue>();
  const room = { waiting: 0, most: MAX_WAITING };

  const queueOf = (apiToken: string) => {
    const key = keyOf(apiToken);
    const queue = queues.get(key) ?? createBudgetQueue(room);
    queues.delete(key);
    queues.set(key, queue);
    if (queues.size > MAX_TOKENS) forgetOldest();
    return queue;
  };
  const forgetOldest = () => {
    for (const [key, queue] of queues) {
      if (!queue.isIdle()) continue;
      queues.delete(key);
      return;
    }
  };

  return {
    async take(apiToken, deadline) {
      const { budget, enter, release } = queueOf(apiToken);
      if (!(await enter(deadline))) return err(rateLimited(budget.secondsToWait()));
      return ok({
        settle(sent) {
          budget.settle(sent);
          release();
        },
      });
    },
    gapMs: (apiToken) => queues.get(keyOf(apiToken))?.budget.gapMs() ?? 0,
    of: (apiToken) => queues.get(keyOf(apiToken))?.budget.known() ?? null,
  };
}

const keyOf = (apiToken: string): string => hash('sha256', apiToken, 'base64');
