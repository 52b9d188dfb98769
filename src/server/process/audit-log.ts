import type { Stats } from 'node:fs';
import { access, constants, type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MAX_AUDIT_WAIT_MS, MAX_PENDING_AUDIT_CHARS } from '../../core/base/limits.ts';
import { type Log, silentLog } from '../../core/base/log.ts';
import { toPrintableJson } from '../../core/base/printable.ts';
import { err, ok, type Result } from '../../core/base/result.ts';
import type { Config } from '../config.ts';

type AuditConfig = NonNullable<Config['audit']>;

export interface AuditLog extends Pick<AuditConfig, 'failureMode'> {
  readonly append: AppendLines;
}

/** Opens the log; null when writes are not recorded. Fails if the file can't be opened and every write would be refused. */
export async function openAuditLog(config: AuditConfig | null, log: Log): Promise<Result<AuditLog | null, string>> {
  if (config === null) return ok(null);
  const { path, failureMode } = config;
  const append = createAuditFile(path, log);
  const opened = await append('');
  if (!opened.ok && failureMode === 'closed') return err(errorMessage(config, opened.error));
  if (!opened.ok) {
    log('error', 'the audit log cannot be written', { path, reason: opened.error, writes: 'sent without a record' });
  }
  return ok({ append, failureMode });
}

const errorMessage = ({ path, setting, failureMode }: AuditConfig, reason: string): string =>
  `${setting} is ${toPrintableJson(path)}, which cannot be written (${reason}): ${CONSEQUENCES[failureMode]}`;

const CONSEQUENCES = { closed: 'no write would be taken', open: 'writes are sent without a record' };

/** Checks whether the log can be opened, and changes nothing. The value is a warning where the log is not required. */
export async function checkAuditLog(config: AuditConfig): Promise<Result<string | null, string>> {
  const reason = await findAppendProblem(config.path);
  if (reason === null) return ok(null);
  const message = errorMessage(config, reason);
  return config.failureMode === 'closed' ? err(message) : ok(message);
}

async function findAppendProblem(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null);
  if (stats !== null && !stats.isFile()) return 'it is no file';
  // The slash makes the check fail for a path that is no folder.
  return access(stats === null ? `${dirname(path)}/` : path, constants.R_OK | constants.W_OK).then(
    () => null,
    fileErrorCodeOf,
  );
}

/** Appends whole lines, each with its line feed. An empty string checks that the file can be opened for appending. */
type AppendLines = (lines: string) => Promise<Result<void, string>>;

interface PendingLine {
  readonly line: string;
  readonly resolve: (result: Result<void, string>) => void;
}

/**
 * Appends whole lines to a file. Lines that arrive while the disk is busy are written together, with one write and one
 * fdatasync. The file is opened for each write, so that rotation and a full disk need no restart. Several processes may
 * append to the same file.
 * @internal Exported for tests.
 */
export function createAuditFile(path: string, log: Log = silentLog): AppendLines {
  let pendingLines: PendingLine[] = [];
  let pendingChars = 0;
  let isAppending = false;
  const appendToFile = createAppender(path, log);
  const appendAll = async () => {
    isAppending = true;
    while (pendingLines.length > 0) {
      const batch = pendingLines;
      pendingLines = [];
      pendingChars = 0;
      const result = await appendToFile(batch.map(({ line }) => line).join(''));
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

/**
 * Returns a function that appends to the file by one write, so that lines stay whole. The write begins with a line end
 * where the file ends with a partial line, after a crash, a full disk, or the end of another process that appends to the
 * same file.
 */
function createAppender(path: string, log: Log): AppendLines {
  /** The file for which a warning was logged that others can read it. */
  let warnedInode: number | null = null;

  /** Removes the permissions of other users from a file made by a person or by logrotate. Warns once per file on failure. */
  async function restrictToOwner(file: FileHandle, { mode, ino }: Stats): Promise<void> {
    if ((mode & 0o077) === 0 || warnedInode === ino) return;
    try {
      await file.chmod(OWNER_ONLY_MODE);
    } catch (error) {
      warnedInode = ino;
      const fields = { path, mode: (mode & 0o777).toString(8), reason: fileErrorCodeOf(error) };
      log('warn', 'other users can read the audit log', fields);
    }
  }

  async function appendTo(file: FileHandle, lines: string): Promise<Result<void, string>> {
    const stats = await file.stat();
    if (!stats.isFile()) return err('it is no file');
    await restrictToOwner(file, stats);
    if (lines === '') return ok(undefined);
    const isApart = await endsWithLineEnd(file, stats.size);
    const written = await writeWhole(file, isApart ? lines : `\n${lines}`);
    if (!written.ok) return written;
    if (isApart && !(await hasLinesAfter(file, stats.size, lines))) {
      const repeated = await writeWhole(file, `\n${lines}`);
      if (!repeated.ok) return repeated;
    }
    await file.datasync();
    return ok(undefined);
  }

  return async (lines) => {
    try {
      const file = await open(path, APPEND_FLAGS, OWNER_ONLY_MODE);
      return await appendTo(file, lines).finally(() => file.close());
    } catch (error) {
      return err(fileErrorCodeOf(error));
    }
  };
}

async function writeWhole(file: FileHandle, text: string): Promise<Result<void, string>> {
  const bytes = Buffer.from(text);
  const { bytesWritten } = await file.write(bytes);
  return bytesWritten < bytes.length
    ? err(`only ${bytesWritten} of ${bytes.length} bytes were written`)
    : ok(undefined);
}

async function readFrom(file: FileHandle, start: number, end: number): Promise<string> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.max(0, end - start)), position: start });
  return buffer.toString('utf8', 0, bytesRead);
}

const endsWithLineEnd = async (file: FileHandle, size: number): Promise<boolean> =>
  size === 0 || (await readFrom(file, size - 1, size)) === '\n';

/** False where another process has appended a partial line just before, so that the first of the lines continues it. */
async function hasLinesAfter(file: FileHandle, start: number, lines: string): Promise<boolean> {
  const { size } = await file.stat();
  if (size === start + Buffer.byteLength(lines)) return true;
  return `\n${await readFrom(file, start, size)}`.includes(`\n${lines}`);
}

/** The flags for appending. With O_NONBLOCK, opening a pipe, which is refused later, does not wait for a reader. */
const APPEND_FLAGS = constants.O_CREAT | constants.O_APPEND | constants.O_RDWR | constants.O_NONBLOCK;

const OWNER_ONLY_MODE = 0o600;

const fileErrorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
