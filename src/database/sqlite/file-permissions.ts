import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The database file, and those that SQLite keeps next to it. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

/**
 * Makes sure that there is a regular file, and creates it and its folders for their owner alone. Files that SQLite makes
 * next to it later get the same mode. A device is rejected before its permissions are changed.
 */
export function createPrivateFile(path: string): void {
  makeFolder(dirname(resolve(path)));
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!hasCode(error, ['EEXIST'])) throw error;
    if (!statSync(path).isFile()) throw new Error('it is not a regular file');
  }
}

/** Node's own recursive `mkdir` never ends below `/proc`. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it a moment ago.
    if (!hasCode(error, ['EEXIST'])) throw error;
  }
}

/** Removes the permissions of everybody but the owner from the database and the files next to it. */
export function restrictToOwner(path: string): void {
  for (const file of SUFFIXES.map((suffix) => path + suffix)) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) !== 0) restrictMode(file, mode & 0o700);
  }
}

/** Skips files of another user, files on a read-only disk, and files that another process has just removed. */
function restrictMode(file: string, mode: number): void {
  try {
    chmodSync(file, mode);
  } catch (error) {
    if (!hasCode(error, ['ENOENT', 'EPERM', 'EROFS'])) throw error;
  }
}

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
