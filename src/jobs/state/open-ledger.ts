import { randomUUID } from 'node:crypto';
import { type Log, silentLog } from '../../core/base/log.ts';
import { createWriteQueue } from '../../store/database/write-queue.ts';
import { appendPart } from './jobs/append-part.ts';
import { claimJobs } from './jobs/claims.ts';
import * as items from './jobs/items.ts';
import * as jobs from './jobs/jobs.ts';
import { beginRevert, copyItems, findRevert, revertTargets } from './jobs/reverts.ts';
import { beginKey, endKey, forgetKey } from './keys.ts';
import type { ItemForks, ItemPhase, ItemSnapshots, JobLedger, KeyLedger, Ledger, Run, RunLedger } from './ledger.ts';
import { enterService, serviceNameOf } from './services.ts';
import { readState, readUsage, recordHeartbeat, type State, type StateAccess, writeState } from './state-access.ts';
import { openStateDatabase, type StateDatabaseOptions } from './state-database.ts';
import { sweepState } from './sweep.ts';

/** Where the ledger is, and whose it is. */
export interface LedgerOptions extends StateDatabaseOptions {
  /** The service that keys belong to; null or absent for the embedded store. */
  readonly serviceUrl?: string | null;
  readonly log?: Log;
  /** The clock of the ledger where the database has none: milliseconds since 1970. */
  readonly now?: () => number;
}

/** Opens the ledger and updates its schema. Throws with a message for operators. */
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
  };
  await enterService(access).catch((error: unknown) => database.close().finally(() => Promise.reject(error)));
  return {
    ...jobMethods(access),
    ...runMethods(access),
    ...keyMethods(access),
    heartbeat: (owner, forMs) => writeState(access, (state) => recordHeartbeat(state, owner, forMs), 'heartbeat'),
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

/** Empties the log of SQLite, which has deleted texts until then. It waits while another process reads the log. */
async function emptyLog({ database, writeQueue }: StateAccess): Promise<void> {
  const { truncateLog } = database.dialect;
  if (truncateLog === null) return;
  try {
    await writeQueue.runExclusive(() => truncateLog.execute(database.db));
  } catch (error) {
    if (database.dialect.failureOf(error) === null) throw error;
  }
}

function jobMethods(access: StateAccess): JobLedger {
  return {
    appendPart: (part) => appendPart(access, part),
    findJob: (callerKey, jobId) => readState(access, (state) => jobs.findJob(state, callerKey, jobId), { callerKey }),
    listJobs: (callerKey, page) => readState(access, (state) => jobs.listJobs(state, callerKey, page), { callerKey }),
    countJobs: (callerKey) => readState(access, (state) => jobs.countJobs(state, callerKey), { callerKey }),
    results: (jobId, page) => readState(access, (state) => jobs.results(state, jobId, page)),
    cancel: (callerKey, jobId) => jobs.changeJobOf(access, { callerKey, jobId }, jobs.cancelJob),
    resume: (callerKey, jobId, run) =>
      jobs.changeJobOf(access, { callerKey, jobId }, (state, job) => jobs.resumeJob(state, job, run)),
    beginRevert: (revert) => beginRevert(access, revert),
    findRevert: (callerKey, jobId) => readState(access, (state) => findRevert(state, callerKey, jobId), { callerKey }),
    revertTargets: (jobId, page) => revertTargets(access, jobId, page),
    partlyRestorable: (jobId) => readState(access, (state) => items.partlyRestorable(state, jobId)),
  };
}

function phaseOf(indexes: readonly number[], as: ItemPhase | ItemSnapshots | ItemForks) {
  if (typeof as === 'string') return { indexes, phase: as };
  return 'forks' in as ? { indexes, phase: 'fork' as const, ...as } : { indexes, phase: 'update' as const, kept: as };
}

type RunChange<Args extends unknown[], T> = (state: State, job: jobs.LockedJob, ...args: Args) => Promise<T>;

function runMethods(access: StateAccess): RunLedger {
  const changing =
    <Args extends unknown[], T>(change: RunChange<Args, T>) =>
    (run: Run, ...args: Args) =>
      jobs.changeRun(access, run, (state, job) => change(state, job, ...args));
  const beginItems = changing(items.beginItems);
  const withdrawItems = changing(items.withdrawItems);
  return {
    claim: (claim) => claimJobs(access, claim),
    release: changing(jobs.releaseJob),
    nextItems: (run, limit, phase = 'update') => items.nextItems(access, run, { limit, phase }),
    unknownArticles: (run, articleIds) => readState(access, (state) => items.unknownArticles(state, run, articleIds)),
    beginItems: (run, indexes, as = 'update') => beginItems(run, phaseOf(indexes, as)),
    copyItems: (run, room) => copyItems(access, run, room),
    withdrawItems: (run, indexes, phase = 'update') => withdrawItems(run, { indexes, phase }),
    endItems: changing(items.endItems),
    passItems: changing(items.passItems),
    noteItems: changing(items.noteItems),
    forksOf: (run, articleIds) => readState(access, (state) => items.forksOf(state, run, articleIds)),
    unknownItems: (run, limit, phase = 'update') => items.unknownItems(access, run, { limit, phase }),
    setWaiting: changing(jobs.setWaiting),
    pause: changing(jobs.pauseJob),
    end: changing(jobs.endJob),
  };
}

function keyMethods(access: StateAccess): KeyLedger {
  return {
    beginKey: (key) => {
      const keyId = randomUUID();
      return writeState(access, (state) => beginKey(state, key, keyId), key);
    },
    endKey: (keyId, answer) => writeState(access, (state) => endKey(state, keyId, answer)),
    forgetKey: (keyId) => writeState(access, (state) => forgetKey(state, keyId)),
  };
}
