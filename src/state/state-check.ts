import { MIGRATION_TABLES } from '../database/migration-tables.ts';
import { mayHaveSqliteTable } from '../database/sqlite/table-check.ts';

/** False where nothing was ever kept, so that there is no need to open the state. A server may have been used by others. */
export function mayHaveState(url: string): boolean {
  const path = /^sqlite:(.+)$/su.exec(url)?.[1];
  return path === undefined || mayHaveSqliteTable(path, MIGRATION_TABLES.state);
}
