import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { ListenAddress } from '../server/http-server.ts';

/** The IPC message by which a worker asks for its port. */
const PORT_REQUEST = 'which port';

/**
 * Sends every worker the same port from the supervisor, even after all others have ended. A free port is chosen when
 * the first worker asks, because that worker listens on it a moment later.
 */
export function servePortRequests({ host, port }: ListenAddress): void {
  let chosenPort: Promise<number> | null = port === 0 ? null : Promise.resolve(port);
  cluster.on('message', async (worker, message) => {
    if (message !== PORT_REQUEST) return;
    chosenPort ??= findFreePort(host);
    const reply = { port: await chosenPort };
    // Sending fails if the worker has ended meanwhile, which does not matter.
    worker.send(reply, () => {});
  });
}

/** 0 on failure: the worker then fails to listen in the same way and reports the reason. */
async function findFreePort(host: string): Promise<number> {
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

/** Asks the supervisor for the port from a worker. */
export function requestPort(): Promise<number> {
  return new Promise((resolve) => {
    const onMessage = (message: unknown) => {
      if (typeof message !== 'object' || message === null || !('port' in message)) return;
      if (typeof message.port !== 'number') return;
      process.off('message', onMessage);
      resolve(message.port);
    };
    process.on('message', onMessage);
    process.send?.(PORT_REQUEST);
  });
}
