import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A client who minds their own business: one small query after another, in a thread of their own. */
export interface Bystander {
  /** The longest that a call of theirs took since this was last asked, in milliseconds. */
  worstMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Resolves once its first call is answered. */
export async function startBystander(url: string, query = '{ projectVersions { name } }'): Promise<Bystander> {
  const worker = new Worker(new URL('./bystander-thread.ts', import.meta.url), { workerData: { url, query } });
  const ask = async (): Promise<number> => {
    const answer = once(worker, 'message');
    worker.postMessage('worst');
    const [worst] = await answer;
    return worst;
  };
  await ask();
  return {
    worstMs: ask,
    stop: async () => {
      await worker.terminate();
    },
  };
}
