import type { Fence } from '../../../base/fence.ts';
import type { HttpRequest } from './request.ts';
import type { ServiceCall } from './service-call.ts';

interface RequestContext {
  readonly apiRoot: string;
  readonly apiToken: string;
  readonly requestId: string;
  readonly traceHeaders: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
  readonly fence: Fence | undefined;
}

/** The HTTP request of a call. */
export function httpRequestOf({ method, path, query, body }: ServiceCall, context: RequestContext): HttpRequest {
  const { apiRoot, apiToken, requestId, traceHeaders, timeout, fence } = context;
  const url = `${apiRoot}/${path.map(encodeURIComponent).join('/')}${queryStringOf(query)}`;
  const headers = { ...traceHeaders, 'x-request-id': requestId, api_token: apiToken };
  if (body === undefined) return { url, options: { method, headers, timeout: { request: timeout } } };
  const payload = Buffer.from(JSON.stringify(body));
  const bodyHeaders = { 'content-type': 'application/json', 'content-length': `${payload.length}` };
  return {
    url,
    options: { method, headers: { ...headers, ...bodyHeaders }, timeout: { request: timeout } },
    body: payload,
    fence,
  };
}

function queryStringOf(query: ServiceCall['query']): string {
  if (query === undefined) return '';
  return `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]))}`;
}
