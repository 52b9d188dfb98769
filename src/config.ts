import { z } from 'zod';
import { type AuditConfig, auditConfig, auditSettings } from './config/audit.ts';
import { type ClientsConfig, clientSettings, clientsConfig, withClientRules } from './config/clients.ts';
import { databaseSettings, withTokenRule } from './config/database.ts';
import { explain } from './config/error-message.ts';
import { limitSettings, requestLimits } from './config/limits.ts';
import { oneOf, originList, token, tokenList, wholeNumber } from './config/setting-types.ts';
import { type Workers, withWorkerRule, workerSettings } from './config/workers.ts';
import type { RequestLimits } from './domain/limits.ts';
import type { LogLevel } from './domain/log.ts';
import { err, ok, type Result } from './domain/result.ts';

/** Settings of the embedded store. */
export interface LocalBackendConfig {
  readonly kind: 'local';
  /** `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. */
  readonly databaseUrl: string;
  /** Connections to PostgreSQL at most. */
  readonly databasePoolSize: number;
  /** Null where `API_TOKEN` is unset: a token is then generated, except with PostgreSQL. */
  readonly apiTokens: readonly string[] | null;
  readonly demoData: boolean;
}

/** Settings of the backend that forwards to the service. */
export interface RestBackendConfig {
  readonly kind: 'rest';
  /** The service's base URL, without a slash at its end. */
  readonly baseUrl: string;
  /** The service's token, lent to callers whom the gateway knows; null: each caller brings one. */
  readonly apiToken: string | null;
  /** What entitles a caller to be lent it (`API_TOKEN`). Null where that is unset, and where there is nothing to lend. */
  readonly apiTokens: readonly string[] | null;
  readonly timeoutMs: number;
  readonly bulkSize: number;
  /** Calls that one bulk update may take. */
  readonly maxBulkCalls: number;
  readonly maxReadCalls: number;
}

/** The settings of contract section 1, read once; only those of the backend in use are there. */
export interface Config {
  readonly backend: LocalBackendConfig | RestBackendConfig;
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxBulkItems: number;
  readonly limits: RequestLimits;
  /** Web origins whose pages may read answers. */
  readonly corsOrigins: readonly string[];
  /** Null where the API token alone decides who may do what. */
  readonly clients: ClientsConfig | null;
  /** Requests in a minute; 0: as many as they like. */
  readonly callerRateLimit: number;
  /** Null where writes are not recorded. */
  readonly audit: AuditConfig | null;
  readonly introspection: boolean;
  /** Whether small bulk updates of one token that meet are sent as one. */
  readonly coalesceWrites: boolean;
  readonly shutdownGraceMs: number;
  /** Processes that serve on the port. */
  readonly workers: Workers;
  readonly logLevel: LogLevel;
}

/** `import` writes to the embedded store, also where `serve` would forward to a service. */
export type LocalConfig = Config & { readonly backend: LocalBackendConfig };

type Environment = Readonly<Record<string, string | undefined>>;

const MINUTES = 60_000;

const commonSettings = z.object({
  ...limitSettings.shape,
  ...clientSettings.shape,
  ...auditSettings.shape,
  ...workerSettings.shape,
  HOST: z
    .string()
    .regex(/^[\w.:%-]+$/u, 'a host name or an IP address')
    .default('127.0.0.1'),
  PORT: wholeNumber(4000, 0, 65_535),
  REQUEST_TIMEOUT_MS: wholeNumber(30_000, 2_000, 60 * MINUTES),
  MAX_BODY_BYTES: wholeNumber(10 * 1024 ** 2, 1, 256 * 1024 ** 2),
  MAX_BULK_ITEMS: wholeNumber(10_000, 1, 1_000_000),
  CORS_ORIGINS: originList,
  INTROSPECTION: oneOf(['on', 'off'], 'on'),
  COALESCE_WRITES: oneOf(['on', 'off'], 'on'),
  SHUTDOWN_GRACE_MS: wholeNumber(10_000, 0, 60 * MINUTES),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error'], 'info'),
});

const localSettings = commonSettings.extend({
  ...databaseSettings.shape,
  API_TOKEN: tokenList,
  DEMO_DATA: oneOf(['true', 'false'], 'true'),
});

