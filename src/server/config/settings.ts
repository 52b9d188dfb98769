import {
  anyText,
  baseUrl,
  databaseUrl,
  endpointUrl,
  filePath,
  hostList,
  hostName,
  issuerUrl,
  keySetUrl,
  OWN_STORE,
  oneOf,
  originList,
  type SettingType,
  shortText,
  token,
  tokenList,
  trueOrFalse,
  trueOrFalseText,
  wholeNumber,
  wordsOrNone,
} from './setting-types.ts';

/** A setting of the environment, with the option of `createGateway` of the same meaning. */
export interface Setting<Value> {
  readonly type: SettingType<Value>;
  /** The value where the setting is unset. */
  readonly fallback: Value;
  /** The path of the option; null where a gateway in another server has none. */
  readonly option: string | null;
  /** A secret may also come from a file, which `NAME_FILE` names. Hidden ones are not shown, and URLs without their users. */
  readonly secret?: 'hidden' | 'url';
}

type Settings = Readonly<Record<string, Setting<unknown>>>;

const MIB = 1024 ** 2;
const TIB = 1024 ** 4;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_SECONDS = 7 * 24 * 60 * 60;

const COMMON = {
  HOST: { type: hostName, fallback: '127.0.0.1', option: null },
  PORT: { type: wholeNumber(0, 65_535), fallback: 4000, option: null },
  KEEP_ALIVE_SECONDS: { type: wholeNumber(1, 7_200), fallback: 75, option: null },
  MAX_HEADER_BYTES: { type: wholeNumber(1_024, MIB), fallback: 16_384, option: null },
  REQUEST_TIMEOUT_MS: { type: wholeNumber(2_000, HOUR_MS), fallback: 30_000, option: 'limits.requestTimeoutMs' },
  MAX_BODY_BYTES: { type: wholeNumber(1, 256 * MIB), fallback: 10 * MIB, option: 'limits.maxBodyBytes' },
  MAX_BULK_ITEMS: { type: wholeNumber(1, 1_000_000), fallback: 10_000, option: 'limits.maxBulkItems' },
  MAX_QUERY_DEPTH: { type: wholeNumber(1, 100), fallback: 16, option: 'limits.maxQueryDepth' },
  CORS_ORIGINS: { type: originList, fallback: [], option: 'corsOrigins' },
  API_TOKEN: { type: tokenList, fallback: undefined, option: 'backend.apiTokens', secret: 'hidden' },
  CLIENT_JWKS_URL: { type: keySetUrl, fallback: undefined, option: 'clients.jwksUrl' },
  CLIENT_PUBLIC_KEY: { type: shortText, fallback: undefined, option: 'clients.publicKey', secret: 'hidden' },
  CLIENT_JWT_ISSUER: { type: shortText, fallback: undefined, option: 'clients.issuer' },
  CLIENT_JWT_AUDIENCE: { type: shortText, fallback: undefined, option: 'clients.audience' },
  CLIENT_JWT_SCOPE_CLAIM: { type: shortText, fallback: undefined, option: 'clients.scopeClaim' },
  CALLER_REQUESTS_PER_MINUTE: {
    type: wholeNumber(0, 1_000_000),
    fallback: 0,
    option: 'limits.callerRequestsPerMinute',
  },
  AUDIT_LOG: { type: filePath, fallback: undefined, option: 'audit.path' },
  AUDIT_FAILURE: { type: oneOf('closed', 'open'), fallback: 'closed', option: 'audit.onFailure' },
  PERSISTED_DOCUMENTS: { type: filePath, fallback: undefined, option: 'trustedDocuments.path' },
  PERSISTED_DOCUMENTS_MODE: { type: oneOf('also', 'only'), fallback: 'also', option: 'trustedDocuments.mode' },
  INTROSPECTION: { type: trueOrFalse, fallback: true, option: 'introspection' },
  CONSOLE: { type: trueOrFalse, fallback: undefined, option: 'console' },
  CONSOLE_OIDC_ISSUER: { type: issuerUrl, fallback: undefined, option: 'consoleSignIn.issuer' },
  CONSOLE_OIDC_CLIENT_ID: { type: shortText, fallback: undefined, option: 'consoleSignIn.clientId' },
  MCP_HTTP: { type: trueOrFalse, fallback: true, option: 'mcp.http' },
  MCP_WRITES: { type: oneOf('off', 'preview', 'on'), fallback: 'off', option: 'mcp.writes' },
  COALESCE_WRITES: { type: trueOrFalse, fallback: true, option: 'coalesceWrites' },
  STATE_URL: { type: databaseUrl, fallback: undefined, option: 'state.url', secret: 'url' },
  STATE_FAILURE: { type: oneOf('closed', 'open'), fallback: 'closed', option: 'state.onFailure' },
  MAX_JOB_ITEMS: { type: wholeNumber(1, 10_000_000), fallback: 1_000_000, option: 'state.maxJobItems' },
  MAX_STATE_BYTES: { type: wholeNumber(MIB, TIB), fallback: 1024 * MIB, option: 'state.maxBytes' },
  JOB_OPEN_SECONDS: { type: wholeNumber(1, WEEK_SECONDS), fallback: 3_600, option: 'state.jobOpenSeconds' },
  JOB_KEEP_DAYS: { type: wholeNumber(1, 3_650), fallback: 30, option: 'state.jobKeepDays' },
  SHUTDOWN_GRACE_MS: { type: wholeNumber(0, HOUR_MS), fallback: 10_000, option: 'shutdownGraceMs' },
  METRICS_PORT: { type: wholeNumber(0, 65_535), fallback: undefined, option: 'metrics.port' },
  METRICS_HOST: { type: hostName, fallback: '127.0.0.1', option: 'metrics.host' },
  LOG_LEVEL: { type: oneOf('debug', 'info', 'warn', 'error'), fallback: 'info', option: 'log.level' },
  LOG_FORMAT: { type: oneOf('json', 'pretty'), fallback: undefined, option: 'log.format' },
} as const satisfies Settings;

