import { onTestFinished } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { openRestBackend, type RestBackendOptions } from '../../src/backend/rest/rest-backend.ts';
import type { Caller } from '../../src/domain/caller.ts';
import { silent } from '../../src/domain/log.ts';
import { type FaultyService, openFaultyService } from './faulty-service.ts';

export interface Scene {
  readonly service: FaultyService;
  readonly backend: Backend;
  readonly caller: Caller;
}

export const openBackendTo = ({ url }: FaultyService, options: Partial<RestBackendOptions> = {}): Backend =>
  openRestBackend({
    baseUrl: url,
    timeoutMs: 5_000,
    bulkSize: 100,
    maxReadCalls: 60,
    log: silent,
    ...options,
  });

/** A REST backend in front of a service that misbehaves as the test says; both are gone when the test is over. */
export async function openScene(options: Partial<RestBackendOptions> = {}): Promise<Scene> {
  const service = await openFaultyService();
  const backend = openBackendTo(service, options);
  onTestFinished(async () => {
    await backend.close();
    await service.close();
  });
  return { service, backend, caller: callerWith() };
}

export const callerWith = (apiToken: string | null = 'token-1', waitMs = 20_000): Caller => ({
  apiToken,
  requestId: 'request-1',
  deadline: performance.now() + waitMs,
});
