import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** The database file, and what SQLite keeps beside it. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

/** Makes the database file so that nobody else may read it. Files that SQLite makes beside it later take its mode. */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // The file is there, or SQLite is about to say what is wrong with its place.
  }
}

/** Takes the database and the files beside it away from everybody but their owner. */
export function closeToOthers(path: string): void {
  for (const file of SUFFIXES.map((suffix) => path + suffix)) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) !== 0) closeFile(file, mode & 0o700);
  }
}

/** Leaves the files of another user, or of a read-only disk, as they are. Another process may just have removed one. */
function closeFile(file: string, mode: number): void {
  try {
    chmodSync(file, mode);
  } catch (error) {
    if (!isHarmless(error)) throw error;
  }
}

const isHarmless = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'EPERM', 'EROFS'].includes(String(error.code));
