import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { toPrintable } from '../../core/base/printable.ts';
import { StateUnavailable } from '../../core/state-unavailable.ts';
import { MIGRATION_TABLES } from '../../store/database/dialect.ts';
import {
  createPrivateFile,
  type FileLock,
  mayHaveSqliteRow,
  tryLockBeside,
} from '../../store/database/sqlite/files.ts';

const sqlitePathOf = (url: string): string | null => /^sqlite:(.+)$/su.exec(url)?.[1] ?? null;

/** False where nothing was ever kept, so that there is no need to open the state. A server may have been used by others. */
export function mayHaveState(url: string): boolean {
  const path = sqlitePathOf(url);
  return path === null || mayHaveSqliteRow(path, MIGRATION_TABLES.state);
}

/** True where jobs that have not ended are in a file, or may be in one that can't be read. False for a server. */
export function mayHaveUnfinishedJobs(url: string): boolean {
  const path = sqlitePathOf(url);
  return path !== null && mayHaveSqliteRow(path, 'article_update_jobs', 'ended_at is null');
}

/** The reason why a file of the state can't be written, or created with its folder; null where it can. */
export function placeProblemOf(url: string): string | null {
  const path = sqlitePathOf(url);
  if (path === null || path === ':memory:') return null;
  let place = resolve(path);
  while (!existsSync(place)) place = dirname(place);
  try {
    if (place !== resolve(path) && !statSync(place).isDirectory()) return `${toPrintable(place)} is no folder`;
    accessSync(place, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown error';
  }
}

/**
 * The lock of the one process that runs a state in a SQLite file. Others read and write the file all the same, such as
 * `import` and `backup`, which run no jobs. A state in memory or in PostgreSQL needs no lock, so all succeeds there.
 */
export class StateFileLock {
  readonly #path: string | null;
  #lock: FileLock | null = null;

  constructor(url: string) {
    const path = sqlitePathOf(url);
    this.#path = path === ':memory:' ? null : path;
  }

  /** Takes the lock where there is a file. False where another process has it. */
  tryTake(): boolean {
    if (this.#path === null || this.#lock !== null || !existsSync(this.#path)) return true;
    try {
      this.#lock = tryLockBeside(this.#path);
      return this.#lock !== null;
    } catch {
      // In a folder that takes no file, nobody can write the state either.
      return true;
    }
  }

  /** Takes the lock before the state is opened, which may create its file. Throws `StateUnavailable`. */
  take(): void {
    if (this.#path === null || this.#lock !== null) return;
    createPrivateFile(this.#path);
    this.#lock = tryLockBeside(this.#path);
    if (this.#lock === null) throw new StateUnavailable('Another process runs the jobs and keys of this SQLite file.');
  }

  release(): void {
    this.#lock?.release();
    this.#lock = null;
  }
}
