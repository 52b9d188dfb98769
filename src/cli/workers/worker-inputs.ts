import cluster from 'node:cluster';

/**
 * The contents of files that the supervisor has read at its start. Each worker uses them, also one that starts after
 * the files have changed, so that all workers agree. They go through IPC: other tools may show the environment of a
 * process.
 */
export interface WorkerInputs {
  /** The contents of the files of secrets by their paths. */
  readonly secretFiles: Readonly<Record<string, string>>;
  /** The text of `PERSISTED_DOCUMENTS`; null when there is none. */
  readonly manifest: string | null;
}

/** The IPC message by which a worker asks for them. */
const INPUTS_REQUEST = 'which inputs';

/** The IPC message with them. */
interface InputsMessage {
  readonly inputs: WorkerInputs;
}

const isInputsMessage = (message: unknown): message is InputsMessage =>
  typeof message === 'object' && message !== null && 'inputs' in message;

/** Sends every worker the same inputs from the supervisor. */
export function serveInputRequests(inputs: WorkerInputs): void {
  const reply: InputsMessage = { inputs };
  cluster.on('message', (worker, message) => {
    // Sending fails if the worker has ended meanwhile, which does not matter.
    if (message === INPUTS_REQUEST) worker.send(reply, () => {});
  });
}

/** Asks the supervisor for the inputs from a worker. */
export function requestInputs(): Promise<WorkerInputs> {
  return new Promise((resolve) => {
    const onMessage = (message: unknown) => {
      if (!isInputsMessage(message)) return;
      process.off('message', onMessage);
      resolve(message.inputs);
    };
    process.on('message', onMessage);
    process.send?.(INPUTS_REQUEST);
  });
}
