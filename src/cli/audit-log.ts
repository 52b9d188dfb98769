import type { Stats } from 'node:fs';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_AUDIT_WAIT_MS, MAX_PENDING_AUDIT_CHARS } from '../base/limits.ts';
import { type Log, silentLog } from '../base/log.ts';
import { toPrintableJson } from '../base/printable.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { Config } from '../config.ts';

type AuditConfig = NonNullable<Config['audit']>;

export interface AuditLog extends Pick<AuditConfig, 'failureMode'> {
  readonly append: AppendLines;
}

/** Null when writes are not recorded. Fails if the file cannot be opened and every write would be refused. */
export async function openAuditLog(config: AuditConfig | null, log: Log): Promise<Result<AuditLog | null, string>> {
  if (config === null) return ok(null);
  const { path, failureMode, setting } = config;
  const append = createAuditFile(path, log);
  const opened = await append('');
  if (!opened.ok && failureMode === 'closed') {
    return err(
      `${setting} is ${toPrintableJson(path)}, which cannot be written (${opened.error}): no write would be taken`,
    );
  }
  if (!opened.ok) {
    log('error', 'the audit log cannot be written', { path, reason: opened.error, writes: 'sent without a record' });
  }
  return ok({ append, failureMode });
}

/** Appends whole lines, each with its line feed. An empty string checks that the file can be opened for appending. */
type AppendLines = (lines: string) => Promise<Result<void, string>>;

interface PendingLine {
  readonly line: string;
  readonly resolve: (result: Result<void, string>) => void;
}

/**
 * Appends whole lines to a file. Lines that arrive while the disk is busy are written together, with one write and one
 * fdatasync. The file is opened for each write, so that rotation and a disk that was full need no restart. Several
 * processes may append to the same file. Empty lines have no meaning.
 * @internal Exported for tests.
 */
export function createAuditFile(path: string, log: Log = silentLog): AppendLines {
  let pendingLines: PendingLine[] = [];
  let pendingChars = 0;
  let isAppending = false;
  const file = new FileAppender(path, log);
  const appendAll = async () => {
    isAppending = true;
    while (pendingLines.length > 0) {
      const batch = pendingLines;
      pendingLines = [];
      pendingChars = 0;
      const result = await file.append(batch.map(({ line }) => line).join(''));
      for (const pending of batch) pending.resolve(result);
    }
    isAppending = false;
  };
  return (line) => {
    if (pendingChars + line.length > MAX_PENDING_AUDIT_CHARS)
      return Promise.resolve(err('too much waits for the disk'));
    const { promise, resolve } = Promise.withResolvers<Result<void, string>>();
    const timer = setTimeout(
      () => resolve(err(`the disk takes longer than ${MAX_AUDIT_WAIT_MS} ms`)),
      MAX_AUDIT_WAIT_MS,
    );
    const resolveInTime = (result: Result<void, string>) => {
      clearTimeout(timer);
      resolve(result);
    };
    pendingLines.push({ line, resolve: resolveInTime });
    pendingChars += line.length;
    if (!isAppending) void appendAll();
    return promise;
  };
}

/** Opens the file for each write. `append` must not be called while an earlier call is in progress. */
class FileAppender {
  readonly #path: string;
  readonly #log: Log;
  /** True when the last write to a pipe ended in a partial line. */
  #isPipeTorn = false;
  /** The file of which a warning says that others can read it. */
  #warnedInode: number | null = null;

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  async append(lines: string): Promise<Result<void, string>> {
    try {
      const file = await open(this.#path, APPEND_FLAGS, OWNER_ONLY_MODE);
      return await this.#appendTo(file, lines).finally(() => file.close());
    } catch (error) {
      return err(fileErrorCodeOf(error));
    }
  }

  async #appendTo(file: FileHandle, lines: string): Promise<Result<void, string>> {
    const stats = await file.stat();
    // The mode of a pipe is not ours, and it has no disk. It cannot be read back either.
    if (!stats.isFile()) return this.#appendToPipe(file, lines);
    await this.#restrictToOwner(file, stats);
    const problem = await appendToFile(file, stats.size, lines);
    if (problem !== null) return err(problem);
    if (lines !== '') await file.datasync();
    return ok(undefined);
  }

