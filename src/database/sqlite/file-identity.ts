import { statSync } from 'node:fs';

/** The files of a database were removed, moved or replaced while it is open: what is written there is lost at the next start. */
export class FilesGone extends Error {
  readonly isCommitted: boolean;

  constructor(isCommitted: boolean) {
    super('The files of the store were removed or replaced while it is open');
    this.isCommitted = isCommitted;
  }
}

export interface SqliteFiles {
  /** Whether the database and its log are still the files that were opened. */
  areInPlace(): boolean;
}

/**
 * Watches the files by their inodes, without opening them: closing any descriptor of a file would end the locks that
 * SQLite has on it. The log is known from the first look that finds it, since SQLite makes it at the first access, and
 * keeps it while a connection is open.
 */
export function watchFiles(path: string): SqliteFiles {
  if (path === ':memory:') return { areInPlace: () => true };
  const opened = inodeOf(path);
  let log: string | null = null;
  return {
    areInPlace: () => {
      if (inodeOf(path) !== opened) return false;
      const found = inodeOf(`${path}-wal`);
      log ??= found;
      return found === log;
    },
  };
}

function inodeOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.dev} ${found.ino}` : null;
}
