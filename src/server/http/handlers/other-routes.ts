import { lazily } from '../../../core/base/lazily.ts';
import { err, type Result } from '../../../core/base/result.ts';
import type { RouteHandler } from '../requests/request-body.ts';
import { sendBody } from '../responses/send-response.ts';

/** Requests within this time share one check of the backend. */
const READINESS_TTL_MS = 5_000;

interface HealthOptions {
  readonly checkReady: () => Promise<Result<void, string>>;
  readonly isStopping: () => boolean;
}

/** `live` answers while the process does; `ready` gives 503 with the reason while calls cannot be answered. */
export function createHealthHandlers({ checkReady, isStopping }: HealthOptions) {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checked: ReturnType<HealthOptions['checkReady']> | null = null;
  const check = () => {
    if (checked !== null && performance.now() - checkedAt < READINESS_TTL_MS) return checked;
    checkedAt = performance.now();
    checked = checkReady();
    return checked;
  };
  const live: RouteHandler = async ({ outgoing }) => sendBody(outgoing, jsonResponse(200, { status: 'live' }));
  const ready: RouteHandler = async ({ outgoing }) => {
    const result = isStopping() ? err('The gateway is stopping.') : await check();
    const body = result.ok ? { status: 'ready' } : { status: 'not ready', reason: result.error };
    return sendBody(outgoing, jsonResponse(result.ok ? 200 : 503, body));
  };
  return { live, ready };
}

const HEADERS = { 'content-type': 'application/json; charset=utf-8' };

const jsonResponse = (status: number, body: object) => ({ status, headers: HEADERS, body: JSON.stringify(body) });

/**
 * Sends a text that clients are built with, and another one for `?federation`, which a supergraph is composed of. Each is
 * printed for its first request, since few gateways get one and printing takes time.
 */
export function createTextHandler(mediaType: string, print: () => string, printForFederation = print): RouteHandler {
  const text = lazily(() => Buffer.from(print()));
  const federationText = lazily(() => Buffer.from(printForFederation()));
  const headers = { 'content-type': `${mediaType}; charset=utf-8` };
  return async ({ request: { url = '' }, outgoing }) => {
    const isForFederation = new URLSearchParams(url.split('?')[1]).has('federation');
    const body = isForFederation ? federationText() : text();
    return sendBody(outgoing, { status: 200, headers, body, isShared: true });
  };
}