const STORE = {
  DATABASE_URL: { type: databaseUrl, fallback: `sqlite:${OWN_STORE}`, option: 'backend.databaseUrl', secret: 'url' },
  DATABASE_POOL_SIZE: { type: wholeNumber(1, 1_000), fallback: 10, option: 'backend.databasePoolSize' },
  DEMO_DATA: { type: trueOrFalse, fallback: true, option: 'backend.demoData' },
} as const satisfies Settings;

const SERVICE = {
  UPSTREAM_URL: { type: baseUrl, fallback: undefined, option: 'backend.url' },
  UPSTREAM_API_TOKEN: { type: token, fallback: undefined, option: 'backend.apiToken', secret: 'hidden' },
  UPSTREAM_TIMEOUT_MS: { type: wholeNumber(1, HOUR_MS), fallback: 10_000, option: 'backend.timeoutMs' },
  UPSTREAM_BULK_SIZE: { type: wholeNumber(1, 10_000), fallback: 100, option: 'backend.bulkSize' },
  MAX_UPSTREAM_CALLS: { type: wholeNumber(1, 10_000), fallback: 60, option: 'limits.maxUpstreamCalls' },
  KEEP_HIDDEN: { type: trueOrFalse, fallback: true, option: 'backend.keepHidden' },
  READ_CACHE_SECONDS: { type: wholeNumber(0, 3_600), fallback: 30, option: 'backend.readCacheSeconds' },
  READ_CACHE_BYTES: { type: wholeNumber(1024, TIB), fallback: 32 * MIB, option: 'backend.readCacheBytes' },
} as const satisfies Settings;

/** Many programs have these variables, also in lower case. They are checked only where they are used. */
const PROXIES = {
  HTTPS_PROXY: { type: anyText, fallback: undefined, option: 'proxy.https' },
  HTTP_PROXY: { type: anyText, fallback: undefined, option: 'proxy.http' },
  NO_PROXY: { type: hostList, fallback: [], option: 'proxy.except' },
} as const satisfies Settings;

const protocol = oneOf('grpc', 'http/protobuf', 'http/json');

/** The standard variables of OpenTelemetry that the gateway itself reads. The SDK reads the others. */
const TELEMETRY = {
  OTEL_SDK_DISABLED: { type: trueOrFalseText, fallback: 'false', option: null },
  OTEL_TRACES_EXPORTER: { type: wordsOrNone(['otlp', 'zipkin', 'console']), fallback: undefined, option: null },
  OTEL_METRICS_EXPORTER: {
    type: wordsOrNone(['otlp', 'console'], '; METRICS_PORT serves metrics for Prometheus'),
    fallback: undefined,
    option: null,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: { type: endpointUrl, fallback: undefined, option: null },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { type: endpointUrl, fallback: undefined, option: null },
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: { type: endpointUrl, fallback: undefined, option: null },
  OTEL_EXPORTER_OTLP_PROTOCOL: { type: protocol, fallback: 'http/protobuf', option: null },
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: { type: protocol, fallback: undefined, option: null },
  OTEL_METRIC_EXPORT_INTERVAL: { type: wholeNumber(1, DAY_MS), fallback: 60_000, option: null },
  OTEL_METRIC_EXPORT_TIMEOUT: { type: wholeNumber(1, DAY_MS), fallback: 30_000, option: null },
} as const satisfies Settings;

/** The settings that apply to both backends, those of one backend, and those that other programs have as well. */
export const SETTING_GROUPS = { COMMON, STORE, SERVICE, PROXIES, TELEMETRY };

const TABLE = { ...COMMON, ...STORE, ...SERVICE, ...PROXIES, ...TELEMETRY };

export type SettingName = keyof typeof TABLE;

type ValueOf<S> = S extends { type: SettingType<infer Value>; fallback: infer Fallback }
  ? Fallback extends undefined
    ? Value | undefined
    : Value
  : never;

/** The type of each setting when it is read: undefined where it is unset and has no fallback. */
export type SettingValues = { readonly [Name in SettingName]: ValueOf<(typeof TABLE)[Name]> };

/** The options that correspond to settings, by their paths, with their types. */
export type SettingOptions = {
  readonly [Name in SettingName as NonNullable<(typeof TABLE)[Name]['option']>]: NonNullable<SettingValues[Name]>;
};

/** All settings, by their names in the environment. */
export const SETTINGS: { readonly [Name in SettingName]: Setting<SettingValues[Name]> } = TABLE;

const MOST_USED: readonly SettingName[] = [
  'UPSTREAM_URL',
  'UPSTREAM_API_TOKEN',
  'DATABASE_URL',
  'API_TOKEN',
  'HOST',
  'PORT',
  'CORS_ORIGINS',
  'CLIENT_JWKS_URL',
  'CLIENT_PUBLIC_KEY',
  'CLIENT_JWT_ISSUER',
  'CLIENT_JWT_AUDIENCE',
  'STATE_URL',
  'AUDIT_LOG',
  'METRICS_PORT',
  'LOG_LEVEL',
];

/** The names of all settings, the most used ones first, then in the order of the table. */
export const SETTING_NAMES: readonly SettingName[] = [
  ...new Set([...MOST_USED, ...Object.keys(TABLE).filter((name): name is SettingName => name in TABLE)]),
];
