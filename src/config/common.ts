import { z } from 'zod';
import { auditConfig, auditSettings } from './audit.ts';
import { clientSettings, clientsConfig } from './clients.ts';
import { stateSettings } from './databases/state.ts';
import { persistedDocumentsConfig, persistedDocumentsSettings } from './documents/persisted-documents.ts';
import { limitSettings, requestLimits } from './limits.ts';
import { logConfig, logSettings } from './log.ts';
import { mcpConfig, mcpSettings } from './mcp.ts';
import { booleanSetting, hostName, originList, wholeNumberSetting } from './setting-types.ts';
import { telemetryConfig, telemetrySettings } from './telemetry.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const MINUTE_MS = 60_000;

/** The settings that count with either backend. */
export const commonSettings = z.object({
  ...limitSettings.shape,
  ...clientSettings.shape,
  ...auditSettings.shape,
  ...stateSettings.shape,
  ...persistedDocumentsSettings.shape,
  ...telemetrySettings.shape,
  HOST: hostName,
  PORT: wholeNumberSetting(4000, 0, 65_535),
  REQUEST_TIMEOUT_MS: wholeNumberSetting(30_000, 2_000, 60 * MINUTE_MS),
  MAX_BODY_BYTES: wholeNumberSetting(10 * 1024 ** 2, 1, 256 * 1024 ** 2),
  MAX_BULK_ITEMS: wholeNumberSetting(10_000, 1, 1_000_000),
  CORS_ORIGINS: originList,
  INTROSPECTION: booleanSetting(true),
  ...mcpSettings.shape,
  COALESCE_WRITES: booleanSetting(true),
  SHUTDOWN_GRACE_MS: wholeNumberSetting(10_000, 0, 60 * MINUTE_MS),
  ...logSettings.shape,
});

/** `state` is left out, since its default depends on the backend. */
export const commonConfig = (settings: z.infer<typeof commonSettings>, environment: Environment) => ({
  host: settings.HOST,
  port: settings.PORT,
  requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
  maxBodyBytes: settings.MAX_BODY_BYTES,
  maxBulkItems: settings.MAX_BULK_ITEMS,
  limits: requestLimits(settings),
  corsOrigins: Object.freeze(settings.CORS_ORIGINS),
  clients: clientsConfig(settings, environment),
  callerRequestsPerMinute: settings.CALLER_REQUESTS_PER_MINUTE,
  audit: auditConfig(settings),
  persistedDocuments: persistedDocumentsConfig(settings),
  introspection: settings.INTROSPECTION,
  coalesceWrites: settings.COALESCE_WRITES,
  shutdownGraceMs: settings.SHUTDOWN_GRACE_MS,
  log: logConfig(settings),
  telemetry: telemetryConfig(settings),
  mcp: mcpConfig(settings),
});
