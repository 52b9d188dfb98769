import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { Log } from '../../../base/log.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { codeOf, reasonOf } from './connection-failures.ts';
import { describeForOperators, type ForeignAnswer, logFieldsOf } from './foreign-answers.ts';
import type { RequestResult, ServiceResponse } from './service-call.ts';

interface ServiceProblem {
  /** A text that names no address. */
  readonly reason: string;
  /** `performance.now()` of the last response that showed it. */
  readonly lastAt: number;
}

/** One response may be a 404 for a call that the service does not offer, or a refusal of what one call holds. */
const ENOUGH_RESPONSES = { 'before the first of the service': 2, afterwards: 3 } as const;

/** The same line of the log is written so often at most. */
const SAME_LINE_MS = 60_000;

const NOT_OF_SERVICE = "an answer is not the service's";

interface WatchedService {
  readonly baseUrl: string;
  /** The name of the URL in messages. */
  readonly setting?: string | undefined;
}

/**
 * Finds out from responses that something else than the service answers: at another URL than the service's, or on the way
 * to it.
 */
export function createServiceWatch({ baseUrl, setting = 'UPSTREAM_URL' }: WatchedService, log: Log) {
  /** The responses in a row that are not the service's, and `performance.now()` of the last. */
  let [foreign, are404, lastAt] = [0, true, 0];
  let isConfirmed = false;
  let latest: ForeignAnswer | null = null;
  let latestFailure: string | null = null;
  const lines = createOnceAMinute(log);

  /** Null while too few responses are known. */
  const problem = (): ServiceProblem | null => {
    if (foreign < ENOUGH_RESPONSES[isConfirmed ? 'afterwards' : 'before the first of the service']) return null;
    const seen = latest && describeForOperators(latest);
    if (isConfirmed) return { reason: `${setting}: answers come that are not the service's: ${seen}.`, lastAt };
    const found = are404 ? 'everything there answers 404' : `no answer there is one of the service (${seen})`;
    return { reason: `${setting}: ${found}: is this the base URL? It is the address before /v2.`, lastAt };
  };
  const onService = () => {
    if (problem() !== null) log('info', `the service answers at ${setting}`);
    [foreign, are404, isConfirmed, latestFailure] = [0, true, true, null];
  };
  const onForeign = (answer: ForeignAnswer) => {
    foreign += 1;
    are404 &&= answer.httpStatus === 404;
    lastAt = performance.now();
    if (isConfirmed) lines.write(NOT_OF_SERVICE, logFieldsOf(answer));
    else if (foreign === ENOUGH_RESPONSES['before the first of the service'])
      log('warn', `${setting} seems not to be the service`, {
        url: baseUrl,
        reason: problem()?.reason,
        ...logFieldsOf(answer),
      });
  };
  const onResponse = (response: ServiceResponse, isAccepted: boolean) => {
    const { httpStatus, foreign: answer } = response;
    if (answer !== undefined) {
      latest = answer;
      latestFailure = `The latest answer was ${describeForOperators(answer)}.`;
    }
    const sender = senderOf(response, isConfirmed);
    if (sender === 'service') onService();
    else if (sender === 'other' && (isAccepted || !isConfirmed))
      onForeign(answer ?? { httpStatus, isEmpty: false, mediaType: null, header: null });
    else if (httpStatus >= 500 && answer?.isEmpty === false) lines.write(NOT_OF_SERVICE, logFieldsOf(answer));
  };
  return {
    problem,
    /** Why the latest call got no answer of the service, for operators; null after an answer. */
    latestFailure: () => latestFailure,
    /** `isAccepted`: what others send may be refused on the way for their own sake. */
    onResult(result: RequestResult, isAccepted: boolean): void {
      if (result.ok) onResponse(result.value, isAccepted);
      else latestFailure = 'error' in result.error ? result.error.error.message : `The latest call: ${result.error.reason}`;
    },
    /** `code` is that of the error of the network. */
    onNoConnection(code: string, reason: string): void {
      lines.write('no connection to the service', { code, reason });
    },
  };
}

/**
 * Who sent a response. The service answers requests for missing things with 400 (see docs/service.md, "Status codes"), so a 404
 * is not its own until it has answered otherwise; then it may be a call that it does not offer.
 */
function senderOf({ httpStatus, body, foreign }: ServiceResponse, isConfirmed: boolean): 'service' | 'other' | 'unclear' {
  if (httpStatus >= 500 || (foreign === undefined && [401, 403, 429].includes(httpStatus))) return 'unclear';
  const isNoCall = httpStatus === 404 || httpStatus === 405;
  if (isNoCall && foreign?.isEmpty !== false) return isConfirmed ? 'unclear' : 'other';
  if (foreign !== undefined) return 'other';
  return body === undefined ? 'unclear' : 'service';
}

/** Writes a warning unless the last one was the same, and not a minute ago. */
function createOnceAMinute(log: Log) {
  let last = { text: '', at: Number.NEGATIVE_INFINITY };
  return {
    write(message: string, fields: Readonly<Record<string, unknown>>): void {
      const text = JSON.stringify([message, fields]);
      if (text === last.text && performance.now() - last.at < SAME_LINE_MS) return;
      last = { text, at: performance.now() };
      log('warn', message, fields);
    },
  };
}

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
  /** Null unless the responses show that something else answers. */
  problem(): ServiceProblem | null;
  /** Why the latest call got no answer of the service; null after an answer. */
  latestFailure(): string | null;
}

/**
 * Checks without a request whether the service can be called. `firstHop` is the URL of what calls connect to: the
 * proxy, or the service itself. The reason names no address.
 */
export async function checkService(health: ServiceHealth, firstHop: string): Promise<Result<void, string>> {
  const isRecent = (time: number) => performance.now() - time < FAILING_MS;
  const lastFailureAt = health.failingSince();
  if (lastFailureAt !== null && isRecent(lastFailureAt))
    return err(`Calls of the service fail. ${health.latestFailure() ?? ''}`.trimEnd());
  const problem = health.problem();
  if (problem !== null && isRecent(problem.lastAt)) return err(problem.reason);
  return checkConnection(firstHop);
}

/** Over TLS with its handshake, which needs no request. */
async function checkConnection(url: string): Promise<Result<void, string>> {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/gu, '');
  const address = { host, port: Number(port || DEFAULT_PORTS[protocol]) };
  const isTls = protocol === 'https:';
  const socket = isTls ? tlsConnect({ ...address, servername: isIP(host) ? '' : host }) : connect(address);
  const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal });
    return ok(undefined);
  } catch (error) {
    if (signal.aborted) return err('The service accepted no connection in time.');
    const code = codeOf(error);
    return err(`The service cannot be reached (${code}): ${reasonOf(code)}`);
  } finally {
    socket.destroy();
  }
}
