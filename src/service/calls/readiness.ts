import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { Log } from '../../core/base/log.ts';
import { hostOf, portOf } from '../../core/base/network.ts';
import { RateWindows } from '../../core/base/rate-windows.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { codeOf, reasonOf } from './connection-failures.ts';
import { describeForOperators, type ForeignAnswer, logFieldsOf } from './foreign-answers.ts';
import type { RequestResult, ServiceResponse } from './service-call.ts';

interface ServiceProblem {
  /** The reason as a text without any address. */
  readonly reason: string;
  /** `performance.now()` of the last response that showed the problem. */
  readonly lastAt: number;
}

/**
 * The foreign responses in a row that make a problem. A single one may be a 404 for a call that the service does not
 * offer, or a refusal of what one call contains.
 */
const ENOUGH_RESPONSES = { 'before the first of the service': 2, afterwards: 3 } as const;

const NOT_OF_SERVICE = "an answer is not the service's";

interface WatchedService {
  readonly baseUrl: string;
  /** The name of the URL's setting in messages. */
  readonly setting?: string | undefined;
}

/** Finds out from responses that something else answers: at a wrong URL, or between the gateway and the service. */
export class ServiceWatch {
  readonly #baseUrl: string;
  readonly #setting: string;
  readonly #log: Log;
  /** Equal warnings are written once a minute. */
  readonly #lines = new RateWindows(1);
  /** The foreign responses in a row. */
  #foreign = 0;
  #are404 = true;
  /** `performance.now()` of the last foreign response. */
  #lastAt = 0;
  #isConfirmed = false;
  #latest: ForeignAnswer | null = null;
  #latestFailure: string | null = null;

  constructor({ baseUrl, setting = 'UPSTREAM_URL' }: WatchedService, log: Log) {
    this.#baseUrl = baseUrl;
    this.#setting = setting;
    this.#log = log;
  }

  /** The problem; null while too few responses show one. */
  problem(): ServiceProblem | null {
    if (this.#foreign < ENOUGH_RESPONSES[this.#isConfirmed ? 'afterwards' : 'before the first of the service'])
      return null;
    const seen = this.#latest && describeForOperators(this.#latest);
    const found = this.#are404 ? 'everything there answers 404' : `no answer there is one of the service (${seen})`;
    const problem = this.#isConfirmed
      ? `answers come that are not the service's: ${seen}.`
      : `${found}: is this the base URL? It is the address before /v2.`;
    return { reason: `${this.#setting}: ${problem}`, lastAt: this.#lastAt };
  }

  /** The reason why the latest call got no answer of the service, as a sentence for operators; null after an answer. */
  latestFailure(): string | null {
    return this.#latestFailure;
  }

  /** Records a result. Refusals of tokens that are not accepted do not count, since they may be about the token. */
  onResult(result: RequestResult, isAccepted: boolean): void {
    if (result.ok) this.#onResponse(result.value, isAccepted);
    else
      this.#latestFailure =
        'error' in result.error ? result.error.error.message : `The latest call: ${result.error.reason}`;
  }

  /** Records a failed connection. `code` is the code of the network error. */
  onNoConnection(code: string, reason: string): void {
    this.#warn('no connection to the service', { code, reason });
  }

  #warn(message: string, fields: Readonly<Record<string, unknown>>): void {
    if (this.#lines.tryCount(JSON.stringify([message, fields])).isCounted) this.#log('warn', message, fields);
  }

  #onResponse(response: ServiceResponse, isAccepted: boolean): void {
    const { httpStatus, foreign, unknownCoding } = response;
    if (unknownCoding !== undefined)
      this.#warn('the Content-Encoding of an answer is not known', { httpStatus, coding: unknownCoding });
    if (foreign !== undefined) {
      this.#latest = foreign;
      this.#latestFailure = `The latest answer was ${describeForOperators(foreign)}.`;
    }
    const sender = senderOf(response, this.#isConfirmed);
    if (sender === 'service') this.#onService();
    else if (sender === 'other' && (isAccepted || !this.#isConfirmed)) this.#onForeign(response);
    else if (httpStatus >= 500 && foreign?.isEmpty === false) this.#warn(NOT_OF_SERVICE, logFieldsOf(foreign));
  }

  #onService(): void {
    if (this.#foreign > 0 && this.problem() !== null) this.#log('info', `the service answers at ${this.#setting}`);
    this.#isConfirmed = true;
    this.#foreign = 0;
    this.#latestFailure = null;
  }

  #onForeign({ httpStatus, foreign }: ServiceResponse): void {
    this.#foreign += 1;
    this.#are404 &&= httpStatus === 404;
    this.#lastAt = performance.now();
    const fields = foreign ? logFieldsOf(foreign) : { httpStatus };
    if (this.#isConfirmed) this.#warn(NOT_OF_SERVICE, fields);
    else if (this.#foreign === ENOUGH_RESPONSES['before the first of the service'])
      this.#log('warn', `${this.#setting} seems not to be the service`, {
        url: this.#baseUrl,
        reason: this.problem()?.reason,
        ...fields,
      });
  }
}

/**
 * Decides who sent a response. The service answers requests for missing things with 400 (see docs/service.md, "Status
 * codes"), so a 404 is foreign until the service has answered once; after that it may be a call that it does not offer.
 */
function senderOf(
  { httpStatus, body, foreign }: ServiceResponse,
  isConfirmed: boolean,
): 'service' | 'other' | 'unclear' {
  if (httpStatus >= 500 || (foreign === undefined && [401, 403, 429].includes(httpStatus))) return 'unclear';
  const isNoCall = httpStatus === 404 || httpStatus === 405;
  if (isNoCall && foreign?.isEmpty !== false) return isConfirmed ? 'unclear' : 'other';
  if (foreign !== undefined) return 'other';
  return body === undefined ? 'unclear' : 'service';
}

const CONNECT_TIMEOUT_MS = 2_000;

/**
 * After this time without another failure an open port is enough for readiness. Clients that wait for readiness before
 * they send a call would otherwise wait forever, since only a call can show that the service has recovered.
 */
const FAILING_MS = 15_000;

export interface ServiceHealth {
  /** `performance.now()` of the last failure while the circuit breaker is open, else null. */
  failingSince(): number | null;
  readonly watch: Pick<ServiceWatch, 'problem' | 'latestFailure'>;
}

/**
 * Checks without a request whether the service can be called. `firstHop` is the URL that calls connect to: the proxy's,
 * or the service's. The reason has no address.
 */
export async function checkService(health: ServiceHealth, firstHop: string): Promise<Result<void, string>> {
  const isRecent = (time: number) => performance.now() - time < FAILING_MS;
  const lastFailureAt = health.failingSince();
  if (lastFailureAt !== null && isRecent(lastFailureAt))
    return err(`Calls of the service fail. ${health.watch.latestFailure() ?? ''}`.trimEnd());
  const problem = health.watch.problem();
  if (problem !== null && isRecent(problem.lastAt)) return err(problem.reason);
  return checkConnection(firstHop);
}

/** Connects and, over TLS, completes the handshake, without a request. */
async function checkConnection(url: string): Promise<Result<void, string>> {
  const target = new URL(url);
  const host = hostOf(target);
  const address = { host, port: portOf(target) };
  const isTls = target.protocol === 'https:';
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
