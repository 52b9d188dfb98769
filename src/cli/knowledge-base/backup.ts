import { existsSync } from 'node:fs';
import { toPrintable } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import { sqlitePathOf } from '../../server/config/setting-types.ts';
import { storeTokenFile } from '../../server/process/access.ts';
import { print } from '../../server/process/terminal.ts';
import { copySqlite } from '../../store/database/sqlite/backup.ts';
import { createNewFile } from './new-file.ts';
import { findMissingStore, readStoreConfig } from './open-store.ts';

/** Copies the SQLite file of the embedded store, also while a gateway serves from it. */
export async function backUp(target: string): Promise<Result<void, string>> {
  const config = readStoreConfig({ onlyReads: true });
  if (!config.ok) return config;
  const path = sqlitePathOf(config.value.backend.databaseUrl);
  if (path === null) return err('backup is for SQLite: make backups of PostgreSQL with pg_dump.');
  const missing = findMissingStore(config.value);
  const copied = missing === null ? await copyToNewFile(path, target) : err(missing);
  if (!copied.ok) return err(`the backup ${toPrintable(target)} cannot be made: ${copied.error}`);
  const tokenFile = storeTokenFile(config.value.backend.databaseUrl);
  const hint =
    tokenFile !== null && existsSync(tokenFile)
      ? ` The API token is not in it: it is in ${toPrintable(tokenFile)}.`
      : '';
  print(`${toPrintable(target)} has the whole store of ${toPrintable(path)}.${hint}\n`);
  return ok(undefined);
}

async function copyToNewFile(path: string, target: string): Promise<Result<void, string>> {
  const file = await createNewFile(target);
  if (!file.ok) return file;
  try {
    copySqlite(path, file.value.draft);
    return await file.value.publish();
  } catch (error) {
    return err(`${error instanceof Error ? error.message : 'unknown error'}.`);
  } finally {
    file.value.discard();
  }
}
