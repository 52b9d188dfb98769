import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../domain/log.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Address } from '../server/http-server.ts';
import type { StopSignals } from '../stop-signals.ts';
import { answerPortQuestions } from './worker-port.ts';
import { type StartedWorker, startWorker } from './worker-process.ts';

/** A worker that ended is started again after this long, in milliseconds; twice as long each time, up to the longest, */
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 30_000;
/** and after the first delay again once it has lived for so long. */
const STABLE_MS = 30_000;

/** What a worker still may take after the grace, to close what it opened. */
const CLOSING_MS = 2_000;

/** How long the end of a killed worker is waited for. */
const KILLED_MS = 1_000;

/** The message that tells a worker to stop. */
const STOP = 'stop';

export interface SupervisorOptions {
  readonly workers: number;
  /** Where they listen; for port 0, all take the same free one. */
  readonly address: Address;
  readonly graceMs: number;
  /** Told once calls are answered, with the port that was taken. */
  readonly onListening: (port: number) => void;
  readonly signals: StopSignals;
  readonly log: Log;
}

/**
 * Runs this program as many times as there are to be workers, all behind one port, and starts each again that ends. The
 * first is waited for: where it can't begin, for a reason that it tells itself, none could.
 */
export async function superviseWorkers(options: SupervisorOptions): Promise<Result<void, string>> {
  const { workers, onListening, signals, graceMs, log } = options;
  signals.onEnd(killAll);
  const stopSignal = signals.next();
  answerPortQuestions(options.address);
  const first = startWorker();
  const begun = await Promise.race([first.listening, first.ended, stopSignal]);
  if (typeof begun === 'object') {
    return err(`the workers cannot begin (${'notStarted' in begun ? begun.notStarted : (begun.signal ?? begun.code)})`);
  }
  const stop = new AbortController();
  const kept = typeof begun === 'number' ? workers : 1;
  const ended = Array.from({ length: kept }, (_, index) => keep(index === 0 ? first : startWorker(), stop.signal, log));
  if (typeof begun === 'number') onListening(begun);
  log('info', 'stopping', { signal: await stopSignal, workers });
  stop.abort();
  const isDone = await stopAll(Promise.all(ended), graceMs);
  log(isDone ? 'info' : 'warn', isDone ? 'stopped' : 'stopped, and ended workers that would not stop');
  return ok(undefined);
}

/** Comes back once there is no worker in this place and is to be none. */
async function keep(first: StartedWorker, stop: AbortSignal, log: Log): Promise<void> {
  let afterMs = FIRST_DELAY_MS;
  for (let worker = first; ; worker = startWorker()) {
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

/** True where all workers stopped by themselves. */
async function stopAll(ended: Promise<unknown>, graceMs: number): Promise<boolean> {
  // One that has just ended can't be told, and needs not. One that still starts does not hear it yet.
  const tell = (worker: Worker) => worker.send(STOP, () => {});
  for (const worker of liveWorkers()) tell(worker.once('listening', () => tell(worker)));
  const isDone = await Promise.race([ended.then(() => true), delay(graceMs + CLOSING_MS, false, { ref: false })]);
  if (isDone) return true;
  killAll();
  // Even the system may be unable to end a process that waits for a device.
  await Promise.race([ended, delay(KILLED_MS, undefined, { ref: false })]);
  return false;
}

const liveWorkers = (): readonly Worker[] =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

function killAll(): void {
  for (const worker of liveWorkers()) worker.process.kill('SIGKILL');
}

/**
 * In a worker: resolves when the supervisor, or SIGTERM, says to stop. What else is sent to the whole group of processes
 * (Ctrl-C in a terminal, a service manager) is for the supervisor to act on.
 */
export async function workerStop(): Promise<string> {
  process.on('SIGINT', () => {});
  const stop = Promise.withResolvers<string>();
  process.on('SIGTERM', stop.resolve);
  process.on('message', (message) => message === STOP && stop.resolve(STOP));
  return stop.promise;
}
