export type Entry = 'entered' | 'full' | 'too-late';

/** Lets so many through at once and so many wait, in their order and each no longer than it says. */
export interface Gate {
  /** Who entered leaves again, exactly once and as the same holder. `waitMs` below 0 counts as 0. */
  enter(waitMs: number, holder?: string): Promise<Entry>;
  leave(holder?: string): void;
  isIdle(): boolean;
}

export interface GateOptions {
  readonly slots: number;
  /** So many wait for a slot; one more finds the gate full at once. */
  readonly waiting: number;
  /** So many of the slots, and of the places to wait in, one holder has at most: what is left is for others. */
  readonly share?: { readonly slots: number; readonly waiting: number };
}

export function createGate({ slots, waiting, share = { slots, waiting } }: GateOptions): Gate {
  const busy = createCount();
  const queued = createCount();
  const queue = new Map<() => void, string>();

  const hasSlot = (holder: string) => busy.total() < slots && busy.of(holder) < share.slots;
  const hasPlace = (holder: string) => queue.size < waiting && queued.of(holder) < share.waiting;
  const unqueue = (admit: () => void, holder: string) => {
    queue.delete(admit);
    queued.add(holder, -1);
  };

  const waitInQueue = (waitMs: number, holder: string) =>
    new Promise<Entry>((resolve) => {
      const giveUp = setTimeout(() => {
        unqueue(admit, holder);
        resolve('too-late');
      }, waitMs);
      const admit = () => {
        clearTimeout(giveUp);
        unqueue(admit, holder);
        busy.add(holder, 1);
        resolve('entered');
      };
      queue.set(admit, holder);
      queued.add(holder, 1);
    });

  return {
    async enter(waitMs, holder = '') {
      if (hasSlot(holder)) {
        busy.add(holder, 1);
        return 'entered';
      }
      return hasPlace(holder) ? waitInQueue(waitMs, holder) : 'full';
    },
    leave(holder = '') {
      busy.add(holder, -1);
      for (const [admit, next] of queue) {
        if (hasSlot(next)) return admit();
      }
    },
    isIdle: () => busy.total() === 0,
  };
}

function createCount() {
  const counts = new Map<string, number>();
  let total = 0;
  const of = (holder: string): number => counts.get(holder) ?? 0;
  return {
    total: () => total,
    of,
    add(holder: string, change: 1 | -1): void {
      const count = of(holder) + change;
      total += change;
      if (count === 0) counts.delete(holder);
      else counts.set(holder, count);
    },
  };
}
