import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface Echo {
  readonly url: string;
  /** The number of connections so far. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** A server in a thread of its own that responds with the length and the hash of each body. */
export async function openEcho(): Promise<Echo> {
  const worker = new Worker(new URL('echo-thread.ts', import.meta.url));
  const [port] = await once(worker, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    connections: async () => {
      worker.postMessage('connections');
      const [count] = await once(worker, 'message');
      return Number(count);
    },
    close: async () => {
      await worker.terminate();
    },
  };
}
