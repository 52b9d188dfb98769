import { onTestFinished, vi } from 'vitest';
import type { Backend } from '../../src/core/backend.ts';
import { ANY_FRESHNESS, type RequestFreshness } from '../../src/core/callers/request-facts.ts';
import type { RestBackendOptions } from '../../src/service/rest-backend.ts';
import { type FaultyService, openFaultyService } from './faulty-service.ts';
import { accept, callerWith, openBackendTo, type SummedCaller } from './rest-scene.ts';
import { serveWritable, type WritableService } from './writable-service.ts';

export const CACHE_MS = 30_000;

interface QueryOptions extends Partial<RequestFreshness> {
  readonly apiToken?: string;
  readonly waitMs?: number;
}

/** The caller of a query of its own. */
export function queryCaller({ apiToken = 'token-1', waitMs, ...freshness }: QueryOptions = {}): SummedCaller {
  const caller = callerWith(apiToken, waitMs);
  const request = { ...caller.request, freshness: { ...ANY_FRESHNESS, ...freshness } };
  return { ...caller, request, operationType: 'query' };
}

interface CacheScene {
  readonly service: FaultyService;
  readonly knowledgeBase: WritableService;
  /** Gateways in front of the service, each with the options at its place, whose token the service has accepted. */
  readonly backends: readonly Backend[];
}

export async function openCacheScene(...gateways: readonly Partial<RestBackendOptions>[]): Promise<CacheScene> {
  const service = await openFaultyService();
  const knowledgeBase = serveWritable(service, ['a1', 'a2', 'a3']);
  const cache = { readCacheMs: CACHE_MS, readCacheBytes: 1024 ** 2, timeoutMs: 10_000 };
  const backends = gateways.map((options) => openBackendTo(service, { ...cache, ...options }));
  for (const backend of backends) await accept({ service, backend });
  onTestFinished(async () => {
    for (const backend of backends) await backend.close();
    await service.close();
  });
  return { service, knowledgeBase, backends };
}

/** Lets the test move the time of the gateways on. Called before they are opened. */
export function controlTime(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['performance'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}

/** The title of an article as a query of its own reads it. */
export async function titleOf(backend: Backend, articleId: string, caller = queryCaller()): Promise<string | null> {
  const [result] = await backend.articles(caller, [{ articleId, languageCode: 'en' }]);
  if (!result?.ok) throw new Error(`The article was not read: ${result?.error.message}`);
  return result.value?.title ?? null;
}
