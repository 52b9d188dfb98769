import { connect } from 'node:net';
import { err, ok, type Result } from '../../base/result.ts';
import type { CallPipeline } from './calls/call-pipeline.ts';

const CONNECT_TIMEOUT_MS = 2_000;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * After this time without another failure an open port is enough. Clients that wait for readiness before they send a
 * call would wait forever otherwise, since only a call can show that the service has recovered, or is there.
 */
const FAILING_MS = 15_000;

/**
 * Checks without a request whether the service can be called. `firstHop` is the URL of what calls connect to: the
 * proxy, or the service itself. The reason names no address.
 */
export async function checkService(
  calls: Pick<CallPipeline, 'failingSince' | 'baseUrlProblem'>,
  firstHop: string,
): Promise<Result<void, string>> {
  const isRecent = (time: number) => performance.now() - time < FAILING_MS;
  const lastFailureAt = calls.failingSince();
  if (lastFailureAt !== null && isRecent(lastFailureAt)) return err('Calls of the service fail.');
  const problem = calls.baseUrlProblem();
  if (problem !== null && isRecent(problem.lastAt)) return err(problem.reason);
  return checkConnection(firstHop);
}

function checkConnection(url: string): Promise<Result<void, string>> {
  const { protocol, hostname, port } = new URL(url);
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
