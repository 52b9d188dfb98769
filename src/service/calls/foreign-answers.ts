import { MIN_HIDDEN_TOKEN_LENGTH } from '../../core/callers/hidden-tokens.ts';
import { type ErrorOfKind, unavailable } from '../../core/errors.ts';
import { decodeEnvelope } from '../v2/envelope.ts';
import type { HttpHeaders } from '../v2/rate-limit.ts';

/** An answer of a proxy, a firewall or a sign-in page instead of the service. */
export interface ForeignAnswer {
  readonly httpStatus: number;
  readonly isEmpty: boolean;
  readonly mediaType: string | null;
  /** The first of the `EXPLAINING_HEADERS` that the answer has. An address is reduced to its host. */
  readonly header: { readonly name: string; readonly value: string } | null;
}

interface HttpAnswer {
  readonly httpStatus: number;
  readonly headers: HttpHeaders;
  /** The parsed JSON; undefined where the body is no readable JSON. */
  readonly body: unknown;
  readonly bytes: Uint8Array;
}

/** The answer where it can't be the service's, else null: see docs/service.md, "Status codes". */
export function foreignAnswerOf(answer: HttpAnswer, apiToken: string): ForeignAnswer | null {
  const { httpStatus, headers, bytes } = answer;
  if (isOfService(answer)) return null;
  const isEmpty = bytes.length === 0;
  return { httpStatus, isEmpty, mediaType: mediaTypeOf(headers), header: explainingHeaderOf(headers, apiToken) };
}

const BODILESS_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

function isOfService({ httpStatus, headers, body, bytes }: HttpAnswer): boolean {
  // A bare object or list is a payload without its envelope. Unreadable JSON is damaged or too large.
  if (httpStatus < 300 && body !== undefined) return typeof body === 'object' && body !== null;
  const mediaType = mediaTypeOf(headers) ?? '';
  if (httpStatus < 300) return mediaType.includes('json');
  if (bytes.length === 0) return BODILESS_STATUSES.has(httpStatus);
  if (decodeEnvelope(body, httpStatus) !== null) return true;
  // The service's own 401 may be plain text.
  return httpStatus === 401 && body === undefined && !/html|xml|json/u.test(mediaType) && !isMarkup(bytes);
}

const MARKUP_START = '<'.charCodeAt(0);

const isMarkup = (bytes: Uint8Array): boolean => bytes.find((byte) => byte > 0x20) === MARKUP_START;

const MEDIA_TYPE = /^[a-z0-9.+-]{1,40}\/[a-z0-9.+-]{1,60}$/u;

function mediaTypeOf(headers: HttpHeaders): string | null {
  const type = firstOf(headers['content-type'])?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return MEDIA_TYPE.test(type) ? type : null;
}

/** Headers that show operators who has answered, the most specific first. */
const EXPLAINING_HEADERS = [
  'location',
  'www-authenticate',
  'proxy-authenticate',
  'cf-ray',
  'x-squid-error',
  'x-amzn-errortype',
  'x-azure-ref',
  'x-cache',
  'via',
  'server',
] as const;

/** Headers whose values hold addresses, which no answer of the gateway shows. */
const HEADERS_WITH_ADDRESSES: ReadonlySet<string> = new Set(['location', 'via']);

const MAX_HEADER_LENGTH = 100;

function explainingHeaderOf(headers: HttpHeaders, apiToken: string): ForeignAnswer['header'] {
  for (const name of EXPLAINING_HEADERS) {
    const given = firstOf(headers[name]);
    if (given === undefined || given === '') continue;
    const text = name === 'location' ? hostOf(given) : given;
    const isQuoted = apiToken.length >= MIN_HIDDEN_TOKEN_LENGTH && text.includes(apiToken);
    return { name, value: isQuoted ? '' : text.slice(0, MAX_HEADER_LENGTH).replace(/[^ -~]/gu, '?') };
  }
  return null;
}

const hostOf = (location: string): string => (URL.canParse(location) ? new URL(location).host : 'the same host');

const firstOf = (value: HttpHeaders[string]): string | undefined => (typeof value === 'string' ? value : value?.[0]);

/** Describes the answer without any address, as "HTTP 403, text/html". */
const describe = ({ httpStatus, mediaType }: ForeignAnswer): string =>
  mediaType === null ? `HTTP ${httpStatus}` : `HTTP ${httpStatus}, ${mediaType}`;

export const describeForOperators = (answer: ForeignAnswer): string => {
  const { header } = answer;
  if (header === null) return describe(answer);
  return `${describe(answer)}, ${header.name}${HEADERS_WITH_ADDRESSES.has(header.name) ? '' : `: ${header.value}`}`;
};

export const logFieldsOf = ({ httpStatus, mediaType, header }: ForeignAnswer) => ({
  httpStatus,
  mediaType,
  ...(header && { header: `${header.name}: ${header.value}` }),
});

/** The reason as a clause for messages. A failing service may also answer without a body. */
export function foreignReason(answer: ForeignAnswer): string {
  const { httpStatus, isEmpty } = answer;
  if (httpStatus >= 500 && isEmpty) return `the service answered with HTTP ${httpStatus}.`;
  if (httpStatus >= 300 && httpStatus < 400)
    return (
      `the answer is a redirect and not the service's (${describe(answer)}). Redirects are not followed, so that the API ` +
      'token goes nowhere else; check UPSTREAM_URL.'
    );
  return `the answer is not the service's (${describe(answer)}). Something between the gateway and the service sent it.`;
}

export const notReached = (answer: ForeignAnswer): ErrorOfKind<'unavailable'> => ({
  ...unavailable(`The service cannot be reached: ${foreignReason(answer)}`),
  foreignStatus: answer.httpStatus,
});

/** The statuses, besides redirects, with which a proxy or firewall says that it does not forward a call. */
const UNPASSED_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 413, 414, 431]);

/**
 * True where a write certainly did not arrive: see docs/contract.md, "Answers that are not the service's". A 303 says
 * where to read the outcome, so the write may have been made.
 */
export const hasNotArrived = ({ httpStatus }: ForeignAnswer): boolean =>
  UNPASSED_STATUSES.has(httpStatus) || (httpStatus >= 300 && httpStatus < 400 && httpStatus !== 303);
