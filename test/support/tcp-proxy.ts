import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { portOf } from './ports.ts';

/** A proxy on this machine that can stop to pass anything on, as a network does that is partitioned. */
export interface TcpProxy {
  readonly port: number;
  /** Drops what either side sends, without an end of the connections, or passes on what comes from then on. */
  partition(isCutOff: boolean): void;
  close(): Promise<void>;
}

export async function openTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCutOff = false;
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (!isCutOff) to.write(data);
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        if (!isCutOff) to.destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: portOf(server.address()),
    partition: (value) => {
      isCutOff = value;
      // A connection that has lost something is of no use any more.
      if (!value) for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}