const restSettings = commonSettings.extend({
  UPSTREAM_URL: z
    .string()
    .refine(isBaseUrl, 'an http or https URL without user, password, query or fragment')
    .transform((url) => new URL(url).href.replace(/\/+$/u, '')),
  UPSTREAM_API_TOKEN: token,
  API_TOKEN: tokenList,
  UPSTREAM_TIMEOUT_MS: wholeNumber(10_000, 1, 60 * MINUTES),
  UPSTREAM_BULK_SIZE: wholeNumber(100, 1, 10_000),
  MAX_UPSTREAM_CALLS: wholeNumber(60, 1, 10_000),
});

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:\/\//iu.test(text) && !url.username && !url.password && !/[?#]/u.test(text);
}

/**
 * Reads every setting once. Where some are wrong, the error is one message that lists all of them. A setting that is
 * empty counts as unset; those of the backend not in use are not looked at.
 */
export function readConfig(environment: Environment = process.env): Result<Config, string> {
  return environment['UPSTREAM_URL']
    ? readRestConfig(environment)
    : readStoreConfig(withTokenRule(storeSettings), environment);
}

/** The settings of the embedded store for writing to it, whatever `UPSTREAM_URL` says: nobody calls, so no token is due. */
export const readLocalConfig = (environment: Environment = process.env): Result<LocalConfig, string> =>
  readStoreConfig(storeSettings, environment);

const storeSettings = withWorkerRule(withClientRules(localSettings));

function readStoreConfig(schema: typeof storeSettings, environment: Environment): Result<LocalConfig, string> {
  const settings = schema.safeParse(withoutEmpty(environment));
  if (!settings.success) return err(explain(settings.error, environment));
  const { DATABASE_URL, DATABASE_POOL_SIZE, API_TOKEN, DEMO_DATA } = settings.data;
  const backend = {
    kind: 'local',
    databaseUrl: DATABASE_URL,
    databasePoolSize: DATABASE_POOL_SIZE,
    apiTokens: API_TOKEN ? Object.freeze(API_TOKEN) : null,
    demoData: DEMO_DATA === 'true',
  } as const;
  return ok(Object.freeze({ ...commonConfig(settings.data), backend: Object.freeze(backend) }));
}

function readRestConfig(environment: Environment): Result<Config, string> {
  const { API_TOKEN: ignored, ...others } = environment;
  // Without a token to lend, nothing asks for the gateway's own.
  const settings = withClientRules(restSettings).safeParse(
    withoutEmpty(environment['UPSTREAM_API_TOKEN'] ? environment : others),
  );
  if (!settings.success) return err(explain(settings.error, environment));
  const { UPSTREAM_URL, UPSTREAM_API_TOKEN, API_TOKEN, UPSTREAM_TIMEOUT_MS, UPSTREAM_BULK_SIZE, MAX_UPSTREAM_CALLS } =
    settings.data;
  const backend = {
    kind: 'rest',
    baseUrl: UPSTREAM_URL,
    apiToken: UPSTREAM_API_TOKEN ?? null,
    apiTokens: API_TOKEN ? Object.freeze(API_TOKEN) : null,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
    bulkSize: UPSTREAM_BULK_SIZE,
    // Twice what the longest list takes of articles that stand in it once.
    maxBulkCalls: 2 * Math.ceil(settings.data.MAX_BULK_ITEMS / UPSTREAM_BULK_SIZE),
    maxReadCalls: MAX_UPSTREAM_CALLS,
  } as const;
  return ok(Object.freeze({ ...commonConfig(settings.data), backend: Object.freeze(backend) }));
}

const commonConfig = (settings: z.infer<typeof commonSettings>) => ({
  host: settings.HOST,
  port: settings.PORT,
  requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
  maxBodyBytes: settings.MAX_BODY_BYTES,
  maxBulkItems: settings.MAX_BULK_ITEMS,
  limits: requestLimits(settings),
  corsOrigins: Object.freeze(settings.CORS_ORIGINS),
  clients: clientsConfig(settings),
  callerRateLimit: settings.CALLER_RATE_LIMIT,
  audit: auditConfig(settings),
  introspection: settings.INTROSPECTION === 'on',
  coalesceWrites: settings.COALESCE_WRITES === 'on',
  shutdownGraceMs: settings.SHUTDOWN_GRACE_MS,
  workers: settings.WORKERS,
  logLevel: settings.LOG_LEVEL,
});

const withoutEmpty = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
