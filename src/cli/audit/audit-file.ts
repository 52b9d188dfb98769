import { constants, type FileHandle, open } from 'node:fs/promises';
import { type Log, silent } from '../../domain/log.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { createLineEnds } from './line-appender.ts';

/** Appends whole lines, each with its end. Without any it tells whether the file can be opened for appending. */
export type AppendLines = (lines: string) => Promise<Result<void, string>>;

/** So many characters wait for the disk at one time; a line on top fails at once, */
const MAX_WAITING = 16 * 1024 ** 2;

/** and so long, in milliseconds: a disk that takes longer does not keep the callers. */
const MAX_WAIT_MS = 5_000;

interface Waiting {
  readonly line: string;
  readonly settle: (result: Result<void, string>) => void;
}

/**
 * A file that only grows, by whole lines. What comes while the disk is busy is gathered, and goes to it as one write and
 * one fdatasync. The file is opened for each of them: one that was moved away (logrotate) begins anew, and a disk that has
 * room again is used again. Several processes may append to one file. Empty lines mean nothing.
 */
export function createAuditFile(path: string, log: Log = silent): AppendLines {
  let waiting: Waiting[] = [];
  let waitingChars = 0;
  let isBusy = false;
  const append = createAppend(path, log);
  const appendAll = async () => {
    isBusy = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      waitingChars = 0;
      const result = await append(batch.map(({ line }) => line).join(''));
      for (const { settle } of batch) settle(result);
    }
    isBusy = false;
  };
  return (line) => {
    if (waitingChars + line.length > MAX_WAITING) return Promise.resolve(err('too much waits for the disk'));
    const { promise, resolve } = Promise.withResolvers<Result<void, string>>();
    const timer = setTimeout(() => resolve(err(`the disk takes longer than ${MAX_WAIT_MS} ms`)), MAX_WAIT_MS);
    const settle = (result: Result<void, string>) => {
      clearTimeout(timer);
      resolve(result);
    };
    waiting.push({ line, settle });
    waitingChars += line.length;
    if (!isBusy) void appendAll();
    return promise;
  };
}

/** Not to be called while a call is under way. */
function createAppend(path: string, log: Log): AppendLines {
  const closeToOthers = createCloser(path, log);
  const appendLines = createLineEnds();
  const appendTo = async (file: FileHandle, lines: string): Promise<Result<void, string>> => {
    const stats = await file.stat();
    // A pipe has neither a mode of ours nor a disk behind it.
    if (stats.isFile()) await closeToOthers(file, stats);
    const problem = await appendLines(file, { isFile: stats.isFile(), size: stats.size, lines });
    if (problem !== null) return err(problem);
    if (stats.isFile() && lines !== '') await file.datasync();
    return ok(undefined);
  };
  return async (lines) => {
    try {
      const file = await open(path, APPENDING, OWNER_ONLY);
      return await appendTo(file, lines).finally(() => file.close());
    } catch (error) {
      return err(codeOf(error));
    }
  };
}

/** A pipe that is full must not hold a thread: the process could not end before somebody reads it. */
const APPENDING = constants.O_CREAT | constants.O_APPEND | constants.O_RDWR | constants.O_NONBLOCK;

/** Only its owner may read who wrote what. */
const OWNER_ONLY = 0o600;

interface FileStats {
  readonly mode: number;
  readonly ino: number;
}

/** A file that was made before, by a person or by logrotate, is closed to others; one that can't be is told of once. */
function createCloser(path: string, log: Log) {
  let told: number | null = null;
  return async (file: FileHandle, { mode, ino }: FileStats): Promise<void> => {
    if ((mode & 0o077) === 0 || told === ino) return;
    try {
      await file.chmod(OWNER_ONLY);
    } catch (error) {
      told = ino;
      log('warn', 'others can read the audit log', { path, mode: (mode & 0o777).toString(8), reason: codeOf(error) });
    }
  };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
