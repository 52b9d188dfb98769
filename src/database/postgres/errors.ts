import type { Failure } from '../dialect.ts';

/** A connection that could not be made, or that ended: what was asked last over it has no answer. */
export class ConnectionLost extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    const code = codeOf(cause) ?? 'CONNECTION';
    super(cause instanceof Error && cause.message !== '' ? cause.message : code, { cause });
    this.code = code;
  }
}

/** The system's code, such as ECONNRESET, or PostgreSQL's, such as 40P01. A connection that just ended has none. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

type Kind = Failure['kind'];

/**
 * What PostgreSQL's codes say of a call, by their class or in full (postgresql.org/docs/current/errcodes-appendix.html).
 * A server that answers COMMIT with an error has rolled back. One that ends the connection meanwhile may have done either.
 */
const FAILURES: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['08', 'uncertain'], // the connection failed
  ['0A000', 'uncertain'], // a plan that a pooler kept does not fit any more
  ['25006', 'refused'], // the server takes no writes, as a standby does
  ['25P03', 'uncertain'], // ended, since the transaction was idle for too long
  ['26000', 'uncertain'], // a pooler has given us a session that knows no such prepared statement
  ['28', 'refused'], // the user or the password is wrong
  ['3D000', 'refused'], // there is no such database
  ['40001', 'conflict'], // serialization failure
  ['40P01', 'conflict'], // deadlock
  ['42501', 'refused'], // the user may not do this
  ['53', 'refused'], // no disk, memory or connections left
  ['54', 'refused'], // more than the server takes, such as a key of kilobytes
  ['42P05', 'uncertain'], // or one that knows another of this name
  ['55P03', 'refused'], // waited for a lock for too long
  ['57014', 'uncertain'], // took too long
  ['57P', 'uncertain'], // the server stops, crashed or starts
  ['58', 'uncertain'], // a file of the server failed
  ['XX001', 'uncertain'], // a page of the server is broken
  ['XX002', 'uncertain'], // an index of the server is broken
]);

export function postgresFailure(error: unknown): Failure | null {
  const code = codeOf(error);
  if (code === undefined) return null;
  if (error instanceof ConnectionLost) return { kind: 'uncertain', code };
  const prefixes = [code, code.slice(0, 3), code.slice(0, 2)];
  const kind = prefixes.map((prefix) => FAILURES.get(prefix)).find((found) => found !== undefined);
  return kind ? { kind, code } : null;
}

/** Classes of errors that are about a statement, and behind which a session is what it was. */
const ABOUT_STATEMENT = new Set(['22', '23', '25', '40', '53', '54', '55', '57']);

/** Whether a connection may serve others after an error: after one that is not foreseen, nobody knows what it is in. */
export const leavesSessionUsable = (error: unknown): boolean => ABOUT_STATEMENT.has((codeOf(error) ?? '').slice(0, 2));

const FOREIGN_KEY_VIOLATION = '23503';

export const isForeignKeyViolation = (error: unknown): boolean => codeOf(error) === FOREIGN_KEY_VIOLATION;
