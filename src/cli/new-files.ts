import { access, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

export interface NewFiles {
  /** From now on they stay. */
  keep(): void;
  /** Removes the files that were not there before, and the folders that were made for them, unless they are to stay. */
  remove(): Promise<void>;
}

export interface Candidates {
  /** Small files that a start makes. */
  readonly files: readonly string[];
  /** The same, but one that others may have written to meanwhile stays where it is not empty. */
  readonly logs: readonly string[];
  /** Files that a start makes and that are not removed: only the folders are, where nothing is in them. */
  readonly kept: readonly string[];
}

/** Notes what a start may make and what is not there yet, so that a start that fails leaves nothing behind. */
export async function noteNewFiles({ files, logs, kept }: Candidates): Promise<NewFiles> {
  const newFiles = await missing(files);
  const newLogs = await missing(logs);
  const folders = await missing([...files, ...logs, ...kept].flatMap(foldersAbove));
  let isKept = false;
  return {
    keep: () => {
      isKept = true;
    },
    remove: async () => {
      if (isKept) return;
      // That one can't be removed must not hide why the start failed.
      for (const file of newFiles) await rm(file, { force: true }).catch(() => {});
      for (const file of newLogs) if (await isEmpty(file)) await rm(file, { force: true }).catch(() => {});
      // The innermost first; one that holds something stays.
      for (const folder of folders.toSorted((one, other) => other.length - one.length)) {
        await rmdir(folder).catch(() => {});
      }
    },
  };
}

async function missing(paths: readonly string[]): Promise<readonly string[]> {
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

function foldersAbove(path: string): readonly string[] {
  const folder = dirname(resolve(path));
  return folder === dirname(folder) ? [folder] : [folder, ...foldersAbove(folder)];
}

const isEmpty = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile() && stats.size === 0,
    () => false,
  );
