import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { toPrintable } from '../../base/printable.ts';

/** How long the backup waits for a process that locks out even readers, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Copies a SQLite file in one state, while others read it and write to it. The copy gets its name when it is complete
 * and on disk, and is its owner's alone. Throws with a message for people.
 */
export function backUpSqlite(path: string, target: string): void {
  if (!/^file:/u.test(path) && !existsSync(path))
    throw new Error(`There is no SQLite file ${toPrintable(path)} to back up.`);
  const partial = createPartialFile(target);
  try {
    if (existsSync(target)) throw new Error('it exists already, and a backup replaces no file');
    copyTo(partial, path);
    syncPath(partial);
    renameSync(partial, target);
    syncPath(dirname(partial));
  } catch (error) {
    throw backupError(`The backup ${toPrintable(target)} cannot be made`, error);
  } finally {
    rmSync(partial, { force: true });
  }
}

/** The path of a new file next to the target. Only one backup at a time has it. */
function createPartialFile(target: string): string {
  const partial = `${resolve(target)}.partial`;
  try {
    closeSync(openSync(partial, 'wx', 0o600));
    return partial;
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) throw backupError(`The backup ${toPrintable(target)} cannot be written`, error);
    throw new Error(`${partial} exists: another backup is being made, or one was interrupted and left it there.`);
  }
}

function copyTo(partial: string, path: string): void {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // SQLite writes to a file that exists only when it is empty.
    database.prepare('vacuum into ?').run(partial);
  } finally {
    database.close();
  }
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const backupError = (problem: string, cause: unknown): Error =>
  new Error(`${problem}: ${cause instanceof Error ? cause.message : 'unknown error'}.`, { cause });
