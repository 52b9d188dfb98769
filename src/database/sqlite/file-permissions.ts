import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** The database file, and those that SQLite keeps next to it. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

/** Creates the database file for its owner alone. Files that SQLite makes next to it later get the same mode. */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // Either the file exists, or opening it reports the problem with its path.
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
    if (!isIgnorable(error)) throw error;
  }
}

const isIgnorable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'EPERM', 'EROFS'].includes(String(error.code));
