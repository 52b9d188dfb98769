import { readBoundedFile } from '../core/base/bounded-file.ts';
import { err, ok, type Result } from '../core/base/result.ts';
import { decodeText } from '../core/base/text.ts';
import { type Config, type LocalConfig, readConfig, readLocalConfig } from '../server/config.ts';

/** The most bytes of a file with a secret, more than a variable of an environment may have. */
const MAX_SECRET_BYTES = 65_536;

export type CommandLineSettings = Readonly<Record<string, string>>;

export const loadConfig = (commandLine: CommandLineSettings): Result<Config, string> =>
  readConfig(undefined, { commandLine, readFile: readSecretFile });

/** Reads the settings of a command on the embedded store; null where `serve` would not use the store. */
export const loadLocalConfig = (): Result<LocalConfig | null, string> =>
  readLocalConfig(undefined, { readFile: readSecretFile });

export function readSecretFile(path: string): Result<string, string> {
  const read = readBoundedFile(path, { maxBytes: MAX_SECRET_BYTES });
  if (!read.ok) return err(`it ${read.error}`);
  const text = decodeText(read.value);
  return text === null ? err('it is no UTF-8') : ok(text);
}
