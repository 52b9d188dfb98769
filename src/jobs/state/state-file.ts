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

/** False where the state was never written, and need not be opened. A server may always have one. */
export function mayHaveState(url: string): boolean {
  const path = sqlitePathOf(url);
  return path === null || mayHaveSqliteRow(path, MIGRATION_TABLES.state);
}

/** True where a file has jobs that have not ended, or can't be read. False for a server. */
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
 * The lock of the one process that runs the jobs of a SQLite file. `import` and `backup` use the file without it. In memory and
 * in PostgreSQL no lock is needed, and taking it always succeeds.
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
      // Where the folder takes no file, nobody can write the state either.
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

  /** Releases the lock where this process has it. */
  release(): void {
    this.#lock?.release();
    this.#lock = null;
  }
}
