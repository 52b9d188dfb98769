import type { KeepBefore } from '../../core/articles/article-reverts.ts';
import type { ItemOutcome, JobState, JobWait } from '../../core/articles/article-update-jobs.ts';
import type { IfPublished } from '../../core/articles/forks.ts';
import type { Columns, RowOf } from '../../store/database/dialect.ts';
import type { ItemPhase } from './ledger.ts';

/**
 * The states of an item before each of its calls, during it, and after it while its outcome is unknown and no read has
 * shown it:
 *
 *     TO_FORK    → FORKING    → FORK_UNKNOWN            only where the job changes no published version
 *        ↓ ↑
 *     PENDING    → IN_FLIGHT  → UNKNOWN                 every item
 *        ↓
 *     TO_PUBLISH → PUBLISHING → PUBLICATION_UNKNOWN     only where the job publishes, of an item that was updated
 *
 * A call that was surely not sent leads back to the state before it, and its outcome leads down or to an end: `UPDATED`,
 * `FAILED`, `NOT_ATTEMPTED` or `UNKNOWN`. A read-back does the same for an unknown outcome; what it can't find out ends as
 * `UNKNOWN` without a text, and a publication as `UPDATED`.
 */
export const PHASES = {
  fork: { before: 'TO_FORK', begun: 'FORKING', unknown: 'FORK_UNKNOWN' },
  update: { before: 'PENDING', begun: 'IN_FLIGHT', unknown: 'UNKNOWN' },
  publication: { before: 'TO_PUBLISH', begun: 'PUBLISHING', unknown: 'PUBLICATION_UNKNOWN' },
} as const satisfies Record<ItemPhase, Record<string, string>>;

type PhaseStates = (typeof PHASES)[ItemPhase];

export type ItemStatus = PhaseStates[keyof PhaseStates] | ItemOutcome;

interface ItemState {
  /** The column of the job that counts such items; null where only the total does. */
  readonly count: 'in_flight' | 'to_publish' | 'updated' | 'failed' | 'unknown' | 'not_attempted' | null;
  /** The outcome of the update; null where it is not known yet that there is one. */
  readonly outcome: 'updated' | 'failed' | 'unknown' | null;
  /** False where the item has surely changed nothing, so that its snapshot is deleted. */
  readonly keepsSnapshot: boolean;
  /** The column with what the next call or read-back needs: a publication needs only what names the text. */
  readonly text: 'input' | 'target';
  /** True until a read-back. An item that is `UNKNOWN` is counted as such only while it has its text. */
  readonly isUnresolved?: true;
}

/** What the ledger knows of each state. */
export const ITEM_STATES: Readonly<Record<ItemStatus, ItemState>> = {
  TO_FORK: { count: null, outcome: null, keepsSnapshot: false, text: 'input' },
  FORKING: { count: 'in_flight', outcome: null, keepsSnapshot: true, text: 'input' },
  FORK_UNKNOWN: { count: 'unknown', outcome: 'unknown', keepsSnapshot: true, text: 'input', isUnresolved: true },
  PENDING: { count: null, outcome: null, keepsSnapshot: false, text: 'input' },
  IN_FLIGHT: { count: 'in_flight', outcome: null, keepsSnapshot: true, text: 'input' },
  UNKNOWN: { count: 'unknown', outcome: 'unknown', keepsSnapshot: true, text: 'input', isUnresolved: true },
  TO_PUBLISH: { count: 'to_publish', outcome: 'updated', keepsSnapshot: true, text: 'target' },
  PUBLISHING: { count: 'in_flight', outcome: null, keepsSnapshot: true, text: 'target' },
  PUBLICATION_UNKNOWN: {
    count: 'updated',
    outcome: 'updated',
    keepsSnapshot: true,
    text: 'target',
    isUnresolved: true,
  },
  UPDATED: { count: 'updated', outcome: 'updated', keepsSnapshot: true, text: 'target' },
  FAILED: { count: 'failed', outcome: 'failed', keepsSnapshot: false, text: 'target' },
  NOT_ATTEMPTED: { count: 'not_attempted', outcome: null, keepsSnapshot: false, text: 'target' },
};

