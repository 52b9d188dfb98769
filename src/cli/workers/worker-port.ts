import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Address } from '../server/http-server.ts';

/** The message by which a worker asks which port to listen on. */
const QUESTION = 'which port';

/**
 * In the supervisor: tells every worker the same port, also those that start when all others have ended. A free one is
 * looked for when the first worker asks, which listens on it a moment later.
 */
export function answerPortQuestions({ host, port }: Address): void {
  let taken: Promise<number> | null = port === 0 ? null : Promise.resolve(port);
  cluster.on('message', async (worker, message) => {
    if (message !== QUESTION) return;
    taken ??= freePort(host);
    const answer = { port: await taken };
    // One that has ended meanwhile is not told.
    worker.send(answer, () => {});
  });
}

/** 0 where none can be had: the worker then finds out why, and says so. */
async function freePort(host: string): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen({ host, port: 0, exclusive: true }), 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  } catch {
    return 0;
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

/** In a worker: the port to listen on. */
export function portOfWorkers(): Promise<number> {
  return new Promise((resolve) => {
    const onMessage = (message: unknown) => {
      if (typeof message !== 'object' || message === null || !('port' in message)) return;
      if (typeof message.port !== 'number') return;
      process.off('message', onMessage);
      resolve(message.port);
    };
    process.on('message', onMessage);
    process.send?.(QUESTION);
  });
}
