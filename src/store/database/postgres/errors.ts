import type { DatabaseFailure } from '../dialect.ts';

/** Thrown when a connection could not be made or was lost, so that the result of its last statement is unknown. */
export class ConnectionLostError extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    const code = errorCodeOf(cause) ?? 'CONNECTION';
    super(cause instanceof Error && cause.message !== '' ? cause.message : code, { cause });
    this.code = code;
  }
}

/** The system's code, such as ECONNRESET, or PostgreSQL's, such as 40P01. A connection that was closed has none. */
const errorCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

type FailureKind = DatabaseFailure['kind'];

/**
 * Error codes, or their classes, that are failures of a call (postgresql.org/docs/current/errcodes-appendix.html).
 * A server that returns an error for COMMIT has rolled back. One that ends the connection instead may have committed.
 */
const FAILURE_KINDS: ReadonlyMap<string, FailureKind> = new Map<string, FailureKind>([
  ['08', 'uncertain'], // the connection failed
  ['0A000', 'uncertain'], // a plan that a pooler cached no longer fits
  ['25006', 'refused'], // the server takes no writes, as a standby does
  ['25P03', 'uncertain'], // the transaction was idle for too long
  ['26000', 'uncertain'], // a pooler gave us a session without this prepared statement
  ['28', 'refused'], // the user or the password is wrong
  ['3D000', 'refused'], // there is no such database
  ['3F', 'refused'], // there is no such schema
  ['40001', 'conflict'], // serialization failure
  ['40P01', 'conflict'], // deadlock
  ['42501', 'refused'], // the user lacks a privilege
  ['53', 'refused'], // no disk, memory or connections left
  ['54', 'refused'], // over a limit of the server, such as a key of kilobytes
  ['42P05', 'uncertain'], // a pooler gave us a session with another statement of this name
  ['55P03', 'refused'], // a lock was not released in time
  ['57014', 'uncertain'], // the statement took too long
  ['57P', 'uncertain'], // the server stops, starts or has crashed
  ['58', 'uncertain'], // a file of the server failed
  ['XX001', 'uncertain'], // a page of the server is broken
  ['XX002', 'uncertain'], // an index of the server is broken
]);

export function postgresFailureOf(error: unknown): DatabaseFailure | null {
  const code = errorCodeOf(error);
  if (code === undefined) return null;
  if (error instanceof ConnectionLostError) return { kind: 'uncertain', code };
  const prefixes = [code, code.slice(0, 3), code.slice(0, 2)];
  const kind = prefixes.map((prefix) => FAILURE_KINDS.get(prefix)).find((found) => found !== undefined);
  return kind ? { kind, code } : null;
}

const FOREIGN_KEY_VIOLATION = '23503';

export const isPostgresForeignKeyViolation = (error: unknown): boolean => errorCodeOf(error) === FOREIGN_KEY_VIOLATION;
