import { z } from 'zod';
import { serviceUrlOf } from '../base/service-url.ts';
import { proxyUrlFor } from './proxy.ts';
import { token, tokenList, wholeNumberSetting } from './setting-types.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Settings of the backend that forwards to the service. */
export interface RestBackendConfig {
  readonly kind: 'rest';
  /** The service's base URL, without a trailing slash. */
  readonly baseUrl: string;
  /** The service's token, which the gateway lends to trusted callers. Null when each caller sends its own. */
  readonly apiToken: string | null;
  /** The tokens that entitle a caller to it (`API_TOKEN`). Null when unset, and when `apiToken` is null. */
  readonly apiTokens: readonly string[] | null;
  /** The proxy in front of `baseUrl`; null when calls are sent directly. It may hold a password. */
  readonly proxyUrl: string | null;
  readonly timeoutMs: number;
  readonly bulkSize: number;
  /** Upstream calls of one bulk update. */
  readonly maxBulkCalls: number;
  /** Upstream reads of one query. */
  readonly maxReadCalls: number;
  /** How long a response to a read may be used again; 0 where it never is. */
  readonly readCacheMs: number;
  /** The bytes of the responses that are kept. */
  readonly readCacheBytes: number;
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:\/\//iu.test(text) && !url.username && !url.password && !/[?#]/u.test(text);
}

export const upstreamSettings = z.object({
  UPSTREAM_URL: z
    .string()
    .refine(isBaseUrl, 'an http or https URL without user, password, query or fragment')
    .transform(serviceUrlOf),
  UPSTREAM_API_TOKEN: token,
  API_TOKEN: tokenList,
  UPSTREAM_TIMEOUT_MS: wholeNumberSetting(10_000, 1, 60 * MINUTE_MS),
  UPSTREAM_BULK_SIZE: wholeNumberSetting(100, 1, 10_000),
  MAX_UPSTREAM_CALLS: wholeNumberSetting(60, 1, 10_000),
  READ_CACHE_SECONDS: wholeNumberSetting(30, 0, 3_600),
  READ_CACHE_BYTES: wholeNumberSetting(32 * 1024 ** 2, 1024, 1024 ** 4),
});

type UpstreamSettings = z.infer<typeof upstreamSettings> & { readonly MAX_BULK_ITEMS: number };

export const upstreamConfig = (
  settings: UpstreamSettings,
  environment: Readonly<Record<string, string | undefined>>,
): RestBackendConfig =>
  Object.freeze({
    kind: 'rest',
    baseUrl: settings.UPSTREAM_URL,
    apiToken: settings.UPSTREAM_API_TOKEN ?? null,
    apiTokens: settings.API_TOKEN ? Object.freeze(settings.API_TOKEN) : null,
    proxyUrl: proxyUrlFor(settings.UPSTREAM_URL, environment),
    timeoutMs: settings.UPSTREAM_TIMEOUT_MS,
    bulkSize: settings.UPSTREAM_BULK_SIZE,
    // Twice the calls of the longest list of different articles.
    maxBulkCalls: 2 * Math.ceil(settings.MAX_BULK_ITEMS / settings.UPSTREAM_BULK_SIZE),
    maxReadCalls: settings.MAX_UPSTREAM_CALLS,
    readCacheMs: settings.READ_CACHE_SECONDS * SECOND_MS,
    readCacheBytes: settings.READ_CACHE_BYTES,
  });
