import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../domain/log.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { ListenAddress } from '../server/http-server.ts';
import type { StopSignals } from '../stop-signals.ts';
import { serveInputRequests, type WorkerInputs } from './worker-inputs.ts';
import { servePortRequests } from './worker-port.ts';
import { type StartedWorker, startWorker } from './worker-process.ts';

/** The delay before an ended worker is started again, in milliseconds. It doubles each time, up to the longest. */
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 30_000;
/** A worker that has run for this long starts with the first delay again, in milliseconds. */
const STABLE_MS = 30_000;

/** The time that a worker has after the grace period to close its resources, in milliseconds. */
const CLOSE_MARGIN_MS = 2_000;

/** How long the supervisor waits for the end of a killed worker, in milliseconds. */
const KILL_WAIT_MS = 1_000;

/** The IPC message that asks a worker to stop. */
const STOP_MESSAGE = 'stop';

export interface SupervisorOptions {
  readonly workers: number;
  /** The address of all workers. With port 0, all of them listen on the same free port. */
  readonly address: ListenAddress;
  readonly inputs: WorkerInputs;
  readonly graceMs: number;
  /** Called with the port when the first worker listens. */
  readonly onListening: (port: number) => void;
  readonly signals: StopSignals;
  readonly log: Log;
}

/**
 * Starts the workers, which all listen on one port, and starts each of them again when it ends. Waits for the first
 * one: if it cannot start, none could. The worker itself reports the reason.
 */
export async function superviseWorkers(options: SupervisorOptions): Promise<Result<void, string>> {
  const { workers, onListening, signals, graceMs, log } = options;
  signals.onForcedExit(killAllWorkers);
  const stopSignal = signals.next();
  servePortRequests(options.address);
  serveInputRequests(options.inputs);
  const first = startWorker(1);
  const firstEvent = await Promise.race([first.listening, first.ended, stopSignal]);
  if (typeof firstEvent === 'object') {
    const reason = 'notStarted' in firstEvent ? firstEvent.notStarted : (firstEvent.signal ?? firstEvent.code);
    return err(`the workers cannot begin (${reason})`);
  }
  const stop = new AbortController();
  const workerCount = typeof firstEvent === 'number' ? workers : 1;
  const ended = Array.from({ length: workerCount }, (_, index) =>
    keepRunning(index === 0 ? first : startWorker(index + 1), { slot: index + 1, stop: stop.signal, log }),
  );
  if (typeof firstEvent === 'number') onListening(firstEvent);
  log('info', 'stopping', { signal: await stopSignal, workers });
  stop.abort();
  const stoppedCleanly = await stopAllWorkers(Promise.all(ended), graceMs);
  log(stoppedCleanly ? 'info' : 'warn', stoppedCleanly ? 'stopped' : 'stopped, and killed workers that did not stop');
  return ok(undefined);
}

interface KeepRunningOptions {
  readonly slot: number;
  readonly stop: AbortSignal;
  readonly log: Log;
}

/** Restarts a worker whenever it ends. Resolves when it has ended after the stop. */
async function keepRunning(first: StartedWorker, { slot, stop, log }: KeepRunningOptions): Promise<void> {
  let afterMs = FIRST_DELAY_MS;
  for (let worker = first; ; worker = startWorker(slot)) {
    const startedAt = performance.now();
    const end = await worker.ended;
    if (stop.aborted) return;
    if (performance.now() - startedAt >= STABLE_MS) afterMs = FIRST_DELAY_MS;
    if ('notStarted' in end)
      log('error', 'a worker cannot be started and is tried again', { reason: end.notStarted, afterMs });
    else log('error', 'a worker ended and is started again', { worker: worker.pid, ...end, afterMs });
    await delay(afterMs, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) return;
    afterMs = Math.min(afterMs * 2, LONGEST_DELAY_MS);
  }
}

/** Returns true if all workers stopped in time, without being killed. */
async function stopAllWorkers(ended: Promise<unknown>, graceMs: number): Promise<boolean> {
  // Sending to a worker that has just ended fails, which does not matter. A starting worker gets the message later.
  const sendStop = (worker: Worker) => worker.send(STOP_MESSAGE, () => {});
  for (const worker of liveWorkers()) sendStop(worker.once('listening', () => sendStop(worker)));
  const stoppedInTime = await Promise.race([
    ended.then(() => true),
    delay(graceMs + CLOSE_MARGIN_MS, false, { ref: false }),
  ]);
  if (stoppedInTime) return true;
  killAllWorkers();
  // A process that waits for a device does not end even when killed.
  await Promise.race([ended, delay(KILL_WAIT_MS, undefined, { ref: false })]);
  return false;
}

const liveWorkers = (): readonly Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

function killAllWorkers(): void {
  for (const worker of liveWorkers()) worker.process.kill('SIGKILL');
}

/**
 * Resolves in a worker when the supervisor or SIGTERM asks it to stop. A worker ignores SIGINT, which a terminal sends
 * to the whole process group: the supervisor handles it.
 */
export async function waitForStop(): Promise<string> {
  process.on('SIGINT', () => {});
  const stop = Promise.withResolvers<string>();
  process.on('SIGTERM', stop.resolve);
  process.on('message', (message) => message === STOP_MESSAGE && stop.resolve(STOP_MESSAGE));
  return stop.promise;
}
