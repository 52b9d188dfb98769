import type { ArticleOutcome } from '../../core/articles/article-outcomes.ts';
import type { IndexedTarget, ItemSnapshot, KeepBefore, RevertTarget } from '../../core/articles/article-reverts.ts';
import type {
  ArticleUpdateJob,
  ItemOutcome,
  JobItemOutcome,
  JobPart,
  JobPublication,
  JobWait,
} from '../../core/articles/article-update-jobs.ts';
import type { ArticleUpdate } from '../../core/articles/bulk-updates.ts';

/**
 * The port to what jobs and idempotency keys keep on disk: see docs/decisions/0031-ledger.md. Each method is one
 * transaction, and has no effect where it throws `StateUnavailable`. A method whose commit may have happened without
 * an answer may be called again: each has the same effect once and twice.
 *
 * Times are milliseconds since 1970 by the clock of the ledger: that of the database where several machines share it.
 * Keys of callers and tokens are hashes.
 */
export interface Ledger extends JobLedger, RunLedger, KeyLedger {
  /**
   * Tells that the process lives for so many milliseconds more. A process must have done so before it claims or begins
   * anything, and every third of that time while it has anything.
   */
  keepAlive(owner: string, forMs: number): Promise<void>;
  /** Ends what is kept for longer than it should be, some rows at a time. True where more is left to do. */
  sweep(keep: { readonly openMs: number; readonly keepMs: number }): Promise<boolean>;
  /** The bytes of all jobs and keys, roughly. */
  usedBytes(): Promise<number>;
  close(): Promise<void>;
}

