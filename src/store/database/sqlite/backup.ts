import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** How long the copy waits for a process that locks out even readers, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/** Copies a SQLite file in one state into an empty file, while others read it and write to it. */
export function copySqlite(path: string, target: string): void {
  const database = new DatabaseSync(resolve(path), { timeout: BUSY_TIMEOUT_MS });
  try {
    database.prepare('vacuum into ?').run(target);
  } catch (error) {
    // SQLite leaves the journal of a copy for which there was no room.
    rmSync(`${target}-journal`, { force: true });
    throw error;
  } finally {
    database.close();
  }
}
