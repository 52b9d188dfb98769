import { constants } from 'node:os';

const NAMES = ['SIGTERM', 'SIGINT'] as const;

type StopSignal = (typeof NAMES)[number];

export interface StopSignals {
  /**
   * Resolves with the name of the next signal, which asks for an orderly stop. The one after it ends the process at once,
   * as any signal did before.
   */
  next(): Promise<string>;
  /** Called before a signal ends the process at once. */
  onEnd(prepare: () => void): void;
}

/**
 * Hears the signals to stop from now on. A process without listeners is ended by them, but not where it is the first of a
 * container: the kernel keeps signals from that one unless it listens.
 */
export function hearStopSignals(): StopSignals {
  let prepareEnd = () => {};
  const end = (name: StopSignal) => {
    prepareEnd();
    for (const other of NAMES) process.removeAllListeners(other);
    process.kill(process.pid, name);
    process.exit(128 + constants.signals[name]);
  };
  let onSignal: (name: StopSignal) => void = end;
  for (const name of NAMES) process.on(name, () => onSignal(name));
  return {
    next: () =>
      new Promise((resolve) => {
        onSignal = (name) => {
          onSignal = end;
          resolve(name);
        };
      }),
    onEnd: (prepare) => {
      prepareEnd = prepare;
    },
  };
}
