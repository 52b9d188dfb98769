import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A client that sends one small query after another, in a thread of its own. */
export interface Bystander {
  /** The longest time of a call since this method was last called, in milliseconds. */
  worstMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Resolves once the first call has its response. */
export async function startBystander(url: string, query = '{ projectVersions { name } }'): Promise<Bystander> {
  const worker = new Worker(new URL('./bystander-thread.ts', import.meta.url), { workerData: { url, query } });
  const worstMs = async (): Promise<number> => {
    const answer = once(worker, 'message');
    worker.postMessage('worst');
    const [worst] = await answer;
    return worst;
  };
  await worstMs();
  return {
    worstMs,
    stop: async () => {
      await worker.terminate();
    },
  };
}
