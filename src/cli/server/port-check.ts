import { createServer } from 'node:http';
import { connect } from 'node:net';
import { ok, type Result } from '../../base/result.ts';
import type { Config } from '../../config.ts';
import { type ListenAddress, listen } from './http-server.ts';

/** An address of this machine accepts or refuses a connection at once. */
const CONNECT_TIMEOUT_MS = 1_000;

/** Checks the ports of the gateway and of its metrics. */
export async function checkPorts({ host, port, telemetry }: Config): Promise<Result<void, string>> {
  const checked = await checkPort({ host, port }, 'PORT');
  return checked.ok && telemetry.page !== null ? checkPort(telemetry.page, 'METRICS_PORT') : checked;
}

/**
 * Checks that the gateway can listen, before the start creates any file. It does not listen on a free port: a client
 * that connects meanwhile would lose its connection, and could not know whether its request had arrived.
 */
async function checkPort(address: ListenAddress, setting: string): Promise<Result<void, string>> {
  const free = await tryListening({ ...address, port: 0 }, setting);
  return free.ok && !(await isPortTaken(address)) ? free : tryListening(address, setting);
}

async function tryListening(address: ListenAddress, setting: string): Promise<Result<void, string>> {
  const server = createServer();
  const listening = await listen(server, address, setting);
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
