import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectTo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { portOf } from './ports.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));

/** The self-signed certificate for localhost and 127.0.0.1. */
export const CERTIFICATE = fixture('server.crt');

/** Another of the same key, for kb.test alone. */
export const NAMED_CERTIFICATE = fixture('kb.test.crt');

/** The certificate of an authority that nobody trusts, and of one that it issued. Their keys are gone. */
export const ROOT = fixture('authority-root.crt');
export const AUTHORITY = fixture('authority.crt');

/** Certificates by that authority for the name and the key of the first, one of them expired. */
export const ISSUED = fixture('issued.crt');
export const EXPIRED = fixture('expired.crt');

/** The identity that a server shows by one of them. */
export const identityOf = (certificate: string) => ({
  key: readFileSync(fixture('server.key')),
  cert: readFileSync(certificate),
});

export interface TlsFront {
  /** The URL of the server behind, with the port of this one. */
  readonly url: string;
  close(): Promise<void>;
}

/** A PostgreSQL that speaks only TLS: it answers the client's SSLRequest with `S`, and begins. */
export async function startTlsFront(targetUrl: string): Promise<TlsFront> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client.on('error', () => {}));
    client.once('data', (sslRequest) => {
      if (sslRequest.length !== 8) return client.destroy();
      client.write('S');
      const secure = new TLSSocket(client, { isServer: true, ...identityOf(CERTIFICATE) });
      const upstream = connectTo(Number(target.port), target.hostname);
      for (const socket of [secure, upstream]) sockets.add(socket.on('error', () => {}));
      return secure.pipe(upstream).pipe(secure);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(targetUrl);
  url.port = String(portOf(server.address()));
  return {
    url: url.href,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
