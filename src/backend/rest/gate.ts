export type Entry = 'entered' | 'full' | 'too-late';

/** Lets so many through at once and so many wait, in their order and each no longer than it says. */
export interface Gate {
  /** Who entered leaves again, exactly once. `waitMs` below 0 counts as 0. */
  enter(waitMs: number): Promise<Entry>;
  leave(): void;
  isIdle(): boolean;
}

export interface GateOptions {
  readonly slots: number;
  /** So many wait for a slot; one more finds the gate full at once. */
  readonly waiting: number;
}

export function createGate({ slots, waiting }: GateOptions): Gate {
  let busy = 0;
  const queue = new Set<() => void>();

  const waitInQueue = (waitMs: number) =>
    new Promise<Entry>((resolve) => {
      const giveUp = setTimeout(() => {
        queue.delete(admit);
        resolve('too-late');
      }, waitMs);
      const admit = () => {
        clearTimeout(giveUp);
        resolve('entered');
      };
      queue.add(admit);
    });

  return {
    async enter(waitMs) {
      if (busy < slots) {
        busy += 1;
        return 'entered';
      }
      return queue.size < waiting ? waitInQueue(waitMs) : 'full';
    },
    leave() {
      const [next] = queue;
      if (next === undefined) {
        busy -= 1;
        return;
      }
      queue.delete(next);
      next();
    },
    isIdle: () => busy === 0,
  };
}
