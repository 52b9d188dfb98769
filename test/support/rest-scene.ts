import { onTestFinished } from 'vitest';
import type { Backend } from '../../src/core/backend.ts';
import { silentLog } from '../../src/core/base/log.ts';
import type { Caller } from '../../src/core/callers/caller.ts';
import { createRequestFacts } from '../../src/core/callers/request-facts.ts';
import { RequestSummary } from '../../src/core/callers/request-report.ts';
import { openRestBackend, type RestBackendOptions } from '../../src/service/rest-backend.ts';
import { type FaultyService, json, openFaultyService } from './faulty-service.ts';

export interface Scene {
  readonly service: FaultyService;
  readonly backend: Backend;
  readonly caller: Caller;
}

export const openBackendTo = ({ url }: FaultyService, options: Partial<RestBackendOptions> = {}): Backend =>
  openRestBackend({
    baseUrl: url,
    timeoutMs: 60_000,
    bulkSize: 100,
    maxReadCalls: 60,
    lookPausesMs: [],
    // Articles that these services create within the second of a start are found, as later ones are.
    startedAt: Number.NEGATIVE_INFINITY,
    // These services have no articles to read. `keep-hidden.test.ts` tests what a gateway reads by default.
    keepsHidden: false,
    log: silentLog,
    ...options,
  });

/** A REST backend in front of a service that the test makes misbehave. Both are closed after the test. */
export async function openScene(options: Partial<RestBackendOptions> = {}): Promise<Scene> {
  const service = await openFaultyService();
  const backend = openBackendTo(service, options);
  onTestFinished(async () => {
    await backend.close();
    await service.close();
  });
  return { service, backend, caller: callerWith() };
}

const VERSIONS = 'GET /v2/ProjectVersions';

/** The same, after the service has accepted the token of `callerWith()`. */
export async function openAcceptedScene(options: Partial<RestBackendOptions> = {}): Promise<Scene> {
  const scene = await openScene(options);
  await accept(scene);
  return scene;
}

/** Lets the service accept a token, and removes all other traces of that call. */
export async function accept({ service, backend }: Pick<Scene, 'service' | 'backend'>, apiToken = 'token-1') {
  service.on(VERSIONS, json(200, { data: [], success: true }));
  const verified = await backend.requireKnown(callerWith(apiToken));
  if (!verified.ok) throw new Error(`The token was not accepted: ${verified.error.message}`);
  service.forget(VERSIONS);
  await service.closeConnections();
}

/** A caller, and what is reported of its request. */
export interface SummedCaller extends Caller {
  readonly summary: RequestSummary;
}

export function callerWith(apiToken: string | null = 'token-1', waitMs = 20_000): SummedCaller {
  const summary = new RequestSummary();
  const request = createRequestFacts({ id: 'request-1', report: summary });
  return { apiToken, address: '', request, deadline: performance.now() + waitMs, requestTimeoutMs: waitMs, summary };
}
