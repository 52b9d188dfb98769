import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderReader } from '../../../core/base/media-types.ts';
import { CREDENTIAL_HEADERS, HiddenTokens } from '../../../core/callers/hidden-tokens.ts';
import {
  ANY_FRESHNESS,
  decodeTraceHeaders,
  type RequestFacts,
  type RequestFreshness,
} from '../../../core/callers/request-facts.ts';
import { NO_REPORT, type RequestReport } from '../../../core/callers/request-report.ts';

/** One to 128 visible ASCII characters. node:http joins the values of a repeated header with a comma and a space. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/u;

const ID = Symbol('request ID');

interface IdentifiedRequest extends IncomingMessage {
  [ID]?: string;
}

/**
 * The facts of a request, with the ID and the trace that its client names. An ID that cannot be taken is replaced, as
 * is one that has the client's token in it, since IDs and traces are logged and sent on. A trace with it is not taken.
 */
export function createHttpRequestFacts(
  request: IdentifiedRequest,
  response: ServerResponse,
  report: RequestReport = NO_REPORT,
): RequestFacts {
  const { headers } = request;
  const { 'x-request-id': sentId, 'cache-control': cacheControl } = headers;
  const tokens = new HiddenTokens((hidden) => addCredentials(hidden, request));
  const isTaken = typeof sentId === 'string' && REQUEST_ID.test(sentId) && !tokens.areIn(sentId);
  const id = isTaken ? sentId : crypto.randomUUID();
  request[ID] = id;
  return {
    id,
    tokens,
    traceHeaders: traceHeadersOf(request, tokens),
    freshness: cacheControl === undefined ? ANY_FRESHNESS : decodeCacheControl(cacheControl),
    isEnded: () => response.closed,
    startedAt: performance.now(),
    report,
    kept: { ofBackend: null },
  };
}

function traceHeadersOf({ headers: { traceparent, tracestate } }: IncomingMessage, tokens: HiddenTokens) {
  if (typeof traceparent !== 'string' || tokens.areIn(traceparent)) return null;
  const state = `${tracestate ?? ''}`;
  return decodeTraceHeaders(traceparent, tokens.areIn(state) ? '' : state);
}

/** The ID of a request that has facts. */
export const requestIdOf = (request: IdentifiedRequest): string | undefined => request[ID];

/** The headers of a request by lower-case name. The values of a repeated header are joined. */
export const headersOf = ({ headers }: IncomingMessage): HeaderReader => ({
  get: (name) => headers[name]?.toString() ?? null,
});

/** A header that was sent twice is once in `headers`, and one that a host has set is not in `rawHeaders`. */
function addCredentials(tokens: HiddenTokens, { headers, rawHeaders }: IncomingMessage): void {
  for (const name of CREDENTIAL_HEADERS) tokens.addHeader(name, `${headers[name] ?? ''}`);
  for (let index = 0; index < rawHeaders.length; index += 2)
    tokens.addHeader(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
}

const DELTA_SECONDS = /^"?(?<seconds>\d+)"?$/u;

/**
 * Reads the directives of a request by RFC 9111, section 5.2.1. Those that only widen what a cache may do are ignored,
 * and an age that can't be read counts as 0.
 *
 * @internal Exported for tests.
 */
export function decodeCacheControl(header: string): RequestFreshness {
  let { maxAgeMs, mayBeKept } = ANY_FRESHNESS;
  for (const directive of header.toLowerCase().split(',')) {
    const [name = '', value = ''] = directive.split('=').map((part) => part.trim());
    if (name === 'no-store') mayBeKept = false;
    else if (name === 'no-cache') maxAgeMs = 0;
    else if (name === 'max-age') maxAgeMs = Math.min(maxAgeMs, millisecondsOf(value));
  }
  return { maxAgeMs, mayBeKept };
}

const millisecondsOf = (value: string): number => Number(DELTA_SECONDS.exec(value)?.groups?.['seconds'] ?? 0) * 1_000;
