import type { Server } from 'node:http';
import { READ_WINDOW_BYTES, READ_WINDOW_MS } from '../../base/limits.ts';
import { bytesFlushed, type InFlightResponse } from './in-flight-responses.ts';

/** The minimum progress of clients that read responses. */
interface ProgressLimits {
  readonly checkMs: number;
  /** In each window a client reads at least `windowBytes`, or the rest of the response. */
  readonly windowMs: number;
  readonly windowBytes: number;
}

/**
 * A poor mobile connection reads 32 kB per second. A client that reads nothing is dropped after two windows, since the
 * first one fills the sockets.
 */
const DEFAULT_LIMITS: ProgressLimits = {
  checkMs: 1_000,
  windowMs: READ_WINDOW_MS,
  windowBytes: READ_WINDOW_BYTES,
};

/** The beginning of a window, and the bytes flushed until then. */
interface ProgressWindow {
  readonly since: number;
  readonly flushed: number;
}

/**
 * Closes connections whose clients read their responses too slowly: each holds a response in memory, and `MemoryBudget`
 * bounds their sum. The timeouts of Node do not cover this, since they count a client that sends as alive.
 */
export function dropSlowReaders(
  server: Server,
  inFlight: Iterable<InFlightResponse>,
  limits: ProgressLimits = DEFAULT_LIMITS,
): void {
  const windows = new WeakMap<InFlightResponse, ProgressWindow>();
  const timer = setInterval(() => dropStalledConnections(inFlight, windows, limits), limits.checkMs).unref();
  server.once('close', () => clearInterval(timer));
}

function dropStalledConnections(
  inFlight: Iterable<InFlightResponse>,
  windows: WeakMap<InFlightResponse, ProgressWindow>,
  limits: ProgressLimits,
): void {
  const now = performance.now();
  for (const inFlightResponse of inFlight) {
    const { socket, response } = inFlightResponse;
    if (!response.headersSent) continue;
    const flushed = bytesFlushed(socket);
    const window = windows.get(inFlightResponse) ?? { since: now, flushed };
    const isOver = now - window.since >= limits.windowMs;
    const isStalled = isOver && flushed - window.flushed < limits.windowBytes;
    windows.set(inFlightResponse, isOver ? { since: now, flushed } : window);
    if (isStalled) socket.destroy();
  }
}
