import { createServer } from 'node:http';
import { createServerAdapter } from '@whatwg-node/server';
import { portOf } from './ports.ts';

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves requests on a free port, through the adapter that graphql-yoga uses. */
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
