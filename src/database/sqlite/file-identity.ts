import { statSync } from 'node:fs';

export interface SqliteFiles {
  /** False once the database or its log is another file than the one that was opened. */
  areInPlace(): boolean;
}

/**
 * Compares the inodes of the files without opening them: closing any descriptor of a file would release SQLite's
 * locks on it. The inode of the log is stored by the first check that finds the log, because SQLite creates it at the
 * first access and keeps it while a connection is open.
 */
export function trackFiles(path: string): SqliteFiles {
  if (path === ':memory:') return { areInPlace: () => true };
  const openedInode = inodeOf(path);
  let walInode: string | null = null;
  return {
    areInPlace: () => {
      if (inodeOf(path) !== openedInode) return false;
      const found = inodeOf(`${path}-wal`);
      walInode ??= found;
      return found === walInode;
    },
  };
}

/** Null where there is no file. */
export function inodeOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.dev} ${found.ino}` : null;
}
