import type { IncomingMessage } from 'node:http';
import { CREDENTIAL_HEADERS, HiddenTokens } from '../../domain/callers/hidden-tokens.ts';
import { decodeTraceHeaders, RequestRecord } from '../../domain/callers/request-record.ts';
import { decodeCacheControl } from './cache-control.ts';

/** One to 128 visible ASCII characters. node:http joins the values of a repeated header with a comma and a space. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/u;

const ID = Symbol('request ID');

interface IdentifiedRequest extends IncomingMessage {
  [ID]?: string;
}

/**
 * The record of a request, with the ID and the trace that its client names. An ID that cannot be taken is replaced, as
 * is one that has the client's token in it, since IDs and traces are logged and sent on. A trace with it is not taken.
 */
export function createRequestRecord(request: IdentifiedRequest): RequestRecord {
  const { headers } = request;
  const { 'x-request-id': sentId, traceparent, tracestate } = headers;
  const tokens = sentTokensOf(request);
  const isTaken = typeof sentId === 'string' && REQUEST_ID.test(sentId) && !tokens.areIn(sentId);
  const record = new RequestRecord(isTaken ? sentId : undefined, undefined, tokens);
  request[ID] = record.id;
  const cacheControl = headers['cache-control'];
  if (cacheControl !== undefined) record.freshness = decodeCacheControl(cacheControl);
  if (typeof traceparent === 'string' && !tokens.areIn(traceparent)) {
    const state = `${tracestate ?? ''}`;
    record.traceHeaders = decodeTraceHeaders(traceparent, tokens.areIn(state) ? '' : state);
  }
  return record;
}

/** The ID of a request that has a record. */
export const requestIdOf = (request: IdentifiedRequest): string | undefined => request[ID];

/** A header that was sent twice is once in `headers`, and one that a host has set is not in `rawHeaders`. */
function sentTokensOf({ headers, rawHeaders }: IncomingMessage): HiddenTokens {
  const tokens = new HiddenTokens();
  for (const name of CREDENTIAL_HEADERS) tokens.addHeader(name, `${headers[name] ?? ''}`);
  for (let index = 0; index < rawHeaders.length; index += 2) {
    tokens.addHeader(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return tokens;
}
