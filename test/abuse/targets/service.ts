import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface LargeService {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the service whose responses have the largest size that is read. It accepts this token only. */
export async function startLargeService(token: string): Promise<LargeService> {
  const worker = new Worker(new URL('./service-thread.ts', import.meta.url), { workerData: { token } });
  const [port] = await once(worker, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await worker.terminate();
    },
  };
}
