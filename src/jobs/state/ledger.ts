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
import type { ItemFork, JobRule } from '../../core/articles/forks.ts';
import type { TextState } from '../../core/articles/revisions.ts';

/**
 * The port to jobs and idempotency keys on disk. It records the intent before each call and the outcome after it, so that
 * after a crash another process knows which items were never sent, and which may have been. Each method is one transaction,
 * which has no effect where it throws `StateUnavailable`. Calling it again after a lost answer has no further effect.
 *
 * Times are milliseconds since 1970 by the clock of the ledger: that of the database where several machines share it.
 * Keys of callers and of tokens are hashes.
 */
export interface Ledger extends JobLedger, RunLedger, KeyLedger {
  /**
   * Records that the process `owner` runs, for so many milliseconds from now. A process must send a heartbeat before it
   * claims or begins anything, and in every third of that time while it runs a job or a write.
   */
  heartbeat(owner: string, forMs: number): Promise<void>;
  /**
   * Ends jobs that got no part for `openMs` milliseconds, or were paused for `keepMs`, and deletes some of the jobs and keys
   * that ended `keepMs` ago. True where more are left.
   */
  sweep(keep: { readonly openMs: number; readonly keepMs: number }): Promise<boolean>;
  /** The bytes of all jobs and keys, roughly. */
  usedBytes(): Promise<number>;
  close(): Promise<void>;
}

/** A job with its counts, so that reading it costs the same whatever its size. */
export interface LedgerJob extends Pick<ArticleUpdateJob, 'jobId' | 'name' | 'state' | 'waitingFor' | 'counts'> {
  /** Names the service and the token that it began with. */
  readonly credentialHash: string;
  /** Absent where it publishes nothing. */
  readonly publication?: JobPublication | undefined;
  /** Whether snapshots are kept, by which a revert can put back what the job changes. */
  readonly keepBefore: KeepBefore;
  /** Absent where updates of published versions are sent as they are. */
  readonly ifPublished?: JobRule | undefined;
  /** The ID of the job that this one reverts; null where it is no revert. */
  readonly revertOf: string | null;
  /** True in a revert until all items of the reverted job are copied into it. */
  readonly isCopying: boolean;
  /** The number of items that set a text, each of which takes a read where snapshots are kept. */
  readonly withTexts: number;
  /** The number of items that a revert can put back. */
  readonly restorable: number;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

/** Methods for requests. A caller sees only its own jobs. */
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
  /** Lets the owner run a paused job again. With another credential the job stays paused. */
  resume(callerKey: string, jobId: string, run: RunOptions): Promise<LedgerJob | null>;
  /** Begins a job that puts back what another one has changed. Its items are copied by the process that runs it. */
  beginRevert(revert: LedgerRevert): Promise<RevertResult>;
  findRevert(callerKey: string, jobId: string): Promise<LedgerJob | null>;
  /**
   * The texts that a job with snapshots has changed, each as the job left it and with its snapshot. The pages go from the
   * last item of the job to the first. A page has at most `limit` texts, and fewer where they are long.
   */
  revertTargets(jobId: string, page: TargetPage): Promise<TargetsPage>;
  /** The items of which a revert can put back only a part. */
  partlyRestorable(jobId: string): Promise<PartlyRestorable>;
}

/** The first indexes of items, and the number of all. */
export interface PartlyRestorable {
  readonly indexes: readonly number[];
  readonly total: number;
}

/** A page of `revertTargets`. */
export interface TargetPage {
  readonly limit: number;
  /** The page has items with indexes below this one. */
  readonly before: number;
}

/** The texts of a page. */
export interface TargetsPage {
  readonly targets: readonly IndexedTarget[];
  /** The `before` of the next page; null after the last. */
  readonly next: number | null;
}

/** A revert that is to be begun. */
export interface LedgerRevert extends Omit<LedgerPart, 'startIndex' | 'moreToCome' | 'updates' | 'keepBefore'> {
  readonly jobId: string;
}

/** The result of `beginRevert`. */
export type RevertResult =
  | Extract<AppendResult, { kind: 'appended' | 'conflict' | 'too-many-jobs' | 'full' }>
  | { readonly kind: 'job-not-found' }
  /** The job has not ended, or has no snapshot that can be put back. */
  | { readonly kind: 'not-revertible'; readonly hasEnded: boolean }
  /** Another revert of the job has not ended. */
  | { readonly kind: 'in-progress' };

/** A page of `listJobs`. */
export interface JobPage {
  readonly limit: number;
  readonly after: string | null;
}

