import { existsSync } from 'node:fs';
import { readBoundedFile } from '../core/base/bounded-file.ts';
import { err, ok, type Result } from '../core/base/result.ts';
import { decodeText } from '../core/base/text.ts';
import { DEMO_STORE, OWN_STORE } from '../server/config/setting-types.ts';
import { type Config, type LocalConfig, readConfig, readLocalConfig } from '../server/config.ts';
import type { Variables } from './command-options.ts';

/** The most bytes of a file with a secret, more than a variable of an environment may have. */
const MAX_SECRET_BYTES = 65_536;

export type CommandLineSettings = Readonly<Record<string, string>>;

/**
 * Reads the settings of this process, with the files that hold secrets. Where nothing names a database, the store of one's
 * own is used, which never gets the demo, or else the demo in a file of its own.
 */
export function loadConfig(commandLine: CommandLineSettings): Result<Config, string> {
  const config = readConfig(undefined, { commandLine, readFile: readSecretFile });
  if (!config.ok || config.value.backend.kind !== 'local' || config.value.backend.isNamed) return config;
  const { backend } = config.value;
  if (existsSync(OWN_STORE)) return ok({ ...config.value, backend: { ...backend, demoData: false } });
  return isDemoServed(config.value)
    ? readConfig(undefined, { commandLine: { ...commandLine, ...DEMO }, readFile: readSecretFile })
    : config;
}

/** True where `serve` uses the demo: no setting names a database, `data/kb.db` does not exist, and `DEMO_DATA` is on. */
export const isDemoServed = ({ backend }: Config): boolean =>
  backend.kind === 'local' && !backend.isNamed && backend.demoData && !existsSync(OWN_STORE);

/**
 * Reads the settings of a command on the embedded store; null where `serve` would not use the store. A command that only
 * reads takes the demo where there is no other store.
 */
export function loadLocalConfig(onlyReads: boolean): Result<LocalConfig | null, string> {
  const config = readLocalConfig(undefined, { readFile: readSecretFile });
  const isUnnamed = config.ok && config.value?.backend.isNamed === false;
  const isDemo = isUnnamed && onlyReads && !existsSync(OWN_STORE) && existsSync(DEMO_STORE);
  return isDemo ? readLocalConfig(undefined, { commandLine: DEMO, readFile: readSecretFile }) : config;
}

/** The service of `UPSTREAM_URL`, and its token: the given one, or that of a setting. `unset` is the error without a service. */
export function loadService(
  variables: Variables,
  { unset, given = '' }: { readonly unset: string; readonly given?: string | undefined },
) {
  const config = loadConfig({});
  if (!config.ok) return config;
  const { backend: service, log } = config.value;
  if (service.kind !== 'rest') return err(unset);
  const apiToken = (given || service.apiToken || variables['KB_API_TOKEN'] || '').trim();
  return /^[\x21-\x7e]+$/u.test(apiToken)
    ? ok({ service, apiToken, log })
    : err('set UPSTREAM_API_TOKEN or KB_API_TOKEN to a token of the service.');
}

/** The settings with which `serve` uses the demo in a file of its own. */
export const DEMO: CommandLineSettings = { DATABASE_URL: `sqlite:${DEMO_STORE}` };

export function readSecretFile(path: string): Result<string, string> {
  const read = readBoundedFile(path, { maxBytes: MAX_SECRET_BYTES });
  if (!read.ok) return err(`it ${read.error}`);
  const text = decodeText(read.value);
  return text === null ? err('it is no UTF-8') : ok(text);
}
