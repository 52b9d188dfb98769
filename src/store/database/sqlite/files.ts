import { chmodSync, closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isBusyError } from './errors.ts';

/** The database file, and those that SQLite keeps next to it. */
const SUFFIXES = ['', '-wal', '-shm', '-journal'];

/**
 * Creates the file and its folder for their owner alone where they are missing, and throws where the path is no regular
 * file. SQLite gives its other files the same mode. A device is rejected before its permissions are changed.
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
    // Another process may have created it meanwhile.
    if (!hasCode(error, ['EEXIST'])) throw error;
  }
}

/**
 * Removes the permissions of everybody but the owner from the database and the files next to it. Skips files of another
 * user, files on a read-only disk, and files that another process has just removed.
 */
export function restrictToOwner(path: string): void {
  for (const file of SUFFIXES.map((suffix) => path + suffix)) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) === 0) continue;
    try {
      chmodSync(file, mode & 0o700);
    } catch (error) {
      if (!hasCode(error, ['ENOENT', 'EPERM', 'EROFS'])) throw error;
    }
  }
}

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

/** False once a database or its log is another file than the one that was opened. */
export type AreInPlace = () => boolean;

/**
 * Compares the inodes of the files without opening them: closing any descriptor of a file would release SQLite's
 * locks on it. The inode of the log is stored by the first check that finds the log, because SQLite creates it at the
 * first access and keeps it while a connection is open.
 */
export function trackFiles(path: string): AreInPlace {
  if (path === ':memory:') return () => true;
  const openedInode = inodeOf(path);
  let walInode: string | null = null;
  return () => {
    if (inodeOf(path) !== openedInode) return false;
    const found = inodeOf(`${path}-wal`);
    walInode ??= found;
    return found === walInode;
  };
}

/** The device and inode of a file; null where there is none. */
function inodeOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.dev} ${found.ino}` : null;
}

/**
 * True where the table may have a row that meets the condition, also where the file can't be read here. Changes no file
 * and creates none.
 */
export function mayHaveSqliteRow(path: string, table: string, condition = 'true'): boolean {
  if (path === ':memory:' || !existsSync(path)) return false;
  const url = pathToFileURL(resolve(path));
  // Without `immutable`, SQLite creates files next to the database, which not every folder allows. Where there is a
  // log, it is not set, since the log has rows that the file lacks.
  if (!existsSync(`${path}-wal`)) url.searchParams.set('immutable', '1');
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(url, { readOnly: true });
    const isTable = database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table);
    return (
      isTable !== undefined && database.prepare(`select 1 from ${table} where ${condition} limit 1`).get() !== undefined
    );
  } catch {
    return true;
  } finally {
    database?.close();
  }
}

/** A lock of the operating system, which ends with its process in any case. */
export interface FileLock {
  release(): void;
}

/**
 * Locks `PATH.lock`, a file next to an existing database, so that the database itself stays unlocked. The file is never
 * removed. Null where another process has the lock. Throws where the file can't be created.
 */
export function tryLockBeside(databasePath: string): FileLock | null {
  const path = `${realpathSync(databasePath)}.lock`;
  createPrivateFile(path);
  const file = new DatabaseSync(path, { timeout: 0 });
  if (tryLock(file)) return { release: () => file.close() };
  file.close();
  return null;
}

/** A write transaction keeps all others out. Exclusive ones that begin at the same time could all fail. */
function tryLock(file: DatabaseSync): boolean {
  try {
    file.exec('begin immediate');
    return true;
  } catch (error) {
    if (isBusyError(error)) return false;
    file.close();
    throw error;
  }
}
