import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** The port that a server listens on. */
export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');
  return address.port;
}

/** A port of 127.0.0.1 that nothing listens on, for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const port = portOf(probe.address());
  await once(probe.close(), 'close');
  return port;
}
