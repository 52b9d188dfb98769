import cluster, { type Address, type Worker } from 'node:cluster';
import { WORKER_MARK } from '../../config/workers.ts';
import { isMarkedAsWorker } from '../../config.ts';

/** A worker that does not listen within this time is killed, in milliseconds. */
const START_TIMEOUT_MS = 60_000;

/** True in a worker of this program. A process manager that uses `cluster` as well sets no mark. */
export const isSupervised = (): boolean => cluster.isWorker && isMarkedAsWorker();

/** The exit of a worker, or the reason why its process could not be started. */
type WorkerExit = { readonly code: number | null; readonly signal: string | null } | { readonly notStarted: string };

export interface StartedWorker {
  /** Undefined when the system started no process. */
  readonly pid: number | undefined;
  /** Resolves with the port when the worker listens. Stays pending if it never does. */
  readonly listening: Promise<number>;
  readonly ended: Promise<WorkerExit>;
}

/** Starts this program again as the worker of a slot, counted from 1. Fails if the binary is gone or there are too many processes. */
export function startWorker(slot: number): StartedWorker {
  const listening = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<WorkerExit>();
  const pid = forkWorker(slot, (worker) => {
    const killTimer = setTimeout(() => worker.process.kill('SIGKILL'), START_TIMEOUT_MS);
    worker.once('listening', ({ port }: Address) => {
      clearTimeout(killTimer);
      listening.resolve(port);
    });
    const onEnd = (exit: WorkerExit) => {
      clearTimeout(killTimer);
      ended.resolve(exit);
    };
    worker.once('exit', (code, signal) => onEnd({ code, signal }));
    // Errors of a running process have other causes, such as a message that could not be sent.
    worker.on('error', (error) => {
      if (worker.process.pid !== undefined) return;
      // Node removes a worker from the list when it exits, so not one that has never started.
      delete cluster.workers?.[worker.id];
      onEnd({ notStarted: startErrorOf(error) });
    });
  });
  if (typeof pid === 'string') ended.resolve({ notStarted: pid });
  return { pid: typeof pid === 'number' ? pid : undefined, listening: listening.promise, ended: ended.promise };
}

/** The process ID, or the reason for the failure if it is known at once. */
function forkWorker(slot: number, watch: (worker: Worker) => void): number | string | undefined {
  try {
    const worker = cluster.fork({ [WORKER_MARK]: String(slot) });
    watch(worker);
    return worker.process.pid;
  } catch (error) {
    return startErrorOf(error);
  }
}

const startErrorOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error);