/** A job as it is kept. Its counts are kept with it, so that reading it costs the same whatever its size. */
export interface LedgerJob extends Pick<ArticleUpdateJob, 'jobId' | 'state' | 'waitingFor' | 'counts'> {
  /** The service and the token that it began with. */
  readonly bindingKey: string;
  /** Absent where it publishes nothing. */
  readonly publication?: JobPublication | undefined;
  readonly keepBefore: KeepBefore;
  /** The job that this one reverts. */
  readonly revertOf: string | null;
  /** True while items of that job are yet to be copied. */
  readonly isCopying: boolean;
  /** The items with texts. */
  readonly withTexts: number;
  /** The items of which a revert can put back what stood before. */
  readonly restorable: number;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

/** Callers see only their own jobs. */
export interface JobLedger {
  /** Adds a part to the job of the key, which it creates at its first part; the last part starts the job. */
  appendPart(part: LedgerPart): Promise<AppendResult>;
  findJob(callerKey: string, jobId: string): Promise<LedgerJob | null>;
  /** The latest first, those that began before the job named by `after`. */
  listJobs(callerKey: string, page: JobPage): Promise<readonly LedgerJob[]>;
  countJobs(callerKey: string): Promise<number>;
  /** Ended items by index, those after `after`. In an ended job, items that never began have ended too. */
  results(jobId: string, page: ResultPage): Promise<readonly JobItemOutcome[]>;
  /**
   * Ends the job where it has not ended. Its items that have not begun become not attempted, at once in its counts and
   * results; those in flight keep their outcomes.
   */
  cancel(callerKey: string, jobId: string): Promise<LedgerJob | null>;
  /** Lets a paused job run again, by the owner. The binding must be that of the job, else it stays paused. */
  resume(callerKey: string, jobId: string, run: RunOptions): Promise<LedgerJob | null>;
  /** Begins a job that puts back what another one has changed. Its items are copied by the process that runs it. */
  beginRevert(revert: LedgerRevert): Promise<RevertResult>;
  /** The latest revert of a job; null where there is none. */
  findRevert(callerKey: string, jobId: string): Promise<LedgerJob | null>;
  /**
   * What the items of a job have made of texts, those whose last item is before `before`, the last first: at most `limit`,
   * and fewer where their texts are long. A job keeps that where its `keepBefore` asks for it.
   */
  revertTargets(jobId: string, page: TargetPage): Promise<TargetsPage>;
}

export interface TargetPage {
  readonly limit: number;
  readonly before: number;
}

export interface TargetsPage {
  readonly targets: readonly IndexedTarget[];
  /** The `before` of the next page; null after the last. */
  readonly next: number | null;
}

export interface LedgerRevert extends Omit<LedgerPart, 'startIndex' | 'moreToCome' | 'updates' | 'keepBefore'> {
  readonly jobId: string;
}

export type RevertResult =
  | Extract<AppendResult, { kind: 'appended' | 'conflict' | 'too-many-jobs' | 'full' }>
  | { readonly kind: 'job-not-found' }
  /** The job has not ended, or has kept nothing that can be put back. */
  | { readonly kind: 'not-revertible'; readonly hasEnded: boolean }
  /** Another revert of the job has not ended. */
  | { readonly kind: 'in-progress' };

export interface JobPage {
  readonly limit: number;
  readonly after: string | null;
}

export interface ResultPage {
  readonly limit: number;
  /** -1 for the first page. */
  readonly after: number;
  readonly outcomes: readonly ItemOutcome[] | null;
}

/** The process that runs a job, and the binding of its token. */
export interface RunOptions {
  /** Names a process for as long as it runs. */
  readonly owner: string;
  readonly bindingKey: string;
}

export interface LedgerPart extends RunOptions, JobPart {
  readonly callerKey: string;
  /** True where the token is one of the gateway's own, or of the embedded store: the job goes on without its caller. */
  readonly goesOnAlone: boolean;
  readonly limits: StateRoom & {
    readonly maxItems: number;
    /** Jobs of a caller that have not ended. */
    readonly maxJobs: number;
  };
}

/** The room for all jobs and keys. */
export interface StateRoom {
  /** The bound of a rough sum. */
  readonly maxBytes: number;
  /** True where one caller is all there is, which may take all of it. Each of several leaves room for others. */
  readonly hasOneCaller?: boolean;
}

export type AppendResult =
  /** `replayed`: the part had no effect, since all of it was there before. */
  | { readonly kind: 'appended'; readonly job: LedgerJob; readonly replayed: boolean }
  /**
   * The first 100 indexes that differ from what was submitted before. A closed job takes no further items. None where the part
   * is to be published otherwise than the job, or keeps otherwise what stood before.
   */
  | { readonly kind: 'conflict'; readonly indexes: readonly number[] }
  /** The part begins behind the end of what is there. */
  | { readonly kind: 'gap'; readonly nextIndex: number }
  | { readonly kind: 'too-many-items' }
  | { readonly kind: 'too-many-jobs' }
  | { readonly kind: 'full' };

/** A job that a process runs. Another process that claims it later has a higher number, which shuts this one out. */
export interface Run {
  readonly jobId: string;
  readonly owner: string;
  readonly number: number;
}

/** The two calls of an item in a job that publishes. In other jobs an item has its update alone. */
export const ITEM_PHASES = ['update', 'publication'] as const;

export type ItemPhase = (typeof ITEM_PHASES)[number];

/** An item that was not sent, with what its call needs: the whole update, or what names the text to be published. */
export interface LedgerItem {
  readonly index: number;
  readonly update: ArticleUpdate;
  /** The outcome of the update of an item to be published. */
  readonly outcome?: UpdatedOutcome;
  /** In a revert: what the article must be as, and what stood there before. */
  readonly target?: RevertTarget;
}

type UpdatedOutcome = Extract<ArticleOutcome, { kind: 'updated' }>;

/** An item that is unknown and was not read back. */
export interface UnknownItem extends LedgerItem {
  /** When its call began. */
  readonly begunAt: number;
}

export interface LedgerClaim {
  readonly owner: string;
  /** The bindings whose tokens the process has. It is asked for each job once that is locked, and may have grown by then. */
  readonly bindingKeys: ReadonlySetLike<string>;
  /** The runs that the process has and goes on with. */
  readonly held: readonly Run[];
}

/**
 * Methods for the process that runs a job. `false` or null: it does not run the job any more, and nothing changed. They concern
 * the updates of the items, unless they are called for their publications.
 */
export interface RunLedger {
  /**
   * Takes over what this process may run: jobs with work left whose owner is not alive, by their bindings, and those of
   * this owner that are not among the runs it holds. Items that had begun become unknown. Jobs that no living process may
   * run are paused; those that go on alone only after they have waited for a process with their binding.
   */
  claim(claim: LedgerClaim): Promise<readonly (Run & { readonly job: LedgerJob })[]>;
  /** Gives up the job, so that another process can take it over at once. */
  release(run: Run): Promise<boolean>;
  /** The next items without an outcome that have not begun, by index: fewer where their texts are long. */
  nextItems(run: Run, limit: number, phase?: ItemPhase): Promise<readonly LedgerItem[] | null>;
  /** The articles among these, by lower-case ID, that have an item of the job which is unknown. */
  unknownArticles(run: Run, articleIds: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Records the intent to send the items, for an update maybe with what is kept of them. False also where the job was
   * cancelled or paused; 'full' where there is no room for what is kept, and nothing has begun.
   */
  beginItems(run: Run, indexes: readonly number[], as?: ItemPhase | KeptItems): Promise<boolean | 'full'>;
  /** Copies some items of the job that this one reverts. A copy of which nothing was heard may be repeated. */
  copyItems(run: Run, room: StateRoom): Promise<CopyResult | false>;
  /** Takes back the intent, since the items were surely not sent. */
  withdrawItems(run: Run, indexes: readonly number[], phase?: ItemPhase): Promise<boolean>;
  /**
   * Records outcomes, of items that have begun or not, and what was read back of unknown ones: an updated item, or one that
   * stays unknown. The text of an item goes with it, unless it is unknown and was not read back. In a job that publishes, an
   * updated item without `publication` is to be published, and one with it has ended.
   */
  endItems(run: Run, outcomes: readonly IndexedOutcome[]): Promise<boolean>;
  /** Fewer where their texts are long. */
  unknownItems(run: Run, limit: number, phase?: ItemPhase): Promise<readonly UnknownItem[] | null>;
  setWaiting(run: Run, wait: JobWait | null): Promise<boolean>;
  pause(run: Run): Promise<boolean>;
  /**
   * Ends the job. All items that have not begun become not attempted, with this outcome. Null: there are none left, and
   * the job is completed.
   */
  end(run: Run, rest: ArticleOutcome | null): Promise<boolean>;
}

/** 'copied': all items are there. 'full': there is no room for more, and nothing was copied. */
export type CopyResult = 'copied' | 'more' | 'full';

/** What is kept of items, by their index. */
export interface KeptItems {
  readonly items: ReadonlyMap<number, ItemSnapshot>;
  readonly room: StateRoom;
}

export interface IndexedOutcome {
  readonly index: number;
  readonly outcome: ArticleOutcome;
  /** True for a publication that is unknown, and whose article is yet to be read. */
  readonly isToBeRead?: boolean;
}

export interface KeyLedger {
  beginKey(key: LedgerKey): Promise<BeginKeyResult>;
  /**
   * Records the answer, a JSON text, unless the key has one already, since its process was taken for dead. Gives the
   * answer that is kept; null where the key is gone.
   */
  endKey(keyId: string, answer: string): Promise<string | null>;
  /** Forgets a key whose write had no effect. */
  forgetKey(keyId: string): Promise<void>;
}

export interface LedgerKey extends StateRoom {
  readonly callerKey: string;
  readonly operation: string;
  readonly idempotencyKey: string;
  readonly inputHash: string;
  readonly owner: string;
  /** Milliseconds after which the key is gone. Absent: it is kept as long as all others. */
  readonly lifetimeMs?: number | undefined;
}

export type BeginKeyResult =
  | { readonly kind: 'begun'; readonly keyId: string }
  | { readonly kind: 'ended'; readonly answer: string }
  /** `isOwn`: the process of this call has begun it, maybe without the answer. */
  | { readonly kind: 'in-flight'; readonly keyId: string; readonly isOwn: boolean }
  /** Its process has ended without an answer. The caller of this method records the unknown outcome as its answer. */
  | { readonly kind: 'lost'; readonly keyId: string }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'full' };
