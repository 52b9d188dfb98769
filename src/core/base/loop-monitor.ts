import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between two samples of the monitor. */
const RESOLUTION_MS = 200;

/** The event loop is behind while each sample of a second is later than this many milliseconds. */
const MAX_DELAY_MS = 500;

const WINDOW_MS = 1_000;

/** With fewer samples, there was one long pause, such as that of a stopped process, and the loop is not behind. */
const MIN_SAMPLES = 2;

export type LoopMonitor = ReturnType<typeof openLoopMonitor>;

/** Measures the delay of the event loop with Node's own monitor. It must be closed. */
export function openLoopMonitor() {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let isBehind = false;
  let since = performance.now();
  return {
    /** True while the event loop has been more than half a second behind for a second. */
    isBehind(): boolean {
      const now = performance.now();
      if (now - since < WINDOW_MS || delays.count < MIN_SAMPLES) return isBehind;
      isBehind = delays.min / 1e6 - RESOLUTION_MS > MAX_DELAY_MS;
      since = now;
      delays.reset();
      return isBehind;
    },
    close(): void {
      delays.disable();
    },
  };
}
