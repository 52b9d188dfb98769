import type { Log } from '../../../base/log.ts';
import { decodeEnvelope } from '../../../v2/envelope.ts';
import type { ServiceResponse } from './service-call.ts';

export interface BaseUrlProblem {
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

/** One response may be a 404 for a call that the service does not offer. */
const ENOUGH_RESPONSES = 2;

export function createBaseUrlCheck(baseUrl: string, log: Log): BaseUrlCheck {
  const foreign = { count: 0, are404: true, lastAt: 0 };
  let isConfirmed = false;

  const problem = () => {
    if (isConfirmed || foreign.count < ENOUGH_RESPONSES) return null;
    return { reason: reasonOf(foreign.are404), lastAt: foreign.lastAt };
  };
  const confirm = () => {
    if (problem() !== null) log('info', 'the service answers at UPSTREAM_URL');
    isConfirmed = true;
  };
  const addForeign = (httpStatus: number) => {
    foreign.count += 1;
    foreign.are404 &&= httpStatus === 404;
    foreign.lastAt = performance.now();
    if (foreign.count !== ENOUGH_RESPONSES) return;
    log('warn', 'UPSTREAM_URL seems not to be the service', { url: baseUrl, reason: reasonOf(foreign.are404) });
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

const reasonOf = (are404: boolean): string =>
  `UPSTREAM_URL: ${are404 ? 'everything there answers 404' : 'no answer there is one of the service'}: is this the base URL? It is the address before /v2.`;

/** The service answers requests for missing things with 400: see docs/service.md, "Status codes". */
function isOfService({ httpStatus, body }: ServiceResponse): boolean {
  if (httpStatus === 404) return false;
  return decodeEnvelope(body) !== null || (httpStatus < 300 && typeof body === 'object' && body !== null);
}

/** A proxy in front of the service may reject a call as well, and a failing service may answer anything. */
const tellsNothing = (httpStatus: number): boolean => [401, 403, 429].includes(httpStatus) || httpStatus >= 500;
