import { resolve } from 'node:path';
import { err, ok, type Result } from '../core/base/result.ts';
import { readClients } from './config/clients.ts';
import { type ConsoleSignInConfig, readConsoleSignIn } from './config/console-sign-in.ts';
import { findMisspeltSettings, misspeltMessage } from './config/misspelt-settings.ts';
import { checkProxies, type Proxies, proxyUrlFor, readProxies } from './config/proxy.ts';
import {
  type Environment,
  environmentSource,
  type ReadSecretFile,
  SettingReader,
  type SettingSource,
  type SettingWarning,
} from './config/setting-reader.ts';
import { isLoopbackUrl, isPostgres, sqlitePathOf } from './config/setting-types.ts';
import { readTelemetry } from './config/telemetry.ts';

/** The settings, with those of the backend in use only: see docs/contract.md, "Start". */
export interface Config extends Readonly<ReturnType<typeof readCommon>> {
  readonly backend: LocalBackendConfig | RestBackendConfig;
  readonly state: StateConfig;
  /** Null where the console asks for a token. */
  readonly consoleSignIn: ConsoleSignInConfig | null;
  readonly warnings: readonly SettingWarning[];
}

/** Settings of the embedded store. */
export type LocalBackendConfig = ReturnType<typeof readStore>;

/** Settings of the backend that forwards to the service. */
export type RestBackendConfig = ReturnType<typeof readService>;

/** The database and the bounds of the state, which has jobs and idempotency keys. */
export type StateConfig = ReturnType<typeof readState>;

/**
 * The longest time until a response begins: a write to the service that begins just before the deadline of its request
 * may still take its whole timeout.
 */
export const maxResponseMsOf = ({ requestTimeoutMs, backend }: Config): number =>
  requestTimeoutMs + (backend.kind === 'rest' ? backend.timeoutMs : 0);

/** Queries over the embedded store make no upstream calls. */
export const maxUpstreamCallsOf = ({ backend }: Config): number =>
  backend.kind === 'rest' ? backend.maxReadCalls : Number.POSITIVE_INFINITY;

/** The settings of commands on the embedded store. */
export type LocalConfig = Config & { readonly backend: LocalBackendConfig };

/** The sources of settings besides the environment. */
export interface SettingSources {
  /** Options of the command line, by the names of their settings. They take precedence over the environment. */
  readonly commandLine?: Environment;
  readonly readFile?: ReadSecretFile;
}

/**
 * Reads all settings. The error is one message that lists every wrong setting. An empty setting counts as unset, and
 * the settings of the other backend are ignored.
 */
export const readConfig = (environment?: Environment, sources?: SettingSources): Result<Config, string> =>
  readWith(configOf, environment, sources);

/** Reads all settings, and describes them in lines for people without secrets. */
export const describeSettings = (environment?: Environment, sources?: SettingSources) =>
  readWith((settings) => ({ config: configOf(settings), ...settings.lines() }), environment, sources);

/** Reads the settings of `import`, which needs no token since nothing is served. Null where `UPSTREAM_URL` is set. */
export const readLocalConfig = (
  environment?: Environment,
  sources?: SettingSources,
): Result<LocalConfig | null, string> =>
  readWith((settings) => (settings.isSet('UPSTREAM_URL') ? null : localConfigOf(settings)), environment, sources);

function readWith<T>(
  read: (settings: SettingReader) => T,
  environment: Environment = process.env,
  { commandLine = {}, readFile = () => err('no files are read here') }: SettingSources = {},
): Result<T, string> {
  const settings = new SettingReader(environmentSource({ ...environment, ...commandLine }, readFile));
  const value = read(settings);
  const problems = settings.problems();
  if (problems.length === 0) return ok(value);
  const hints = misspeltSettings(environment).map(misspeltMessage);
  return err(['These settings are wrong:', ...problems, ...hints].join('\n  '));
}