/** A page of `results`. */
export interface ResultPage {
  readonly limit: number;
  /** -1 for the first page. */
  readonly after: number;
  readonly outcomes: readonly ItemOutcome[] | null;
}

/** The process that runs a job, and the credential of its token. */
export interface RunOptions {
  /** Names a process for as long as it runs. */
  readonly owner: string;
  readonly credentialHash: string;
}

/** A part of a job that is to be added. */
export interface LedgerPart extends RunOptions, JobPart {
  readonly callerKey: string;
  /** True where the job needs no token of its caller, and runs on after a restart. */
  readonly isUnattended: boolean;
  readonly limits: StateRoom & {
    readonly maxItems: number;
    /** Jobs of a caller that have not ended. */
    readonly maxJobs: number;
  };
}

/** The limits of the bytes of all jobs and keys. */
export interface StateRoom {
  /** The most bytes of all together, counted roughly. */
  readonly maxBytes: number;
  /** True where there is only one caller, which may take all of it. */
  readonly hasOneCaller?: boolean;
}

/** The result of `appendPart`. */
export type AppendResult =
  /** `replayed`: the part had no effect, since all of its items were there before. */
  | { readonly kind: 'appended'; readonly job: LedgerJob; readonly replayed: boolean }
  /**
   * The first 100 indexes that differ from what was submitted before; a closed job takes no further items. Empty where the
   * part has another name, publication or `keepBefore` than the job.
   */
  | { readonly kind: 'conflict'; readonly indexes: readonly number[] }
  /** The part begins behind the last item. */
  | { readonly kind: 'gap'; readonly nextIndex: number }
  | { readonly kind: 'too-many-items' }
  | { readonly kind: 'too-many-jobs' }
  | { readonly kind: 'full' };

/** A job that a process runs. A later claim has a higher number, after which this run changes nothing. */
export interface Run {
  readonly jobId: string;
  readonly owner: string;
  readonly number: number;
}

/**
 * The calls of an item, in their order. Only a job that changes no published version has the first one, and only one that
 * publishes has the last.
 */
export type ItemPhase = 'fork' | 'update' | 'publication';

/**
 * An item whose next call was not sent. Where that call is its publication, `update` has only the members that name the
 * text: those of the draft, where one was made.
 */
export interface LedgerItem {
  readonly index: number;
  /** What was made of the published version. Absent where nothing was. */
  readonly fork?: ItemFork;
  readonly update: ArticleUpdate;
  readonly outcome?: UpdatedOutcome;
  /** In a revert: what the reverted job has made of the text, and its snapshot. */
  readonly target?: RevertTarget;
  /** What the update has left of the text, where the item is published next. */
  readonly noted?: TextState;
}

type UpdatedOutcome = Extract<ArticleOutcome, { kind: 'updated' }>;

/** An item whose call has an unknown outcome, and whose article was not read since. */
export interface UnknownItem extends LedgerItem {
  /** The milliseconds since its call began. */
  readonly ageMs: number;
}

/** What a process may claim. */
export interface LedgerClaim {
  readonly owner: string;
  /** Hashes of the tokens that the process has. The set is read once a job is locked, and may have grown by then. */
  readonly credentialHashes: ReadonlySetLike<string>;
  /** The runs that the process has already, which the claim leaves as they are. */
  readonly held: readonly Run[];
}

/**
 * Methods for the process that runs a job. They give false or null, and change nothing, where it no longer runs the job. The
 * default phase is the update.
 */
