import { Budget } from './rate-limit/rate-limit.ts';

/** The calls of one token, in the order they came, each sent when its budget allows. */
export interface BudgetQueue {
  readonly budget: Budget;
  /** Whether the call may be sent before `latest` (`performance.now()`), which is known at once where it can't be. */
  enter(latest: number): Promise<boolean>;
  /** To be called whenever the budget may allow more than before. */
  release(): void;
  isIdle(): boolean;
}

/** How many wait in all the queues together. */
export interface WaitingRoom {
  waiting: number;
  readonly most: number;
  /** How many of them one queue may have, so that there is room for others. */
  readonly mostOfOne: number;
}

export function createBudgetQueue(room: WaitingRoom): BudgetQueue {
  const budget = new Budget();
  const queue = new Set<() => void>();
  let opening: NodeJS.Timeout | undefined;

  const leave = (admit: () => void) => {
    queue.delete(admit);
    room.waiting -= 1;
    if (queue.size === 0) clearTimeout(opening);
  };
  const release = () => {
    clearTimeout(opening);
    for (const admit of queue) {
      if (!budget.spend()) break;
      admit();
    }
    // While it is not closed, the next answer says more.
    const closedForMs = budget.closedForMs();
    if (queue.size > 0 && closedForMs > 0) opening = setTimeout(release, closedForMs + 1);
  };
  const wait = (waitMs: number) =>
    new Promise<boolean>((resolve) => {
      const giveUp = setTimeout(() => {
        leave(admit);
        resolve(false);
      }, waitMs);
      const admit = () => {
        leave(admit);
        clearTimeout(giveUp);
        resolve(true);
      };
      queue.add(admit);
      room.waiting += 1;
      release();
    });

  return {
    budget,
    async enter(latest) {
      if (queue.size === 0 && budget.spend()) return true;
      const waitMs = latest - performance.now();
      const isCrowded = room.waiting >= room.most || queue.size >= room.mostOfOne;
      if (isCrowded || budget.closedForMs() > waitMs) return false;
      return wait(waitMs);
    },
    release,
    isIdle: () => queue.size === 0 && budget.isIdle,
  };
}
