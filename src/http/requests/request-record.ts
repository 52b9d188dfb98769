import type { IncomingMessage } from 'node:http';
import { RequestRecord } from '../../domain/callers/request-record.ts';
import { decodeTraceHeaders } from '../../domain/callers/trace-headers.ts';

/** One to 128 visible ASCII characters. node:http joins the values of a repeated header with a space. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/u;

/** The record of a request, with the ID and the trace that its client names. An ID that cannot be taken is replaced. */
export function createRequestRecord({ headers }: IncomingMessage): RequestRecord {
  const { 'x-request-id': sentId, traceparent, tracestate } = headers;
  const record = new RequestRecord(typeof sentId === 'string' && REQUEST_ID.test(sentId) ? sentId : undefined);
  if (traceparent !== undefined) record.traceHeaders = decodeTraceHeaders(traceparent, tracestate);
  return record;
}
