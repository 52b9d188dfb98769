import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../domain/log.ts';
import { err, ok, type Result } from '../domain/result.ts';

/** A worker that ended is started again after this long, in milliseconds; twice as long each time, up to the longest, */
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 30_000;
/** and after the first delay again once it has lived for so long. */
const STABLE_MS = 30_000;

/** What a worker still may take after the grace, to close what it opened. */
const CLOSING_MS = 2_000;

/** The one message that workers are sent. */
const STOP = 'stop';

export interface SupervisorOptions {
  readonly workers: number;
  readonly graceMs: number;
  /** Told once calls are answered, with the port that was taken. */
  readonly onListening: (port: number) => void;
  /** Resolves with the name of the signal to stop. */
  readonly stopSignal: Promise<string>;
  readonly log: Log;
}

/**
 * Runs this program as many times as there are to be workers, all behind one port, and starts each again that ends. The
 * first is waited for: where it can't begin, for a reason that it tells itself, none could.
 */
export async function superviseWorkers(options: SupervisorOptions): Promise<Result<void, string>> {
  const { workers, onListening, stopSignal, graceMs, log } = options;
  const first = cluster.fork();
  const begun = await Promise.race([once(first, 'listening'), once(first, 'exit').then(() => null)]);
  if (begun === null) return err('the workers cannot begin');
  const [address]: Address[] = begun;
  const stop = new AbortController();
  const others = Array.from({ length: workers - 1 }, () => cluster.fork());
  const ended = Promise.all([first, ...others].map((worker) => keep(worker, { stop: stop.signal, log })));
  if (address) onListening(address.port);
  log('info', 'stopping', { signal: await stopSignal, workers });
  stop.abort();
  const isDone = await stopAll(ended, graceMs);
  log(isDone ? 'info' : 'warn', isDone ? 'stopped' : 'stopped, and ended workers that would not stop');
  return ok(undefined);
}

/** Comes back once there is no worker in this place and is to be none. */
async function keep(first: Worker, { stop, log }: { stop: AbortSignal; log: Log }): Promise<void> {
  let afterMs = FIRST_DELAY_MS;
  for (let worker = first; ; worker = cluster.fork()) {
    const startedAt = performance.now();
    const [code, signal] = await once(worker, 'exit');
    if (stop.aborted) return;
    if (performance.now() - startedAt >= STABLE_MS) afterMs = FIRST_DELAY_MS;
    log('error', 'a worker ended and is started again', { worker: worker.process.pid, code, signal, afterMs });
    await delay(afterMs, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) return;
    afterMs = Math.min(afterMs * 2, LONGEST_DELAY_MS);
  }
}

/** Whether all workers stopped by themselves. */
async function stopAll(ended: Promise<unknown>, graceMs: number): Promise<boolean> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  // One that has just ended can't be told, and needs not. One that still starts does not hear it yet.
  const tell = (worker: Worker) => worker.send(STOP, () => {});
  for (const worker of workers) tell(worker.once('listening', () => tell(worker)));
  let isDone = true;
  const kill = setTimeout(() => {
    isDone = false;
    for (const worker of workers) worker.process.kill('SIGKILL');
  }, graceMs + CLOSING_MS);
  await ended;
  clearTimeout(kill);
  return isDone;
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
