import { type Log, silentLog } from '../base/log.ts';
import { createWriteQueue } from '../database/write-queue.ts';
import { appendPart } from './jobs/append-part.ts';
import { claimJobs } from './jobs/claims.ts';
import {
  beginItems,
  endItems,
  endReadBack,
  nextItems,
  unknownArticles,
  unknownItems,
  withdrawItems,
} from './jobs/items.ts';
import {
  cancelJob,
  countJobs,
  endJob,
  findJob,
  listJobs,
  pauseJob,
  releaseJob,
  results,
  resumeJob,
  selectRun,
  setWaiting,
  toLedgerJob,
} from './jobs/jobs.ts';
import { beginKey, endKey, forgetKey } from './keys.ts';
import type { Ledger, Run } from './ledger.ts';
import { enterService, serviceNameOf } from './services.ts';
import { keepOwnerAlive, readState, readUsage, type StateAccess, writeState } from './state-access.ts';
import { openStateDatabase, type StateDatabaseOptions } from './state-database.ts';
import { sweepState } from './sweep.ts';

export interface LedgerOptions extends StateDatabaseOptions {
  /** The service that keys belong to; null or absent for the embedded store. */
  readonly serviceUrl?: string | null;
  readonly log?: Log;
  /** The clock of the ledger where the database has none: milliseconds since 1970. */
  readonly now?: () => number;
}

/** Opens the state and brings its schema up to date. Throws with a message for people when it can't. */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const database = await openStateDatabase(options);
  let closed: Promise<void> | null = null;
  const access: StateAccess = {
    database,
    service: serviceNameOf(options.serviceUrl ?? null),
    log: options.log ?? silentLog,
    writeQueue: createWriteQueue(),
    now: options.now ?? Date.now,
    isClosed: () => closed !== null,
    // A process that was killed may have left some.
    deletions: { areInLog: database.dialect.truncateLog !== null },
  };
  await enterService(access).catch((error: unknown) => database.close().finally(() => Promise.reject(error)));
  return {
    ...jobMethods(access),
    ...runMethods(access),
    ...keyMethods(access),
    keepAlive: (owner, forMs) => writeState(access, (state) => keepOwnerAlive(state, owner, forMs), 'sign-of-life'),
    sweep: async (keep) => {
      const isMoreLeft = await sweepState(access, keep);
      if (!isMoreLeft) await emptyLog(access);
      return isMoreLeft;
    },
    usedBytes: async () => (await readState(access, (state) => readUsage(state, ''))).all,
    close: () => {
      closed ??= emptyLog(access).finally(() => access.writeQueue.runExclusive(() => database.close()));
      return closed;
    },
  };
}

/** Deleted texts are in the log of SQLite until it is emptied, which waits while another process reads it. */
async function emptyLog({ database, writeQueue, deletions }: StateAccess): Promise<void> {
  const { truncateLog } = database.dialect;
  if (truncateLog === null || !deletions.areInLog) return;
  try {
    const { rows } = await writeQueue.runExclusive(() => truncateLog.execute(database.db));
    if (rows[0]?.busy === 0) deletions.areInLog = false;
  } catch (error) {
    if (database.dialect.failureOf(error) === null) throw error;
  }
}

const jobMethods = (access: StateAccess) =>
  ({
    appendPart: (part) => appendPart(access, part),
    findJob: (callerKey, jobId) => findJob(access, callerKey, jobId),
    listJobs: (callerKey, page) => listJobs(access, callerKey, page),
    countJobs: (callerKey) => countJobs(access, callerKey),
    results: (jobId, page) => results(access, jobId, page),
    cancel: (callerKey, jobId) => cancelJob(access, callerKey, jobId),
    resume: (callerKey, jobId, run) => resumeJob(access, { ...run, callerKey, jobId }),
  }) satisfies Partial<Ledger>;

function runMethods(access: StateAccess) {
  return {
    claim: (claim) => claimJobs(access, claim),
    release: async (run) => {
      await releaseJob(access, run);
    },
    nextItems: (run, limit) => nextItems(access, run, limit),
    unknownArticles: (run, articleIds) => unknownArticles(access, run, articleIds),
    beginItems: (run, indexes) => beginItems(access, run, indexes),
    withdrawItems: (run, indexes) => withdrawItems(access, run, indexes),
    endItems: (run, outcomes) => endItems(access, run, outcomes),
    unknownItems: (run, limit) => unknownItems(access, run, limit),
    endReadBack: (run, outcomes) => endReadBack(access, run, outcomes),
    setWaiting: (run, wait) => setWaiting(access, run, wait),
    pause: (run) => pauseJob(access, run),
    end: (run, rest) => endJob(access, run, rest),
    job: (run: Run) =>
      readState(access, async (state) => {
        const row = await selectRun(state, run);
        return row && toLedgerJob(row);
      }),
  } satisfies Partial<Ledger>;
}

const keyMethods = (access: StateAccess) =>
  ({
    beginKey: (key) => beginKey(access, key),
    endKey: (keyId, answer) => endKey(access, keyId, answer),
    forgetKey: (keyId) => forgetKey(access, keyId),
  }) satisfies Partial<Ledger>;
