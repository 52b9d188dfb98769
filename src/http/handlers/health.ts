import { err, type Result } from '../../base/result.ts';
import { sendBody } from '../responses/send-response.ts';
import type { RouteHandler } from './route-handler.ts';

/** Requests within this time share one check of the backend. */
const READINESS_TTL_MS = 5_000;

interface HealthOptions {
  readonly checkReady: () => Promise<Result<void, string>>;
  readonly isStopping: () => boolean;
}

/** `live` answers while the process does; `ready` gives 503 with the reason while calls cannot be answered. */
export function createHealthHandlers(options: HealthOptions): { live: RouteHandler; ready: RouteHandler } {
  const checkReadiness = createReadinessCheck(options);
  return {
    live: ({ outgoing }) => sendBody(outgoing, jsonResponse(200, { status: 'live' })),
    ready: async ({ outgoing }) => {
      const ready = await checkReadiness();
      const body = ready.ok ? { status: 'ready' } : { status: 'not ready', reason: ready.error };
      return sendBody(outgoing, jsonResponse(ready.ok ? 200 : 503, body));
    },
  };
}

const HEADERS = { 'content-type': 'application/json; charset=utf-8' };

const jsonResponse = (status: number, body: object) => ({ status, headers: HEADERS, body: JSON.stringify(body) });

function createReadinessCheck({ checkReady, isStopping }: HealthOptions): HealthOptions['checkReady'] {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checked: Promise<Result<void, string>> | null = null;
  return async () => {
    if (isStopping()) return err('The gateway is stopping.');
    if (checked === null || performance.now() - checkedAt >= READINESS_TTL_MS) {
      checkedAt = performance.now();
      checked = checkReady();
    }
    return checked;
  };
}
