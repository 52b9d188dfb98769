import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { portOf } from './ports.ts';

interface PassedCall {
  readonly path: string;
  readonly body: string;
}

export interface PassingProxy {
  readonly origin: string;
  /** Takes the answer to a call, and tells whether the client gets it. Where not, its connection is cut. */
  onAnswer(judge: (call: PassedCall) => boolean | Promise<boolean>): void;
  close(): Promise<void>;
}

/**
 * A proxy before an HTTP server, which may keep an answer back once the server has given it. It ends the client's
 * connection where the server ends its own.
 */
export async function openPassingProxy(origin: string): Promise<PassingProxy> {
  let passes = (_call: PassedCall): boolean | Promise<boolean> => true;
  const server = createServer(async (request, response) => {
    const [body, path] = [await buffer(request), request.url ?? '/'];
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const method = request.method ?? 'GET';
    const sent = await fetch(new URL(path, origin), {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
      ...(body.length > 0 && { body }),
    }).catch(() => null);
    const answer = await sent?.arrayBuffer().catch(() => null);
    if (!sent || !answer || !(await passes({ path, body: body.toString() }))) return void response.destroy();
    const given = Object.fromEntries(
      [...sent.headers].filter(
        ([name]) => !/^(?:content-(?:length|encoding)|transfer-encoding|connection)$/u.test(name),
      ),
    );
    response.writeHead(sent.status, given).end(Buffer.from(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${portOf(server.address())}`,
    onAnswer: (judge) => {
      passes = judge;
    },
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
