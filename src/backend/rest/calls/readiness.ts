import { once } from 'node:events';
import { connect } from 'node:net';
import { isObject } from '../../../base/json.ts';
import type { Log } from '../../../base/log.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { decodeEnvelope } from '../../../v2/envelope.ts';
import type { ServiceResponse } from './service-call.ts';

interface BaseUrlProblem {
  /** A text that names no address. */
  readonly reason: string;
  /** `performance.now()` of the last response that showed it. */
  readonly lastAt: number;
}

/** One response may be a 404 for a call that the service does not offer. */
const ENOUGH_RESPONSES = 2;

/**
 * Finds out from the first responses that `UPSTREAM_URL` names something else than the service. `setting` is the name of the URL
 * in messages.
 */
export function createBaseUrlCheck(
  { baseUrl, setting = 'UPSTREAM_URL' }: { readonly baseUrl: string; readonly setting?: string | undefined },
  log: Log,
) {
  /** The responses that are not the service's, and `performance.now()` of the last. */
  let [foreign, are404, lastAt] = [0, true, 0];
  let isConfirmed = false;
  /** Null while too few responses are known, and for good after the first response of the service. */
  const problem = (): BaseUrlProblem | null => {
    if (isConfirmed || foreign < ENOUGH_RESPONSES) return null;
    const found = are404 ? 'everything there answers 404' : 'no answer there is one of the service';
    return { reason: `${setting}: ${found}: is this the base URL? It is the address before /v2.`, lastAt };
  };
  const onResponse = (response: ServiceResponse): void => {
    const { httpStatus } = response;
    if (isConfirmed) return;
    if (isOfService(response)) {
      if (problem() !== null) log('info', `the service answers at ${setting}`);
      isConfirmed = true;
    } else if (!tellsNothing(httpStatus)) {
      foreign += 1;
      are404 &&= httpStatus === 404;
      lastAt = performance.now();
      const reason = problem()?.reason;
      if (foreign === ENOUGH_RESPONSES) log('warn', `${setting} seems not to be the service`, { url: baseUrl, reason });
    }
  };
  return { problem, onResponse };
}

/** The service answers requests for missing things with 400: see docs/service.md, "Status codes". */
function isOfService({ httpStatus, body }: ServiceResponse): boolean {
  if (httpStatus === 404) return false;
  return decodeEnvelope(body) !== null || (httpStatus < 300 && typeof body === 'object' && body !== null);
}

/** A proxy in front of the service may reject a call as well, and a failing service may answer anything. */
const tellsNothing = (httpStatus: number): boolean => [401, 403, 429].includes(httpStatus) || httpStatus >= 500;

const CONNECT_TIMEOUT_MS = 2_000;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * After this time without another failure an open port is enough. Clients that wait for readiness before they send a
 * call would wait forever otherwise, since only a call can show that the service has recovered, or is there.
 */
const FAILING_MS = 15_000;

/** What calls have shown of the service. */
export interface ServiceHealth {
  /** `performance.now()` of the last failure while the circuit breaker is open, else null. */
  failingSince(): number | null;
  /** Null unless the responses so far show that `baseUrl` is not the service's. */
  baseUrlProblem(): BaseUrlProblem | null;
}

/**
 * Checks without a request whether the service can be called. `firstHop` is the URL of what calls connect to: the
 * proxy, or the service itself. The reason names no address.
 */
export async function checkService(health: ServiceHealth, firstHop: string): Promise<Result<void, string>> {
  const isRecent = (time: number) => performance.now() - time < FAILING_MS;
  const lastFailureAt = health.failingSince();
  if (lastFailureAt !== null && isRecent(lastFailureAt)) return err('Calls of the service fail.');
  const problem = health.baseUrlProblem();
  if (problem !== null && isRecent(problem.lastAt)) return err(problem.reason);
  return checkConnection(firstHop);
}

async function checkConnection(url: string): Promise<Result<void, string>> {
  const { protocol, hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/gu, ''), port: Number(port || DEFAULT_PORTS[protocol]) });
  const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  try {
    await once(socket, 'connect', { signal });
    return ok(undefined);
  } catch (error) {
    if (signal.aborted) return err('The service accepted no connection in time.');
    return err(`The service cannot be reached (${isObject(error) ? error['code'] : 'unknown'}).`);
  } finally {
    socket.destroy();
  }
}