/** Reads the settings given as options, which name their backend. All problems are returned. */
export function readConfigOf(
  source: SettingSource,
  backend: Config['backend']['kind'],
): Result<Config, readonly string[]> {
  const settings = new SettingReader(source);
  const config = backend === 'rest' ? restConfigOf(settings) : servedLocalConfigOf(settings);
  const problems = settings.problems();
  return problems.length === 0 ? ok(config) : err(problems);
}

/** The variables of this process that look like settings but are none. */
export const misspeltSettings = (environment: Environment = process.env) => findMisspeltSettings(environment);

const configOf = (settings: SettingReader): Config =>
  settings.isSet('UPSTREAM_URL') ? restConfigOf(settings) : servedLocalConfigOf(settings);

/**
 * Reads the settings of the store. PostgreSQL requires `API_TOKEN`: other gateways on the same database would refuse a
 * token that one of them has generated.
 */
function servedLocalConfigOf(settings: SettingReader): LocalConfig {
  const config = localConfigOf(settings);
  if (isPostgres(config.backend.databaseUrl) && !settings.isSet('API_TOKEN'))
    settings.reject('API_TOKEN', 'one or more tokens, which PostgreSQL cannot do without');
  return config;
}

const localConfigOf = (settings: SettingReader): LocalConfig => configWith(settings, readStore);

const restConfigOf = (settings: SettingReader): Config => configWith(settings, readService);

function configWith<Backend extends Config['backend']>(
  settings: SettingReader,
  readBackend: (settings: SettingReader, proxies: Proxies) => Backend,
) {
  const proxies = readProxies(settings);
  const backend = readBackend(settings, proxies);
  const common = readCommon(settings, proxies);
  const consoleSignIn = readConsoleSignIn(settings, common.clients, proxies);
  if (consoleSignIn && !common.console)
    settings.warn('CONSOLE_OIDC_ISSUER', 'has no effect: the console is not served');
  const config = { ...common, consoleSignIn, backend, state: readState(settings, backend) };
  checkProxies(settings, proxies, targetsOf(config));
  checkSettings(settings, config);
  return Object.freeze({ ...config, warnings: settings.warnings() });
}

/**
 * Checks combinations of settings. What can't work is rejected. What works but is rarely meant causes a warning, since
 * only the operator knows: a network may be trusted, and settings of the other backend are ignored.
 */
function checkSettings(
  settings: SettingReader,
  { backend, audit, state, requestTimeoutMs }: Pick<Config, 'backend' | 'audit' | 'state' | 'requestTimeoutMs'>,
): void {
  const databases = [state.url, backend.kind === 'local' ? backend.databaseUrl : ''].map(sqlitePathOf);
  // SQLite would overwrite the lines.
  if (audit !== null && databases.some((path) => path !== null && resolve(path) === resolve(audit.path)))
    settings.reject('AUDIT_LOG', 'another file than that of a database');
  if (backend.kind === 'local') {
    if (settings.isSet('UPSTREAM_API_TOKEN'))
      settings.warn('UPSTREAM_API_TOKEN', 'has no effect without UPSTREAM_URL: the embedded store answers');
    return;
  }
  if (/\/v2$/iu.test(backend.baseUrl))
    settings.reject('UPSTREAM_URL', 'the URL without its /v2 at the end, which the gateway adds');
  if (/^http:/iu.test(backend.baseUrl) && !isLoopbackUrl(backend.baseUrl))
    settings.warn('UPSTREAM_URL', 'is http to another machine: tokens and texts go there unencrypted');
  if (backend.timeoutMs > requestTimeoutMs)
    settings.warn(
      'UPSTREAM_TIMEOUT_MS',
      `is longer than ${settings.nameOf('REQUEST_TIMEOUT_MS')}, ${requestTimeoutMs}, at which reads end: only a write that has begun may take it whole`,
    );
}

