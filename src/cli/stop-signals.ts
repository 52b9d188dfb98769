import { constants } from 'node:os';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

type StopSignal = (typeof STOP_SIGNALS)[number];

export interface StopSignals {
  /** Resolves with the name of the next signal. Any other signal, before or after it, ends the process at once. */
  next(): Promise<string>;
  /** Sets what is done before a signal ends the process at once. */
  onForcedExit(prepare: () => void): void;
}

/**
 * Listens for the signals to stop. Without listeners they would end any process except the first one of a container, to
 * which the kernel delivers no signal that has no listener.
 */
export function listenForStopSignals(): StopSignals {
  let beforeExit = () => {};
  const exitNow = (name: StopSignal) => {
    beforeExit();
    for (const other of STOP_SIGNALS) process.removeAllListeners(other);
    process.kill(process.pid, name);
    process.exit(128 + constants.signals[name]);
  };
  let onSignal: (name: StopSignal) => void = exitNow;
  for (const name of STOP_SIGNALS) process.on(name, () => onSignal(name));
  return {
    next: () =>
      new Promise((resolve) => {
        onSignal = (name) => {
          onSignal = exitNow;
          resolve(name);
        };
      }),
    onForcedExit: (prepare) => {
      beforeExit = prepare;
    },
  };
}

/** The process exits this long after everything was closed, in milliseconds, even if a handle is still open. */
const FORCED_EXIT_MS = 1_000;

export const exitSoon = () => setTimeout(() => process.exit(), FORCED_EXIT_MS).unref();
