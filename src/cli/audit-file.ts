import { type FileHandle, open } from 'node:fs/promises';
import { err, ok, type Result } from '../domain/result.ts';

/** Appends whole lines, each with its end. */
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
export function createAuditFile(path: string): AppendLines {
  let waiting: Waiting[] = [];
  let waitingChars = 0;
  let isBusy = false;
  const append = createAppend(path);
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
function createAppend(path: string): AppendLines {
  /** Whether the file ends with half a line, which a crash or a full disk left; null where nobody has looked yet. */
  let isTorn: boolean | null = null;
  const appendTo = async (file: FileHandle, lines: string): Promise<Result<void, string>> => {
    const stats = await file.stat();
    isTorn ??= stats.isFile() && (await lastByte(file, stats.size)) !== LINE_END;
    // Half a line stays what it is, and a new one begins.
    const bytes = Buffer.from(isTorn ? `\n${lines}` : lines);
    const { bytesWritten } = await file.write(bytes);
    isTorn = bytesWritten > 0 ? bytesWritten < bytes.length : isTorn;
    if (bytesWritten < bytes.length) return err(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    // A pipe has no disk behind it.
    if (stats.isFile()) await file.datasync();
    return ok(undefined);
  };
  return async (lines) => {
    try {
      // Only its owner may read who wrote what.
      const file = await open(path, 'a+', 0o600);
      return await appendTo(file, lines).finally(() => file.close());
    } catch (error) {
      return err(error instanceof Error && 'code' in error ? String(error.code) : String(error));
    }
  };
}

const LINE_END = 0x0a;

async function lastByte(file: FileHandle, size: number): Promise<number | undefined> {
  if (size === 0) return LINE_END;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0];
}
