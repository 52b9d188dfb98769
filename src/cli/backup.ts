import { existsSync } from 'node:fs';
import { toPrintable } from '../base/printable.ts';
import { err, ok, type Result } from '../base/result.ts';
import { backUpSqlite } from '../database/sqlite/backup.ts';
import { loadLocalConfig } from './load-config.ts';
import { print } from './terminal.ts';

/** Copies the SQLite file of the embedded store, also while a gateway serves from it. */
export async function backUp(target: string): Promise<Result<void, string>> {
  const config = loadLocalConfig();
  if (!config.ok) return config;
  const path = /^sqlite:(.+)$/su.exec(config.value.backend.databaseUrl)?.[1];
  if (path === undefined) return err('backup is for SQLite: make backups of PostgreSQL with pg_dump.');
  if (path === ':memory:') return err('DATABASE_URL is sqlite::memory:, a store that only its own process can read.');
  backUpSqlite(path, target);
  const tokenFile = `${path}.api-token`;
  const hint = existsSync(tokenFile) ? ` The API token is not in it: it is in ${toPrintable(tokenFile)}.` : '';
  print(`${toPrintable(target)} has the whole store of ${toPrintable(path)}.${hint}\n`);
  return ok(undefined);
}
