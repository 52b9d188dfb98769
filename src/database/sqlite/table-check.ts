import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** True where the file has the table, or may have it since it can't be read here. Changes no file and creates none. */
export function mayHaveSqliteTable(path: string, table: string): boolean {
  if (path === ':memory:') return false;
  if (!path.startsWith('file:') && !existsSync(path)) return false;
  try {
    return hasTable(new DatabaseSync(path, { readOnly: true }), table);
  } catch {
    return true;
  }
}

function hasTable(database: DatabaseSync, table: string): boolean {
  try {
    return database.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table) !== undefined;
  } finally {
    database.close();
  }
}
