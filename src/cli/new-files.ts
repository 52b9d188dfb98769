import { existsSync } from 'node:fs';
import { rm, rmdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { sqlitePathOf } from '../server/config/setting-types.ts';
import type { Config } from '../server/config.ts';
import { OWN_TOKEN_FILE, storeTokenFile } from '../server/process/access.ts';

/** The files that a start may create. Others may use the log and the database, so these are removed only when empty. */
function startFilesOf({ backend, audit }: Config) {
  const logs = audit === null ? [] : [audit.path];
  if (backend.kind === 'rest') return { own: [OWN_TOKEN_FILE], shared: logs };
  const [database, token] = [sqlitePathOf(backend.databaseUrl), storeTokenFile(backend.databaseUrl)];
  return { own: token === null ? [] : [token], shared: database === null ? logs : [...logs, database] };
}

/** Runs a start. Where it fails before it calls `keep`, the files and folders that it has created are removed. */
export async function withNewFiles<T>(config: Config, start: (keep: () => void) => Promise<T>): Promise<T> {
  const { own, shared } = startFilesOf(config);
  const newOwn = own.filter(isMissing);
  const newShared = shared.filter(isMissing);
  const newFolders = new Set([...own, ...shared].flatMap(parentFolders).filter(isMissing));
  let isKept = false;
  const keep = () => {
    isKept = true;
  };
  try {
    return await start(keep);
  } finally {
    // Inner folders are removed first.
    const folders = [...newFolders].toSorted((one, other) => other.length - one.length);
    if (!isKept) await removeFiles(newOwn, newShared, folders);
  }
}

/** A failure to remove a file must not hide why the start failed. A folder that is not empty is not removed. */
async function removeFiles(own: readonly string[], shared: readonly string[], folders: readonly string[]) {
  for (const file of own) await rm(file, { force: true }).catch(() => {});
  for (const file of shared) if (await isEmptyFile(file)) await rm(file, { force: true }).catch(() => {});
  for (const folder of folders) await rmdir(folder).catch(() => {});
}

const isMissing = (path: string): boolean => !existsSync(path);

function parentFolders(path: string): readonly string[] {
  const folder = dirname(resolve(path));
  return folder === dirname(folder) ? [folder] : [folder, ...parentFolders(folder)];
}

const isEmptyFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile() && stats.size === 0,
    () => false,
  );
