import { setTimeout } from 'node:timers/promises';

/** The longest pause before it is tried again. Only the first of the line tries. */
const PAUSE_MS = 20;

/**
 * Those who write, one after another. Where another process writes, the first of them tries again until it is let in, and
 * between two tries holds up nobody who reads.
 */
export interface WriterLine {
  /** Runs `work` once all who came before are done. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** In turn, and again while that finds the database busy and there is patience left. */
  untilLetIn<T>(work: () => Promise<T>, patience: LinePatience<T>): Promise<T>;
  /** Whether somebody is waiting now for another process. */
  isHeldUp(): boolean;
}

export interface LinePatience<T> {
  readonly isBusy: (value: T) => boolean;
  /** How long another process is waited for, in milliseconds. */
  readonly ms: number;
}

export function createWriterLine(): WriterLine {
  let last: Promise<unknown> = Promise.resolve();
  /** `performance.now()` of the first try in a row that found the database busy: who came later knows from the others. */
  let busySince: number | null = null;
  let waiting = 0;

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
  return {
    inTurn,
    async untilLetIn(work, { isBusy, ms }) {
      const came = performance.now();
      waiting += 1;
      const tries = inTurn(async () => {
        for (;;) {
          const value = await work();
          const now = performance.now();
          busySince = isBusy(value) ? (busySince ?? now) : null;
          if (busySince === null || now - Math.max(busySince, came) >= ms) return value;
          await setTimeout(Math.random() * PAUSE_MS);
        }
      });
      return tries.finally(() => {
        waiting -= 1;
      });
    },
    isHeldUp: () => busySince !== null && waiting > 0,
  };
}
