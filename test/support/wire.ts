import { once } from 'node:events';
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { portOf } from './ports.ts';

/** The treatment of bytes between client and server. */
export type Fate = 'forward' | 'drop' | 'cut';

export interface Wire {
  /** The URL of the server behind, with the port of this one. */
  readonly url: string;
  /** Sets the decision for all later bytes. */
  decide(fateOf: (bytes: Buffer | string, from: 'client' | 'server') => Fate): void;
  close(): Promise<void>;
}

/** A TCP proxy that can cut or silence a connection at any byte. */
export async function startWire(targetUrl: string): Promise<Wire> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let fateOf: (bytes: Buffer | string, from: 'client' | 'server') => Fate = () => 'forward';
  const server = createServer((client) => {
    const upstream = connectTo(Number(target.port), target.hostname);
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    const join = (from: 'client' | 'server', source: Socket, sink: Socket) => {
      sockets.add(source);
      source
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(source);
          sink.destroy();
        });
      source.on('data', (bytes) => {
        const fate = fateOf(bytes, from);
        if (fate === 'forward') sink.write(bytes);
        if (fate === 'cut') cut();
      });
    };
    join('client', client, upstream);
    join('server', upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(targetUrl);
  url.port = String(portOf(server.address()));
  return {
    url: url.href,
    decide: (decision) => {
      fateOf = decision;
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