  async #appendToPipe(file: FileHandle, lines: string): Promise<Result<void, string>> {
    const problem = await writeFully(file, Buffer.from(this.#isPipeTorn ? `\n${lines}` : lines), PIPE_TIMEOUT_MS);
    this.#isPipeTorn = problem !== null;
    return problem === null ? ok(undefined) : err(problem);
  }

  /** Removes permissions of other users from a file made by a person or by logrotate. Warns once per file on failure. */
  async #restrictToOwner(file: FileHandle, { mode, ino }: Stats): Promise<void> {
    if ((mode & 0o077) === 0 || this.#warnedInode === ino) return;
    try {
      await file.chmod(OWNER_ONLY_MODE);
    } catch (error) {
      this.#warnedInode = ino;
      const reason = fileErrorCodeOf(error);
      const fields = { path: this.#path, mode: (mode & 0o777).toString(8), reason };
      this.#log('warn', 'other users can read the audit log', fields);
    }
  }
}

/** O_NONBLOCK: a write to a full pipe would block a thread, and the process could not exit until the pipe is read. */
const APPEND_FLAGS = constants.O_CREAT | constants.O_APPEND | constants.O_RDWR | constants.O_NONBLOCK;

const OWNER_ONLY_MODE = 0o600;

const fileErrorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

const LINE_END = 0x0a;

/** The most that is read back to find the written lines, in bytes. */
const MAX_READ_BACK = 64 * 1024 ** 2;

/** The number of leading bytes by which the written lines are found. */
const PREFIX_BYTES = 256;

/**
 * Appends whole lines with one write, so that they stay whole, and makes sure that they start on a new line. A partial
 * line may precede them at any time: after a crash, a full disk, or the death of another process that appends to the
 * same file. It is left as it is, but for its missing end. Returns the problem, or null if there is none.
 */
async function appendToFile(file: FileHandle, size: number, lines: string): Promise<string | null> {
  const isTorn = !(await isLineEnd(file, size - 1));
  const bytes = Buffer.from(isTorn ? `\n${lines}` : lines);
  if (bytes.length === 0) return null;
  const problem = await writeFully(file, bytes);
  if (problem !== null || isTorn || (await beginsLine(file, size, bytes))) return problem;
  // Another process has written a partial line between our check and our write.
  return writeFully(file, Buffer.from(`\n${lines}`));
}

/** How long a full pipe is retried, and the pause between two tries, in milliseconds. */
const PIPE_TIMEOUT_MS = 4_000;
const PIPE_PAUSE_MS = 20;

/**
 * A file takes everything in one write unless the disk is full. A non-blocking pipe takes as much as it has room for.
 */
async function writeFully(file: FileHandle, bytes: Buffer, retryMs = 0): Promise<string | null> {
  const until = performance.now() + retryMs;
  let written = await writeSome(file, bytes);
  while (written < bytes.length && performance.now() < until) {
    await delay(PIPE_PAUSE_MS);
    written += await writeSome(file, bytes.subarray(written));
  }
  return written < bytes.length ? `only ${written} of ${bytes.length} bytes were written` : null;
}

async function writeSome(file: FileHandle, bytes: Buffer): Promise<number> {
  try {
    return (await file.write(bytes)).bytesWritten;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0;
    throw error;
  }
}

/** Also true before the first byte of the file. */
async function isLineEnd(file: FileHandle, position: number): Promise<boolean> {
  if (position < 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position);
  return buffer[0] === LINE_END;
}

/**
 * False if the bytes were found in the middle of a line. `from` is the size of the file before, at the end of a line.
 */
async function beginsLine(file: FileHandle, from: number, bytes: Buffer): Promise<boolean> {
  const { size } = await file.stat();
  if (size === from + bytes.length) return true;
  // Other processes have appended too.
  const length = Math.min(size - from, MAX_READ_BACK);
  if (length <= 0) return true;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  const position = buffer.subarray(0, bytesRead).indexOf(bytes.subarray(0, PREFIX_BYTES));
  return position === 0 || (position > 0 && buffer[position - 1] === LINE_END);
}
