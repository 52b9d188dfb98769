import { err, type Result } from '../base/result.ts';
import { type Config, readConfig } from '../config.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { type BackendKind, createOptionNaming } from './option-names.ts';
import { isGroup, OptionReader } from './option-reader.ts';
import { COMMON_SETTINGS, SERVICE_SETTINGS, STORE_SETTINGS } from './option-settings.ts';

/** The settings of options that are left out, where the default is not that of the command line. */
const DEFAULTS = { PORT: '0', DEMO_DATA: 'false', LOG_LEVEL: 'warn' };

/** Segments of characters that URLs leave as they are. */
const BASE_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/u;

/** Turns options into the settings of the command line. The error is one message that lists every wrong option. */
export function readOptions(options: GatewayOptions): Result<Config, string> {
  const reader = new OptionReader();
  const { backend, basePath, log, ...others } = isGroup(options) ? options : {};
  const { write, ...logOptions } = isGroup(log) ? log : {};
  reader.readGroup({ ...others, log: isGroup(log) ? logOptions : log }, COMMON_SETTINGS, '');
  if (basePath !== undefined && !(typeof basePath === 'string' && BASE_PATH.test(basePath))) {
    reader.problems.push('basePath must be a path such as /kb, without a slash at its end');
  }
  if (write !== undefined && typeof write !== 'function') reader.problems.push('log.write must be a function');
  const kind = readBackend(reader, backend);
  if (kind === null) return err(messageOf(reader));
  const config = readConfig({ ...DEFAULTS, ...reader.environment });
  if (!config.ok) reader.addProblemsOfSettings(config.error, createOptionNaming(kind));
  return reader.problems.length === 0 ? config : err(messageOf(reader));
}

/** Null where it can't be told which backend is meant, so that its settings can't be checked. */
function readBackend(reader: OptionReader, backend: unknown): BackendKind | null {
  const { kind, ...options } = isGroup(backend) ? backend : {};
  if (kind !== 'store' && kind !== 'service') {
    reader.problems.push('backend must be an object whose kind is "store" or "service"');
    return null;
  }
  reader.readGroup(options, kind === 'store' ? STORE_SETTINGS : SERVICE_SETTINGS, 'backend.');
  const { UPSTREAM_API_TOKEN, API_TOKEN, CLIENT_JWT_ISSUER } = reader.environment;
  // The command line generates a token then, and prints it.
  if (UPSTREAM_API_TOKEN && !API_TOKEN && !CLIENT_JWT_ISSUER) {
    reader.problems.push('backend.apiTokens must be set, or clients: backend.apiToken is lent to nobody else');
  }
  return kind === 'store' || reader.environment['UPSTREAM_URL'] !== undefined ? kind : null;
}

const messageOf = ({ problems }: OptionReader): string =>
  ['These options of the gateway are wrong:', ...new Set(problems)].join('\n  ');
