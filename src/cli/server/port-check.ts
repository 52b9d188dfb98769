import { createServer } from 'node:http';
import { connect } from 'node:net';
import { ok, type Result } from '../../domain/result.ts';
import { type Address, listen } from './http-server.ts';

/** An address of this machine answers at once. */
const ANSWER_MS = 1_000;

/**
 * Finds out, before a start has made any file, that it could not listen. A free port is not listened on for that: a client
 * that happens to come would lose its connection, and could not know whether its request had arrived.
 */
export async function checkPort(address: Address): Promise<Result<void, string>> {
  const free = await tryListening({ ...address, port: 0 });
  return free.ok && !(await isTaken(address)) ? free : tryListening(address);
}

async function tryListening(address: Address): Promise<Result<void, string>> {
  const server = createServer();
  const listening = await listen(server, address);
  server.close();
  return listening.ok ? ok(undefined) : listening;
}

/** True where somebody listens there already. */
function isTaken({ host, port }: Address): Promise<boolean> {
  if (port === 0) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: ANSWER_MS });
    const end = (isConnected: boolean) => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
