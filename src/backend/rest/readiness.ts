import { connect } from 'node:net';
import { err, ok, type Result } from '../../domain/result.ts';
import type { Client } from './http/client.ts';

const CONNECT_TIMEOUT_MS = 2_000;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * So long a failing service counts as failing. Then its open port is enough: who waits for readiness before they send a
 * call would wait for ever, since only a call can show that the service has recovered.
 */
const FAILING_MS = 15_000;

/** Whether calls can be answered, as far as can be told without one. The reason names no address. */
export async function checkService(client: Client, baseUrl: string): Promise<Result<void, string>> {
  const since = client.failingSince();
  if (since !== null && performance.now() - since < FAILING_MS) return err('Calls of the service fail.');
  return checkConnection(baseUrl);
}

/** Whether the port of the service takes connections. No request is sent. */
function checkConnection(baseUrl: string): Promise<Result<void, string>> {
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
