import type { GatewayOptions, ServiceOptions, StoreOptions } from './gateway-options.ts';

/** The types of options: a list is an array of texts. */
export type OptionType = 'text' | 'number' | 'boolean' | 'list';

/** The setting that an option stands for. */
export interface OptionSetting<T extends OptionType = OptionType> {
  readonly setting: string;
  readonly type: T;
  readonly isRequired: boolean;
}

/** The settings of a group of options. */
export interface OptionGroup {
  readonly [option: string]: OptionSetting | OptionGroup;
}

export const isSetting = (entry: OptionSetting | OptionGroup): entry is OptionSetting =>
  typeof entry['setting'] === 'string';

type OptionTypeOf<V> = [V] extends [number]
  ? 'number'
  : [V] extends [boolean]
    ? 'boolean'
    : [V] extends [string]
      ? 'text'
      : 'list';

type Scalar = string | number | boolean | readonly string[];

/** Each option has a setting of its type: a missing one is an error of the compiler. */
type SettingsOf<T> = {
  readonly [K in keyof T]-?: NonNullable<T[K]> extends Scalar
    ? OptionSetting<OptionTypeOf<NonNullable<T[K]>>>
    : SettingsOf<NonNullable<T[K]>>;
};

const option =
  <T extends OptionType>(type: T) =>
  (setting: string, { isRequired = false } = {}): OptionSetting<T> => ({ setting, type, isRequired });

const text = option('text');
const number = option('number');
const boolean = option('boolean');
const list = option('list');

const REQUIRED = { isRequired: true };

export const STORE_SETTINGS = {
  databaseUrl: text('DATABASE_URL', REQUIRED),
  apiTokens: list('API_TOKEN', REQUIRED),
  databasePoolSize: number('DATABASE_POOL_SIZE'),
  demoData: boolean('DEMO_DATA'),
} satisfies SettingsOf<Omit<StoreOptions, 'kind'>>;

export const SERVICE_SETTINGS = {
  url: text('UPSTREAM_URL', REQUIRED),
  apiToken: text('UPSTREAM_API_TOKEN'),
  apiTokens: list('API_TOKEN'),
  timeoutMs: number('UPSTREAM_TIMEOUT_MS'),
  bulkSize: number('UPSTREAM_BULK_SIZE'),
  readCacheSeconds: number('READ_CACHE_SECONDS'),
  readCacheBytes: number('READ_CACHE_BYTES'),
} satisfies SettingsOf<Omit<ServiceOptions, 'kind'>>;

/** The options that are settings with either backend. */
type CommonOptions = Omit<GatewayOptions, 'backend' | 'basePath' | 'log'> & {
  readonly log?: Omit<NonNullable<GatewayOptions['log']>, 'write'> | undefined;
};

export const COMMON_SETTINGS = {
  clients: {
    jwksUrl: text('CLIENT_JWKS_URL'),
    publicKey: text('CLIENT_PUBLIC_KEY'),
    issuer: text('CLIENT_JWT_ISSUER', REQUIRED),
    audience: text('CLIENT_JWT_AUDIENCE', REQUIRED),
    scopeClaim: text('CLIENT_JWT_SCOPE_CLAIM'),
  },
  limits: {
    requestTimeoutMs: number('REQUEST_TIMEOUT_MS'),
    maxBodyBytes: number('MAX_BODY_BYTES'),
    maxBulkItems: number('MAX_BULK_ITEMS'),
    callerRequestsPerMinute: number('CALLER_REQUESTS_PER_MINUTE'),
    maxUpstreamCalls: number('MAX_UPSTREAM_CALLS'),
    maxQueryBytes: number('MAX_QUERY_BYTES'),
    maxQueryTokens: number('MAX_QUERY_TOKENS'),
    maxQueryDepth: number('MAX_QUERY_DEPTH'),
    maxQueryFields: number('MAX_QUERY_FIELDS'),
    maxQueryAliases: number('MAX_QUERY_ALIASES'),
    maxRootFields: number('MAX_ROOT_FIELDS'),
    maxQueryDirectives: number('MAX_QUERY_DIRECTIVES'),
    maxInputValues: number('MAX_INPUT_VALUES'),
    maxListItems: number('MAX_LIST_ITEMS'),
    maxAnswerFields: number('MAX_ANSWER_FIELDS'),
    maxAnswerChars: number('MAX_ANSWER_CHARS'),
    queryCacheBytes: number('QUERY_CACHE_BYTES'),
  },
  corsOrigins: list('CORS_ORIGINS'),
  introspection: boolean('INTROSPECTION'),
  coalesceWrites: boolean('COALESCE_WRITES'),
  trustedDocuments: { path: text('PERSISTED_DOCUMENTS', REQUIRED), mode: text('PERSISTED_DOCUMENTS_MODE') },
  mcp: { http: boolean('MCP_HTTP'), writes: text('MCP_WRITES') },
  audit: { path: text('AUDIT_LOG', REQUIRED), onFailure: text('AUDIT_FAILURE') },
  state: {
    url: text('STATE_URL'),
    onFailure: text('STATE_FAILURE'),
    maxJobItems: number('MAX_JOB_ITEMS'),
    maxBytes: number('MAX_STATE_BYTES'),
    jobOpenSeconds: number('JOB_OPEN_SECONDS'),
    jobKeepDays: number('JOB_KEEP_DAYS'),
  },
  proxy: { https: text('HTTPS_PROXY'), http: text('HTTP_PROXY'), except: list('NO_PROXY') },
  metrics: { port: number('METRICS_PORT', REQUIRED), host: text('METRICS_HOST') },
  log: { level: text('LOG_LEVEL'), format: text('LOG_FORMAT') },
  shutdownGraceMs: number('SHUTDOWN_GRACE_MS'),
} satisfies SettingsOf<CommonOptions>;
