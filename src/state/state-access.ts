import { setTimeout } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Log } from '../base/log.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { DatabaseFailure } from '../database/dialect.ts';
import type { WriteQueue } from '../database/write-queue.ts';
import { StateUnavailable } from './state-unavailable.ts';
import type { StateDatabase } from './tables/state-database.ts';

/** The state, and its time as an expression. */
export interface State extends StateDatabase {
  readonly clock: RawBuilder<number>;
  /** The service whose keys these are. */
  readonly service: string;
  /** The work that is left after a text was deleted. */
  readonly deletions: Deletions;
}

interface Deletions {
  /** True while the log of the database may hold deleted texts. */
  areInLog: boolean;
}

/** The parts that all methods of one ledger share. */
export interface StateAccess {
  readonly database: StateDatabase;
  readonly service: string;
  readonly log: Log;
  /** Orders all writes when the dialect has one writer at a time. */
  readonly writeQueue: WriteQueue;
  /** The clock of this process, for a database without one. */
  readonly now: () => number;
  readonly isClosed: () => boolean;
  readonly deletions: Deletions;
}

/** Retries after a conflict. The longest delay, in milliseconds, doubles with each of them. */
const MAX_RETRIES = 4;
const FIRST_RETRY_DELAY_MS = 20;

/** Retries after a failure that may have happened after the commit. */
const MAX_UNCERTAIN_RETRIES = 1;

/** How long a write waits for a writer in another process, in milliseconds, when the dialect has one writer at a time. */
const BUSY_TIMEOUT_MS = 5_000;

type Work<T> = (state: State) => Promise<T>;

/** Runs `work` in one transaction. After a conflict or a lost connection it runs again, so it has its effect once. */
export async function writeState<T>(access: StateAccess, work: Work<T>): Promise<T> {
  const attempt = await attemptExclusively(access, work);
  if (attempt.ok) return attempt.value;
  throw unavailable(access, attempt.error);
}

/** Runs `work` without a transaction: what belongs together is read by one statement. */
export async function readState<T>(access: StateAccess, work: Work<T>): Promise<T> {
  const attempt = await settle(access, () => work(stateOf(access, access.database)));
  if (attempt.ok) return attempt.value;
  throw unavailable(access, attempt.error);
}

interface Failure {
  readonly kind: DatabaseFailure['kind'];
  readonly code: number | string;
  readonly cause: unknown;
}

type Attempt<T> = Result<T, Failure>;

function attemptExclusively<T>(access: StateAccess, work: Work<T>): Promise<Attempt<T>> {
  const { database, writeQueue } = access;
  const attempt = () => attemptWithRetries(access, work);
  if (!database.dialect.hasOneWriter) return attempt();
  return writeQueue.retryWhileBusy(attempt, {
    isBusy: (result) => !result.ok && result.error.kind === 'busy',
    timeoutMs: BUSY_TIMEOUT_MS,
  });
}

async function attemptWithRetries<T>(access: StateAccess, work: Work<T>): Promise<Attempt<T>> {
  const attemptOnce = () =>
    settle(access, () =>
      access.database.db.transaction().execute((db) => work(stateOf(access, { ...access.database, db }))),
    );
  let attempt = await attemptOnce();
  for (let retry = 0; !attempt.ok && retry < retriesAfter(attempt.error); retry += 1) {
    await setTimeout(Math.random() * FIRST_RETRY_DELAY_MS * 2 ** retry);
    attempt = await attemptOnce();
  }
  return attempt;
}

function retriesAfter({ kind }: Failure): number {
  if (kind === 'conflict') return MAX_RETRIES;
  return kind === 'uncertain' ? MAX_UNCERTAIN_RETRIES : 0;
}

async function settle<T>({ database, isClosed }: StateAccess, run: () => Promise<T>): Promise<Attempt<T>> {
  if (isClosed()) return err({ kind: 'refused', code: 'CLOSED', cause: null });
  try {
    return ok(await run());
  } catch (error) {
    const failure = database.dialect.failureOf(error);
    if (failure === null) throw error;
    return err({ ...failure, cause: error });
  }
}

function unavailable({ log }: StateAccess, { code, cause }: Failure): StateUnavailable {
  log('error', 'The state cannot be read or written.', { code });
  return new StateUnavailable(`The state cannot be read or written (${code}).`, { cause });
}

const stateOf = ({ now, deletions, service }: StateAccess, { db, dialect, statements }: StateDatabase): State => ({
  db,
  dialect,
  statements,
  deletions,
  service,
  clock: dialect.clock ?? sql`${now()}`,
});
