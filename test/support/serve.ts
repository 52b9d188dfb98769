import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServerAdapter } from '@whatwg-node/server';

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves requests on a port of its own, through the adapter that graphql-yoga itself stands on. */
export async function serve(handle: (request: Request) => Promise<Response>): Promise<Served> {
  const server = createServer(createServerAdapter(handle));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');
  return address.port;
}