/** The URLs that the gateway sends requests to. */
const targetsOf = ({
  backend,
  clients,
  consoleSignIn,
}: Pick<Config, 'backend' | 'clients' | 'consoleSignIn'>): readonly string[] => [
  ...(backend.kind === 'rest' ? [backend.baseUrl] : []),
  ...(clients !== null && 'jwksUrl' in clients.keys ? [clients.keys.jwksUrl] : []),
  ...(consoleSignIn === null ? [] : [consoleSignIn.issuer]),
];

// A value that may turn out to be unusable at the start has the name of its setting with it (`setting`), for messages.

/** The settings that apply to both backends. */
const readCommon = (settings: SettingReader, proxies: Proxies) => ({
  host: settings.get('HOST'),
  /** 0 takes any free port. */
  port: settings.get('PORT'),
  /** How long a connection without a request stays open. */
  keepAliveMs: settings.get('KEEP_ALIVE_SECONDS') * SECOND_MS,
  maxHeaderBytes: settings.get('MAX_HEADER_BYTES'),
  requestTimeoutMs: settings.get('REQUEST_TIMEOUT_MS'),
  maxBodyBytes: settings.get('MAX_BODY_BYTES'),
  maxBulkItems: settings.get('MAX_BULK_ITEMS'),
  /** The nesting of fields in a document. The introspection query of common tools has 15 levels. */
  maxQueryDepth: settings.get('MAX_QUERY_DEPTH'),
  /** Web origins whose pages may read responses. */
  corsOrigins: Object.freeze(settings.get('CORS_ORIGINS')),
  /** Null when clients are not identified by JWTs. */
  clients: readClients(settings, proxies),
  callerRequestsPerMinute: settings.get('CALLER_REQUESTS_PER_MINUTE'),
  /** Null when writes are not recorded. */
  audit: readAudit(settings),
  persistedDocuments: readPersistedDocuments(settings),
  introspection: settings.get('INTROSPECTION'),
  console:
    settings.get('CONSOLE') ?? (settings.get('INTROSPECTION') && settings.get('PERSISTED_DOCUMENTS_MODE') !== 'only'),
  /** True where small concurrent bulk updates of one token are merged. */
  coalesceWrites: settings.get('COALESCE_WRITES'),
  shutdownGraceMs: settings.get('SHUTDOWN_GRACE_MS'),
  /** By default, lines are for people on a terminal, and JSON otherwise. */
  log: Object.freeze({ level: settings.get('LOG_LEVEL'), format: settings.get('LOG_FORMAT') ?? null }),
  telemetry: readTelemetry(settings),
  mcp: Object.freeze({ http: settings.get('MCP_HTTP'), writes: settings.get('MCP_WRITES') }),
});

const readStore = (settings: SettingReader) =>
  Object.freeze({
    kind: 'local',
    /** `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. */
    databaseUrl: settings.get('DATABASE_URL'),
    /** False where the default is used. */
    isNamed: settings.isSet('DATABASE_URL'),
    setting: settings.nameOf('DATABASE_URL'),
    databasePoolSize: settings.get('DATABASE_POOL_SIZE'),
    /** Null when `API_TOKEN` is unset: a token is then generated, except with PostgreSQL. */
    apiTokens: frozenOrNull(settings.get('API_TOKEN')),
    demoData: settings.get('DEMO_DATA'),
  });

