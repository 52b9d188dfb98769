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

/** Primary result codes that are failures of a call, with their names (sqlite.org/rescode.html). */
const FAILURES: ReadonlyMap<number, DatabaseFailure> = new Map<number, DatabaseFailure>([
  [BUSY, { kind: 'busy', code: 'SQLITE_BUSY' }],
  [6, { kind: 'refused', code: 'SQLITE_LOCKED' }],
  [8, { kind: 'refused', code: 'SQLITE_READONLY' }],
  [10, { kind: 'uncertain', code: 'SQLITE_IOERR' }],
  [13, { kind: 'refused', code: 'SQLITE_FULL' }],
  [14, { kind: 'refused', code: 'SQLITE_CANTOPEN' }],
]);

/** What failed, by the second byte of the code of an I/O error that a disk may cause. */
const IO_ERRORS: Readonly<Record<number, string>> = {
  1: 'READ',
  2: 'SHORT_READ',
  3: 'WRITE',
  4: 'FSYNC',
  5: 'DIR_FSYNC',
  6: 'TRUNCATE',
  7: 'FSTAT',
  12: 'NOMEM',
  15: 'LOCK',
  18: 'SHMOPEN',
  19: 'SHMSIZE',
  21: 'SHMMAP',
};

export function sqliteFailureOf(error: unknown): DatabaseFailure | null {
  if (error instanceof FilesReplacedError) {
    return { kind: error.isCommitted ? 'uncertain' : 'refused', code: 'FILES_GONE' };
  }
  const code = resultCodeOf(error);
  const failure = FAILURES.get(primaryCodeOf(code));
  const detail = failure?.code === 'SQLITE_IOERR' ? IO_ERRORS[code >> 8] : undefined;
  return failure && detail ? { ...failure, code: `${failure.code}_${detail}` } : (failure ?? null);
}

/** True when another process has locked the database. */
export const isBusyError = (error: unknown): boolean => primaryCodeOf(resultCodeOf(error)) === BUSY;

export const isSqliteForeignKeyViolation = (error: unknown): boolean => resultCodeOf(error) === CONSTRAINT_FOREIGNKEY;

/** The extended result code; 0 for errors that SQLite did not raise. */
const resultCodeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;

/** The primary code is the lowest byte of the extended one. */
const primaryCodeOf = (resultCode: number): number => resultCode & 0xff;
