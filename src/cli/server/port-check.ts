import { createServer } from 'node:http';
import { connect } from 'node:net';
import { ok, type Result } from '../../domain/result.ts';
import { type ListenAddress, listen } from './http-server.ts';

/** An address of this machine accepts or refuses a connection at once. */
const CONNECT_TIMEOUT_MS = 1_000;

/**
 * Checks that the gateway can listen, before the start creates any file. It does not listen on a free port: a client
 * that connects meanwhile would lose its connection, and could not know whether its request had arrived.
 */
export async function checkPort(address: ListenAddress): Promise<Result<void, string>> {
  const free = await tryListening({ ...address, port: 0 });
  return free.ok && !(await isPortTaken(address)) ? free : tryListening(address);
}

async function tryListening(address: ListenAddress): Promise<Result<void, string>> {
  const server = createServer();
  const listening = await listen(server, address);
  server.close();
  return listening.ok ? ok(undefined) : listening;
}

/** True when a server listens at the address already. */
function isPortTaken({ host, port }: ListenAddress): Promise<boolean> {
  if (port === 0) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS });
    const end = (isConnected: boolean) => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
