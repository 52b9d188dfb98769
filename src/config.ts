import type { z } from 'zod';
import { err, ok, type Result } from './base/result.ts';
import type { AuditConfig } from './config/audit.ts';
import { type ClientsConfig, withClientRules } from './config/clients.ts';
import { commonConfig, commonSettings } from './config/common.ts';
import { type StateConfig, stateConfig } from './config/databases/state.ts';
import { type LocalBackendConfig, storeConfig, storeSettings, withTokenRule } from './config/databases/store.ts';
import { type persistedDocumentsConfig, withPersistedDocumentsRule } from './config/documents/persisted-documents.ts';
import { configErrorMessage } from './config/error-message.ts';
import type { LogConfig } from './config/log.ts';
import type { McpConfig } from './config/mcp.ts';
import { findMisspeltSettings, type MisspeltSetting } from './config/misspelt-settings.ts';
import { withProxyRules } from './config/proxy.ts';
import {
  type ReadSecretFile,
  type ResolvedSecrets,
  resolveSecretFiles,
  SECRET_SETTINGS,
} from './config/secret-files.ts';
import { settingLines } from './config/setting-lines.ts';
import { type TelemetryConfig, withMetricsPortRule } from './config/telemetry.ts';
import { type RestBackendConfig, upstreamConfig, upstreamSettings } from './config/upstream.ts';
import type { RequestLimits } from './domain/limits.ts';

/** The settings, with those of the backend in use only: see docs/contract.md, "Start". */
export interface Config {
  readonly backend: LocalBackendConfig | RestBackendConfig;
  readonly host: string;
  /** 0 stands for any free port. */
  readonly port: number;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxBulkItems: number;
  readonly limits: RequestLimits;
  /** Web origins whose pages may read responses. */
  readonly corsOrigins: readonly string[];
  /** Null when clients are not known by a JWT. */
  readonly clients: ClientsConfig | null;
  /** Requests of one caller in a minute; 0 when there is no limit. */
  readonly callerRequestsPerMinute: number;
  /** Null when writes are not recorded. */
  readonly audit: AuditConfig | null;
  readonly persistedDocuments: ReturnType<typeof persistedDocumentsConfig>;
  readonly introspection: boolean;
  /** Merges small concurrent bulk updates of one token. */
  readonly coalesceWrites: boolean;
  readonly state: StateConfig;
  readonly shutdownGraceMs: number;
  readonly log: LogConfig;
  readonly telemetry: TelemetryConfig;
  readonly mcp: McpConfig;
}

/** The settings for `import`, which writes to the embedded store even if `serve` would forward to a service. */
export type LocalConfig = Config & { readonly backend: LocalBackendConfig };

type Environment = Readonly<Record<string, string | undefined>>;

const localSettings = commonSettings.extend(storeSettings.shape);

const restSettings = commonSettings.extend(upstreamSettings.shape);

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
export function readConfig(
  environment: Environment = process.env,
  sources: SettingSources = {},
): Result<Config, string> {
  const secrets = resolveSources(environment, sources);
  if (secrets.environment['UPSTREAM_URL']) {
    const settings = parseRestSettings(secrets);
    return settings.ok ? ok(restConfigOf(settings.value, secrets.environment)) : settings;
  }
  const settings = parseLocalSettings(withTokenRule(checkedLocalSettings), secrets);
  return settings.ok ? ok(localConfigOf(settings.value, secrets.environment)) : settings;
}

/** Lines for people with these settings, without secrets. */
export function describeSettings(
  environment: Environment = process.env,
  sources: SettingSources = {},
): Result<readonly string[], string> {
  const secrets = resolveSources(environment, sources);
  const isRest = Boolean(secrets.environment['UPSTREAM_URL']);
  const settings = isRest
    ? parseRestSettings(secrets)
    : parseLocalSettings(withTokenRule(checkedLocalSettings), secrets);
  const names = Object.keys((isRest ? restSettings : localSettings).shape);
  return settings.ok ? ok(settingLines(names, settings.value, secrets.environment)) : settings;
}

const resolveSources = (environment: Environment, { commandLine = {}, readFile }: SettingSources) =>
  resolveSecretFiles({ ...environment, ...commandLine }, readFile ?? (() => err('no files are read here')));

const SETTINGS = [
  ...new Set([localSettings, restSettings].flatMap(({ shape }) => Object.keys(shape))),
  ...SECRET_SETTINGS.map((name) => `${name}_FILE`),
];

/** The variables that are set and look like settings, and are none. */
export const misspeltSettings = (environment: Environment = process.env): readonly MisspeltSetting[] =>
  findMisspeltSettings(Object.keys(withoutEmpty(environment)), SETTINGS);

/** Reads the settings for `import`: ignores `UPSTREAM_URL`, and needs no token because nothing is served. */
export function readLocalConfig(
  { UPSTREAM_URL, ...environment }: Environment = process.env,
  sources: SettingSources = {},
): Result<LocalConfig, string> {
  const secrets = resolveSources(environment, sources);
  const settings = parseLocalSettings(checkedLocalSettings, secrets);
  return settings.ok ? ok(localConfigOf(settings.value, secrets.environment)) : settings;
}

const checkedLocalSettings = withMetricsPortRule(withClientRules(withPersistedDocumentsRule(localSettings)));

function parseLocalSettings(
  schema: typeof checkedLocalSettings,
  secrets: ResolvedSecrets,
): Result<z.infer<typeof localSettings>, string> {
  const { environment, problems } = secrets;
  const settings = withProxyRules(schema, environment).safeParse(withoutEmpty(environment));
  return settings.success && problems.size === 0 ? ok(settings.data) : err(problemsOf(settings.error, secrets));
}

function parseRestSettings(secrets: ResolvedSecrets): Result<z.infer<typeof restSettings>, string> {
  const { environment, problems } = secrets;
  const { API_TOKEN: ignored, ...others } = environment;
  // Without a token to lend, the gateway's own tokens are not used.
  const settings = withMetricsPortRule(
    withProxyRules(withClientRules(withPersistedDocumentsRule(restSettings)), environment),
  ).safeParse(withoutEmpty(environment['UPSTREAM_API_TOKEN'] ? environment : others));
  return settings.success && problems.size === 0 ? ok(settings.data) : err(problemsOf(settings.error, secrets));
}

const localConfigOf = (settings: z.infer<typeof localSettings>, environment: Environment): LocalConfig =>
  Object.freeze({
    ...commonConfig(settings, environment),
    state: stateConfig(settings, settings.DATABASE_URL),
    backend: storeConfig(settings),
  });

const restConfigOf = (settings: z.infer<typeof restSettings>, environment: Environment): Config =>
  Object.freeze({
    ...commonConfig(settings, environment),
    state: stateConfig(settings, null),
    backend: upstreamConfig(settings, environment),
  });

const problemsOf = (error: z.ZodError | undefined, secrets: ResolvedSecrets): string =>
  configErrorMessage(error?.issues ?? [], secrets, misspeltSettings(secrets.environment));

const withoutEmpty = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