function readService(settings: SettingReader, proxies: Proxies) {
  // A wrong URL is reported, and this configuration is never used.
  const baseUrl = settings.get('UPSTREAM_URL') ?? '';
  // Without a service credential, the gateway's own tokens are not used.
  const hasServiceCredential = settings.isSet('UPSTREAM_API_TOKEN');
  const bulkSize = settings.get('UPSTREAM_BULK_SIZE');
  return Object.freeze({
    kind: 'rest',
    /** The URL without a trailing slash. */
    baseUrl,
    setting: settings.nameOf('UPSTREAM_URL'),
    /** The service credential, which trusted callers use. Null when each caller sends a token of its own. */
    apiToken: settings.get('UPSTREAM_API_TOKEN') ?? null,
    /** The tokens that entitle a caller to the service credential. Null when unset, and when `apiToken` is null. */
    apiTokens: hasServiceCredential ? frozenOrNull(settings.get('API_TOKEN')) : null,
    /** The proxy, whose URL may contain a password; null when calls are sent directly. */
    proxyUrl: proxyUrlFor(baseUrl, proxies),
    timeoutMs: settings.get('UPSTREAM_TIMEOUT_MS'),
    bulkSize,
    /** Upstream calls of one bulk update: twice the calls of the longest list of different articles. */
    maxBulkCalls: 2 * Math.ceil(settings.get('MAX_BULK_ITEMS') / bulkSize),
    maxReadCalls: settings.get('MAX_UPSTREAM_CALLS'),
    /** Whether an update without `hidden` leaves a hidden article hidden. */
    keepsHidden: settings.get('KEEP_HIDDEN'),
    /** How long a response to a read may be used again; 0 means never. */
    readCacheMs: settings.get('READ_CACHE_SECONDS') * SECOND_MS,
    /** The bytes of the responses that are kept. */
    readCacheBytes: settings.get('READ_CACHE_BYTES'),
  });
}

const frozenOrNull = <T>(items: readonly T[] | undefined): readonly T[] | null =>
  items === undefined ? null : Object.freeze(items);

/** Reads the settings of the audit log. With 'closed', a write that can't be recorded is refused; with 'open' it is sent. */
function readAudit(settings: SettingReader) {
  const [path, failureMode] = [settings.get('AUDIT_LOG'), settings.get('AUDIT_FAILURE')];
  return path === undefined ? null : Object.freeze({ path, failureMode, setting: settings.nameOf('AUDIT_LOG') });
}

/** Reads the settings of trusted documents. With `only`, no other documents are executed. */
function readPersistedDocuments(settings: SettingReader) {
  const [path = null, mode] = [settings.get('PERSISTED_DOCUMENTS'), settings.get('PERSISTED_DOCUMENTS_MODE')];
  // Without a file, every request would be refused.
  if (mode === 'only' && path === null)
    settings.reject(
      'PERSISTED_DOCUMENTS',
      `a file of documents, with ${settings.nameOf('PERSISTED_DOCUMENTS_MODE')}=only`,
    );
  return Object.freeze({ path, mode, setting: settings.nameOf('PERSISTED_DOCUMENTS') });
}

/** The database of the state in front of the service. */
const DEFAULT_STATE_URL = 'sqlite:data/state.db';

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

function readState(settings: SettingReader, backend: Config['backend']) {
  const url = settings.get('STATE_URL');
  const store = backend.kind === 'local' ? backend : null;
  return Object.freeze({
    /** The database of the store unless `STATE_URL` names another. */
    url: url ?? store?.databaseUrl ?? DEFAULT_STATE_URL,
    setting: url === undefined && store !== null ? store.setting : settings.nameOf('STATE_URL'),
    /** True where `STATE_URL` is set, so that the gateway is not ready without its state. */
    isNamed: url !== undefined,
    /** True where several gateways in front of one service share budgets, locks and invalidations through PostgreSQL. */
    isShared: store === null && isPostgres(url ?? ''),
    /** What happens to group writes while the state can't be reached: they fail unsent, or are sent without their lock. */
    onFailure: settings.get('STATE_FAILURE'),
    maxJobItems: settings.get('MAX_JOB_ITEMS'),
    /** The bound on everything that is kept at one time. */
    maxBytes: settings.get('MAX_STATE_BYTES'),
    /** How long an open job waits for its next part. */
    openMs: settings.get('JOB_OPEN_SECONDS') * SECOND_MS,
    /** How long the results of jobs and the answers to keys are kept. */
    keepMs: settings.get('JOB_KEEP_DAYS') * DAY_MS,
  });
}
