import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { RequestRecord } from '../../domain/callers/request-record.ts';
import { decodeTraceHeaders } from '../../domain/callers/trace-headers.ts';

/** One to 128 visible ASCII characters. node:http joins the values of a repeated header with a comma and a space. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/u;

/** Characters. A shorter token may be part of an ID by chance. */
const MIN_TOKEN = 8;

/**
 * The record of a request, with the ID and the trace that its client names. An ID that cannot be taken is replaced, as
 * is one that has the client's token in it, since IDs and traces are logged and sent on. A trace with it is not taken.
 */
export function createRequestRecord({ headers }: IncomingMessage): RequestRecord {
  const { 'x-request-id': sentId, traceparent, tracestate } = headers;
  const isTaken = typeof sentId === 'string' && REQUEST_ID.test(sentId) && !hasToken(sentId, headers);
  const record = new RequestRecord(isTaken ? sentId : undefined);
  if (typeof traceparent === 'string' && !hasToken(traceparent, headers)) {
    const state = `${tracestate ?? ''}`;
    record.traceHeaders = decodeTraceHeaders(traceparent, hasToken(state, headers) ? '' : state);
  }
  return record;
}

function hasToken(text: string, headers: IncomingHttpHeaders): boolean {
  const bearer = headers.authorization?.replace(/^bearer +/iu, '');
  return [headers['api_token'], headers['x-api-token'], bearer].some(
    (token) => typeof token === 'string' && token.length >= MIN_TOKEN && text.includes(token),
  );
}
