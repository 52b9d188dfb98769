import { connect } from 'node:net';
import { err, ok, type Result } from '../../domain/result.ts';

const CONNECT_TIMEOUT_MS = 2_000;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Whether the port of the service takes connections. No request is sent, and the reason names no address. */
export function checkConnection(baseUrl: string): Promise<Result<void, string>> {
  const { protocol, hostname, port } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/gu, '');
  return new Promise((resolve) => {
    const socket = connect({ host, port: port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port) });
    const end = (result: Result<void, string>) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => end(err('The service accepted no connection in time.')), CONNECT_TIMEOUT_MS);
    socket.once('connect', () => end(ok(undefined)));
    socket.once('error', (error: NodeJS.ErrnoException) => end(err(`The service cannot be reached (${error.code}).`)));
  });
}
