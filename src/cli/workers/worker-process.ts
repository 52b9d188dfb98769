import cluster, { type Address, type Worker } from 'node:cluster';

/** A worker that does not listen after this long, in milliseconds, is killed. */
const START_MS = 60_000;

/** How a worker ended, or why there was none. */
export type WorkerEnd =
  | { readonly code: number | null; readonly signal: string | null }
  | { readonly notStarted: string };

export interface StartedWorker {
  /** Undefined where the system started no process. */
  readonly pid: number | undefined;
  /** Resolves with the port once the worker listens; never, where it does not. */
  readonly listening: Promise<number>;
  readonly ended: Promise<WorkerEnd>;
}

/** Runs this program once more. The system may refuse: its binary is gone, or there are too many processes. */
export function startWorker(): StartedWorker {
  const listening = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<WorkerEnd>();
  const pid = start((worker) => {
    const kill = setTimeout(() => worker.process.kill('SIGKILL'), START_MS);
    worker.once('listening', ({ port }: Address) => {
      clearTimeout(kill);
      listening.resolve(port);
    });
    const end = (how: WorkerEnd) => {
      clearTimeout(kill);
      ended.resolve(how);
    };
    worker.once('exit', (code, signal) => end({ code, signal }));
    // A process that runs has others as well: of a message that did not reach it, say.
    worker.on('error', (error) => {
      if (worker.process.pid !== undefined) return;
      // Node forgets a worker when it ends, which one that never began does not.
      delete cluster.workers?.[worker.id];
      end({ notStarted: reasonOf(error) });
    });
  });
  if (typeof pid === 'string') ended.resolve({ notStarted: pid });
  return { pid: typeof pid === 'number' ? pid : undefined, listening: listening.promise, ended: ended.promise };
}

/** The ID of the process, or why there is none where that is known at once. */
function start(watch: (worker: Worker) => void): number | string | undefined {
  try {
    const worker = cluster.fork();
    watch(worker);
    return worker.process.pid;
  } catch (error) {
    return reasonOf(error);
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error);