export interface RunLedger {
  /**
   * Takes over jobs that have work left: those whose process no longer runs, where this one has their credential, and those
   * of this owner that are not in `held`. Items in flight become unknown, since their calls may have been made. Jobs whose
   * credential no process has are paused; an unattended job first waits for a process with it, a quarter of a minute.
   */
  claim(claim: LedgerClaim): Promise<readonly (Run & { readonly job: LedgerJob })[]>;
  /** Gives up the run, so that another process can claim the job at once. */
  release(run: Run): Promise<boolean>;
  /** The next items without an outcome that have not begun, by index: fewer where their texts are long. */
  nextItems(run: Run, limit: number, phase?: ItemPhase): Promise<readonly LedgerItem[] | null>;
  /** The articles among these, by lower-case ID, that have an item of the job which is unknown. */
  unknownArticles(run: Run, articleIds: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Records the intent to send the items: their update, where `as` has no other phase. With snapshots or forks, it keeps
   * these in the same transaction. False also where the job was cancelled or paused; 'full' where there is no room for the
   * snapshots. Then no item has begun.
   */
  beginItems(
    run: Run,
    indexes: readonly number[],
    as?: ItemPhase | ItemSnapshots | ItemForks,
  ): Promise<boolean | 'full'>;
  /** Copies the next items of the reverted job into this revert, each with its snapshot. Without room for these, the items end not attempted. */
  copyItems(run: Run, room: StateRoom): Promise<CopyResult | false>;
  /** Undoes `beginItems` for items that were surely not sent: they are sent later. */
  withdrawItems(run: Run, indexes: readonly number[], phase?: ItemPhase): Promise<boolean>;
  /**
   * Records outcomes: of items in flight, of items that end unsent, and of unknown items after a read-back, which are updated
   * or stay unknown. Deletes the texts of these items, but not of one that is yet to be read back. In a job that publishes,
   * an updated item whose outcome has no `publication` is published next; with one, the item has ended.
   */
  endItems(run: Run, outcomes: readonly IndexedOutcome[]): Promise<boolean>;
  /** Moves items to their next call: to the update once their fork is done, or to the fork where it has no draft yet. */
  passItems(run: Run, items: readonly PassedItem[]): Promise<boolean>;
  /** Records the state of texts after the calls that updated them, by which a later revert knows that nobody else wrote. */
  noteItems(run: Run, items: readonly NotedItem[]): Promise<boolean>;
  /** The drafts that the job has made of the articles, by lower-case ID. */
  forksOf(run: Run, articleIds: readonly string[]): Promise<ReadonlyMap<string, readonly ItemFork[]>>;
  /** The first items, by index, whose calls in the phase have unknown outcomes: fewer than `limit` where their texts are long. */
  unknownItems(run: Run, limit: number, phase?: ItemPhase): Promise<readonly UnknownItem[] | null>;
  /** Records what the job waits for, which callers see; null where it waits for nothing. */
  setWaiting(run: Run, wait: JobWait | null): Promise<boolean>;
  /** Pauses the job; false also where it has ended. */
  pause(run: Run): Promise<boolean>;
  /** Ends the job. The items that have not begun get this outcome; null where there are none. */
  end(run: Run, rest: ArticleOutcome | null): Promise<boolean>;
}

/** 'copied' once all items are there, 'more' where some are left. */
export type CopyResult = 'copied' | 'more';

/** Snapshots of items, by their indexes, and the room for them. */
export interface ItemSnapshots {
  readonly items: ReadonlyMap<number, ItemSnapshot>;
  readonly room: StateRoom;
}

/** The versions that are to be forked, by the indexes of their items. */
export interface ItemForks {
  readonly forks: ReadonlyMap<number, ItemFork>;
}

/** An item that goes on to its next call (`passItems`). */
export interface PassedItem {
  readonly index: number;
  /** A fork with a draft, or null where the version is not published: the update is next. A fork without a draft is made next. */
  readonly fork: ItemFork | null;
}

/** What a call has left of the text of an item. */
export interface NotedItem {
  readonly index: number;
  readonly noted: TextState;
  /** The snapshot that was kept of it; null for a publication. */
  readonly snapshot: ItemSnapshot | null;
}

/** The outcome of an item, by its index. */
export interface IndexedOutcome {
  readonly index: number;
  readonly outcome: ArticleOutcome;
  /** True for an unknown publication that is yet to be read back. */
  readonly isToBeRead?: boolean;
}

/** Methods for idempotency keys. */
export interface KeyLedger {
  /** Begins the key, or gives its state where it has begun before. */
  beginKey(key: LedgerKey): Promise<BeginKeyResult>;
  /** Records the answer, a JSON text, unless another process has recorded one. Gives the recorded answer; null where the key is gone. */
  endKey(keyId: string, answer: string): Promise<string | null>;
  /** Deletes a key whose write had no effect, so that a request with it writes anew. */
  forgetKey(keyId: string): Promise<void>;
}

/** A key that is to be begun. */
export interface LedgerKey extends StateRoom {
  readonly callerKey: string;
  readonly operation: string;
  readonly idempotencyKey: string;
  readonly inputHash: string;
  readonly owner: string;
  /** Milliseconds after which the key is gone. Absent where it is kept as long as others. */
  readonly lifetimeMs?: number | undefined;
}

/** The result of `beginKey`. */
export type BeginKeyResult =
  | { readonly kind: 'begun'; readonly keyId: string }
  | { readonly kind: 'ended'; readonly answer: string }
  /** A request with the key is under way. `isOwn`: it is one of this process. */
  | { readonly kind: 'in-flight'; readonly keyId: string; readonly isOwn: boolean }
  /** The process that began the key has ended without an answer. The caller of this method records an unknown outcome. */
  | { readonly kind: 'lost'; readonly keyId: string }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'full' };