export const ITEM_COLUMNS = {
  job_id: 'text',
  item_index: 'integer',
  /** The ID of the article in lower case. */
  article_key: 'text',
  status: 'text',
  begun_at: 'integer?',
  input_hash: 'text',
  /** The length of the input; 0 once it is deleted. */
  input_bytes: 'integer',
  /** The members that name the text, as JSON. */
  target: 'text',
  /** The outcome without the ID, as JSON. */
  outcome: 'text?',
  /** The update, as JSON; in a revert, with its target. */
  input: 'text?',
  /** The snapshot, as JSON. It is deleted where the item has surely changed nothing. */
  before: 'text?',
  /** The length of the snapshot and of `shared`. */
  before_bytes: 'integer',
  /** The hash of what names the text, equal for all items of one text. Null without a snapshot. */
  text_key: 'text?',
  /** 1 where an update can put the snapshot back, 2 where it can put back a part of it. */
  restorable: 'integer',
  /** The history of the members that all texts of the article share, as JSON. Null where the item sets none, or has no snapshot. */
  shared: 'text?',
  /** What was made of the published version of the item, as JSON (`ItemFork`). Null where nothing was. */
  fork: 'text?',
  /** What a read showed of the text after the call, as JSON (`TextState`). Null where that was not noted. */
  noted: 'text?',
} as const satisfies Columns;

/**
 * The tables of jobs. All columns are texts and integers, which both dialects treat in the same way: a flag is 0 or 1, and a
 * time is in milliseconds since 1970, by the clock of the ledger. The other tables are used by SQL alone.
 */
export interface StateTables {
  article_update_jobs: {
    job_id: string;
    /** Empty for a job that is being deleted. */
    caller_key: string;
    /** See `state_services`. Callers see their jobs of all services; a key belongs to one. */
    service: string;
    idempotency_key: string;
    binding_key: string;
    goes_on_alone: number;
    name: string | null;
    /** The team account that publishes what was updated; null where nothing is published. */
    publish_user_id: string | null;
    publish_message: string | null;
    keep_before: KeepBefore;
    /** What becomes of updates of published versions. */
    if_published: IfPublished;
    /** The team account that is the contributor of drafts; null where none was named. */
    fork_user_id: string | null;
    revert_of: string | null;
    /** The items of the reverted job from this index on are copied; null where all are. */
    copied_from: number | null;
    /** The number of items with texts, each of which takes a read where snapshots are kept. */
    with_texts: number;
    /** The number of items that have begun and that a revert can put back. */
    restorable: number;
    state: JobState;
    waiting_for: JobWait | null;
    total: number;
    /**
     * The numbers of items by state (`ITEM_STATES`). All others are pending; in an ended job they count as not attempted.
     */
    in_flight: number;
    /** In an ended job, these count as updated. */
    to_publish: number;
    updated: number;
    failed: number;
    unknown: number;
    not_attempted: number;
    /** The number of items that are yet to be read back. */
    unresolved: number;
    /** The outcome of the items that had not begun at the end of the job, as JSON. */
    rest_outcome: string | null;
    owner: string | null;
    run_number: number;
    created_at: number;
    /** The time of the last part of an open job, of the pause, or of the release of a job without owner. */
    changed_at: number;
    ended_at: number | null;
    /** In an ended job, pending items before this index have no text any more. Null where none has. */
    text_cursor: number | null;
    /** The bytes of the job with its items. */
    bytes: number;
  };
  article_update_job_items: RowOf<typeof ITEM_COLUMNS> & { readonly status: ItemStatus };
}

export type JobRow = StateTables['article_update_jobs'];

export type ItemRow = StateTables['article_update_job_items'];
