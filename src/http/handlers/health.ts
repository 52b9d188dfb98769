import type { Plugin } from 'graphql-yoga';
import type { Backend } from '../../backend/backend.ts';
import { err, type Result } from '../../domain/result.ts';
import type { ServerContext } from '../graphql/fast-path.ts';

/** How long one look at the backend answers for all who ask. */
const FRESH_FOR_MS = 5_000;

export interface HealthOptions {
  readonly backend: Pick<Backend, 'checkReady'>;
  readonly isStopping: () => boolean;
}

/** `/health/live`: the process answers. `/health/ready`: calls can be answered too, else 503 and why. */
export function useHealth(options: HealthOptions): Plugin<object, ServerContext> {
  const isReady = createReadiness(options);
  return {
    onRequest: async ({ request, serverContext: { route }, fetchAPI, endResponse }) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return;
      if (route === 'live') endResponse(fetchAPI.Response.json({ status: 'live' }));
      if (route !== 'ready') return;
      const ready = await isReady();
      const body = ready.ok ? { status: 'ready' } : { status: 'not ready', reason: ready.error };
      const headers = { 'cache-control': 'no-store' };
      endResponse(fetchAPI.Response.json(body, { status: ready.ok ? 200 : 503, headers }));
    },
  };
}

function createReadiness({ backend, isStopping }: HealthOptions): () => Promise<Result<void, string>> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let checked: Promise<Result<void, string>> | null = null;
  return async () => {
    if (isStopping()) return err('The gateway is stopping.');
    if (checked === null || performance.now() - checkedAt >= FRESH_FOR_MS) {
      checkedAt = performance.now();
      checked = backend.checkReady();
    }
    return checked;
  };
}
