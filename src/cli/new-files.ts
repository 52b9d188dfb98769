import { access, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { LENDING_TOKEN_FILE } from './access.ts';

export interface NewFiles {
  /** Makes `remove` do nothing from now on. */
  keep(): void;
  /** Removes the files that did not exist before, and the folders that were made for them. */
  remove(): Promise<void>;
}

interface StartFiles {
  /** Small files that a start creates. */
  readonly own: readonly string[];
  /** Files that other processes may write to: they are removed only when empty. */
  readonly shared: readonly string[];
}

/** The files that a start may create. Another process may already use the log and the database. */
export function startFilesOf({ backend, audit }: Config): StartFiles {
  const logs = audit === null ? [] : [audit.path];
  if (backend.kind === 'rest') return { own: [LENDING_TOKEN_FILE], shared: logs };
  const database = /^sqlite:(?!:memory:)(.+)$/su.exec(backend.databaseUrl)?.[1];
  return database === undefined
    ? { own: [], shared: logs }
    : { own: [`${database}.api-token`], shared: [...logs, database] };
}

/** Records which of the files do not exist yet, so that a failed start leaves nothing behind. */
export async function trackNewFiles({ own, shared }: StartFiles): Promise<NewFiles> {
  const newOwn = await missingPaths(own);
  const newShared = await missingPaths(shared);
  const folders = await missingPaths([...own, ...shared].flatMap(parentFolders));
  let isKept = false;
  return {
    keep: () => {
      isKept = true;
    },
    remove: async () => {
      if (isKept) return;
      // A failure to remove a file must not hide why the start failed.
      for (const file of newOwn) await rm(file, { force: true }).catch(() => {});
      for (const file of newShared) if (await isEmptyFile(file)) await rm(file, { force: true }).catch(() => {});
      // The innermost first. A folder that is not empty is not removed.
      for (const folder of folders.toSorted((one, other) => other.length - one.length)) {
        await rmdir(folder).catch(() => {});
      }
    },
  };
}

async function missingPaths(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    [...new Set(paths)].map((path) =>
      access(path).then(
        () => [],
        () => [path],
      ),
    ),
  );
  return found.flat();
}

function parentFolders(path: string): readonly string[] {
  const folder = dirname(resolve(path));
  return folder === dirname(folder) ? [folder] : [folder, ...parentFolders(folder)];
}

const isEmptyFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile() && stats.size === 0,
    () => false,
  );
