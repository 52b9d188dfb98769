import type { Tracer } from '@opentelemetry/api';
import { endCallSpan, propagationHeaders, startCallSpan } from './call-span.ts';
import { httpRequestOf } from './outgoing-request.ts';
import { withoutQuotedToken } from './quoted-token.ts';
import type { RequestResult, SendHttp } from './request.ts';
import type { SendOptions, ServiceCall } from './service-call.ts';

interface CallSenderOptions {
  readonly sendHttp: SendHttp;
  /** The URL of `/v2`. */
  readonly apiRoot: string;
  /** Null where nothing is traced. */
  readonly tracer: Tracer | null;
}

/** Sends a call within `timeout` milliseconds, and counts it in the record of its request. */
type SendCall = (call: ServiceCall, options: SendOptions, timeout: number) => Promise<RequestResult>;

export const createCallSender =
  ({ sendHttp, apiRoot, tracer }: CallSenderOptions): SendCall =>
  (call, { apiToken, request, fence, resendCount = 0 }, timeout) => {
    request.countUpstreamCall();
    const span = startCallSpan(call, { tracer, request, apiRoot, resendCount });
    const traceHeaders = propagationHeaders(request, span);
    const context = { apiRoot, apiToken, requestId: request.id, traceHeaders, timeout, fence };
    const sent = sendHttp(httpRequestOf(call, context)).then((result) => withoutQuotedToken(result, apiToken));
    return span === null ? sent : sent.then((result) => endCallSpan(span, result));
  };
