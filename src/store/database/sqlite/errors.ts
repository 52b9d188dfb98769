import type { DatabaseFailure } from '../dialect.ts';

/** Thrown when open files were removed, moved or replaced: what is written to them is lost at the next start. */
export class FilesReplacedError extends Error {
  readonly isCommitted: boolean;

  constructor(isCommitted: boolean) {
    super('The files of the store were removed or replaced while it is open');
    this.isCommitted = isCommitted;
  }
}

const BUSY = 5;
const CONSTRAINT_FOREIGNKEY = 787;

/** Primary result codes that are failures of a call (sqlite.org/rescode.html). */
const FAILURE_KINDS: ReadonlyMap<number, DatabaseFailure['kind']> = new Map<number, DatabaseFailure['kind']>([
  [BUSY, 'busy'],
  [6, 'refused'], // LOCKED
  [8, 'refused'], // READONLY
  [10, 'uncertain'], // IOERR
  [13, 'refused'], // FULL
  [14, 'refused'], // CANTOPEN
]);

export function sqliteFailureOf(error: unknown): DatabaseFailure | null {
  if (error instanceof FilesReplacedError) {
    return { kind: error.isCommitted ? 'uncertain' : 'refused', code: 'FILES_GONE' };
  }
  const code = resultCodeOf(error);
  const kind = FAILURE_KINDS.get(primaryCodeOf(code));
  return kind ? { kind, code } : null;
}

/** True when another process has locked the database. */
export const isBusyError = (error: unknown): boolean => primaryCodeOf(resultCodeOf(error)) === BUSY;

export const isSqliteForeignKeyViolation = (error: unknown): boolean => resultCodeOf(error) === CONSTRAINT_FOREIGNKEY;

/** The extended result code; 0 for errors that SQLite did not raise. */
const resultCodeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

/** The primary code is the lowest byte of the extended one. */
const primaryCodeOf = (resultCode: number): number => resultCode & 0xff;
