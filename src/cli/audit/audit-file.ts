import { constants, type FileHandle, open } from 'node:fs/promises';
import { type Log, silentLog } from '../../base/log.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { createLineAppender } from './line-appender.ts';

/** Appends whole lines, each with its line feed. An empty string checks that the file can be opened for appending. */
export type AppendLines = (lines: string) => Promise<Result<void, string>>;

/** Characters that may wait for the disk. Further lines fail at once. */
const MAX_PENDING_CHARS = 16 * 1024 ** 2;

/** The longest that a caller waits for the disk, in milliseconds. */
const MAX_DISK_WAIT_MS = 5_000;

interface PendingLine {
  readonly line: string;
  readonly settle: (result: Result<void, string>) => void;
}

/**
 * Appends whole lines to a file. Lines that arrive while the disk is busy are written together, with one write and one
 * fdatasync. The file is opened for each write, so that rotation and a disk that was full need no restart. Several
 * processes may append to the same file. Empty lines have no meaning.
 */
export function createAuditFile(path: string, log: Log = silentLog): AppendLines {
  let pendingLines: PendingLine[] = [];
  let pendingChars = 0;
  let isAppending = false;
  const append = createFileAppender(path, log);
  const appendAll = async () => {
    isAppending = true;
    while (pendingLines.length > 0) {
      const batch = pendingLines;
      pendingLines = [];
      pendingChars = 0;
      const result = await append(batch.map(({ line }) => line).join(''));
      for (const { settle } of batch) settle(result);
    }
    isAppending = false;
  };
  return (line) => {
    if (pendingChars + line.length > MAX_PENDING_CHARS) return Promise.resolve(err('too much waits for the disk'));
    const { promise, resolve } = Promise.withResolvers<Result<void, string>>();
    const timer = setTimeout(() => resolve(err(`the disk takes longer than ${MAX_DISK_WAIT_MS} ms`)), MAX_DISK_WAIT_MS);
    const settle = (result: Result<void, string>) => {
      clearTimeout(timer);
      resolve(result);
    };
    pendingLines.push({ line, settle });
    pendingChars += line.length;
    if (!isAppending) void appendAll();
    return promise;
  };
}

/** The function must not be called while an earlier call is in progress. */
function createFileAppender(path: string, log: Log): AppendLines {
  const restrictToOwner = createOwnerRestriction(path, log);
  const appendLines = createLineAppender();
  const appendTo = async (file: FileHandle, lines: string): Promise<Result<void, string>> => {
    const stats = await file.stat();
    // The mode of a pipe is not ours, and it has no disk.
    if (stats.isFile()) await restrictToOwner(file, stats);
    const problem = await appendLines(file, { isFile: stats.isFile(), size: stats.size, lines });
    if (problem !== null) return err(problem);
    if (stats.isFile() && lines !== '') await file.datasync();
    return ok(undefined);
  };
  return async (lines) => {
    try {
      const file = await open(path, APPEND_FLAGS, OWNER_ONLY_MODE);
      return await appendTo(file, lines).finally(() => file.close());
    } catch (error) {
      return err(fileErrorCodeOf(error));
    }
  };
}

/** O_NONBLOCK: a write to a full pipe would block a thread, and the process could not exit until the pipe is read. */
const APPEND_FLAGS = constants.O_CREAT | constants.O_APPEND | constants.O_RDWR | constants.O_NONBLOCK;

const OWNER_ONLY_MODE = 0o600;

interface FileStats {
  readonly mode: number;
  readonly ino: number;
}

/** Removes permissions of other users from a file made by a person or by logrotate. Warns once per file on failure. */
function createOwnerRestriction(path: string, log: Log) {
  let warnedInode: number | null = null;
  return async (file: FileHandle, { mode, ino }: FileStats): Promise<void> => {
    if ((mode & 0o077) === 0 || warnedInode === ino) return;
    try {
      await file.chmod(OWNER_ONLY_MODE);
    } catch (error) {
      warnedInode = ino;
      log('warn', 'other users can read the audit log', {
        path,
        mode: (mode & 0o777).toString(8),
        reason: fileErrorCodeOf(error),
      });
    }
  };
}

const fileErrorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
