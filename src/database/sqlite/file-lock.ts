import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isBusyError } from './errors.ts';
import { inodeOf } from './file-identity.ts';
import { createPrivateFile } from './file-permissions.ts';

/** A lock of the operating system, which ends with its process whatever ends that. */
export interface FileLock {
  release(): void;
}

/** Another process that takes the lock at the same time may remove its file. */
const MAX_ATTEMPTS = 5;

/**
 * Locks `PATH.lock`, a file beside a database, so that the database itself stays free for all others. Null where another
 * process has the lock. Throws where the file can't be made.
 */
export function tryLockBeside(databasePath: string): FileLock | null {
  const path = `${databasePath}.lock`;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    createPrivateFile(path);
    const inode = inodeOf(path);
    // Closing any other descriptor of this file would release the lock, so SQLite alone opens it.
    const file = new DatabaseSync(path, { timeout: 0 });
    if (!tryLock(file)) {
      file.close();
      return null;
    }
    // The process that had the lock before may have removed the file that was opened here.
    if (inode !== null && inodeOf(path) === inode) return { release: () => removeAndClose(path, file) };
    file.close();
  }
  return null;
}

/** The name of the file of a database, as SQLite resolves it. Null where it is in memory or not there. */
export function findDatabaseFile(path: string): string | null {
  if (!path.startsWith('file:') && !existsSync(path)) return null;
  try {
    return locate(new DatabaseSync(path, { readOnly: true }));
  } catch {
    return null;
  }
}

/** Creates an empty file where there is none. Null for a database in memory. */
export function createDatabaseFile(path: string): string | null {
  if (path === ':memory:') return null;
  if (!path.startsWith('file:')) createPrivateFile(path);
  return locate(new DatabaseSync(path));
}

function locate(database: DatabaseSync): string | null {
  try {
    return database.location();
  } finally {
    database.close();
  }
}

/** A transaction that may write keeps all others out. One that is exclusive could fail for all who try at one time. */
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

/** Removed while it is locked, so that nobody locks a file without a name and takes it for this one. */
function removeAndClose(path: string, file: DatabaseSync): void {
  rmSync(path, { force: true });
  file.close();
}
