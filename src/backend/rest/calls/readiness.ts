import { connect } from 'node:net';
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

/** Finds out from the first responses that `UPSTREAM_URL` names something else than the service. */
interface BaseUrlCheck {
  onResponse(response: ServiceResponse): void;
  /** Null while too few responses are known, and for good after the first response of the service. */
  problem(): BaseUrlProblem | null;
}

interface BaseUrl {
  readonly baseUrl: string;
  /** Its name in messages. */
  readonly setting?: string | undefined;
}

/** One response may be a 404 for a call that the service does not offer. */
const ENOUGH_RESPONSES = 2;

export function createBaseUrlCheck({ baseUrl, setting = 'UPSTREAM_URL' }: BaseUrl, log: Log): BaseUrlCheck {
  const foreign = { count: 0, are404: true, lastAt: 0 };
  let isConfirmed = false;

  const problem = () => {
    if (isConfirmed || foreign.count < ENOUGH_RESPONSES) return null;
    return { reason: reasonOf(setting, foreign.are404), lastAt: foreign.lastAt };
  };
  const confirm = () => {
    if (problem() !== null) log('info', `the service answers at ${setting}`);
    isConfirmed = true;
  };
  const addForeign = (httpStatus: number) => {
    foreign.count += 1;
    foreign.are404 &&= httpStatus === 404;
    foreign.lastAt = performance.now();
    if (foreign.count !== ENOUGH_RESPONSES) return;
    log('warn', `${setting} seems not to be the service`, { url: baseUrl, reason: reasonOf(setting, foreign.are404) });
  };

  return {
    onResponse(response) {
      if (isConfirmed) return;
      if (isOfService(response)) confirm();
      else if (!tellsNothing(response.httpStatus)) addForeign(response.httpStatus);
    },
    problem,
  };
}

const reasonOf = (setting: string, are404: boolean): string =>
  `${setting}: ${are404 ? 'everything there answers 404' : 'no answer there is one of the service'}: is this the base URL? It is the address before /v2.`;

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
