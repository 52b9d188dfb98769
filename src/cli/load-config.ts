import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type Config, type LocalConfig, readConfig, readLocalConfig } from '../config.ts';
import { err, ok, type Result } from '../domain/result.ts';

/** Each secret has less, and so does every variable of an environment. */
const MAX_SECRET_BYTES = 65_536;

/** Options of the command line, by the names of their settings. */
export type CommandLineSettings = Readonly<Record<string, string>>;

/** Reads the settings of this process, with the files that hold secrets. */
export const loadConfig = (commandLine: CommandLineSettings): Result<Config, string> =>
  readConfig(undefined, { commandLine, readFile: readSecretFile });

/** Reads the settings of a command on the embedded store. */
export const loadLocalConfig = (): Result<LocalConfig, string> =>
  readLocalConfig(undefined, { readFile: readSecretFile });

export function readSecretFile(path: string): Result<string, string> {
  try {
    // Something else than a file, such as a pipe that nobody writes to, is not waited for.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return fstatSync(file).isFile() ? readText(file) : err('it is no file');
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return err(error instanceof Error && 'code' in error ? String(error.code) : 'unreadable');
  }
}

function readText(file: number): Result<string, string> {
  const bytes = Buffer.alloc(MAX_SECRET_BYTES + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(file, bytes, length, bytes.length - length, null);
  }
  if (length > MAX_SECRET_BYTES) return err(`it has more than ${MAX_SECRET_BYTES} bytes`);
  const content = bytes.subarray(0, length);
  return isUtf8(content) ? ok(content.toString()) : err('it is no UTF-8');
}
