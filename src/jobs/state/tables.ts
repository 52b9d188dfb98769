import type { KeepBefore } from '../../core/articles/article-reverts.ts';
import type { ItemOutcome, JobState, JobWait } from '../../core/articles/article-update-jobs.ts';
import type { Columns, RowOf } from '../../store/database/dialect.ts';

/**
 * How far an item is. Pending: it has not begun. In flight: it has begun, and has no outcome yet. In a job that publishes, an
 * item that was updated is to be published; publishing, while its publication has begun; and of unknown publication, until its
 * article was read. All these have the outcome of the update.
 */
export type ItemStatus = 'PENDING' | 'IN_FLIGHT' | 'TO_PUBLISH' | 'PUBLISHING' | 'PUBLICATION_UNKNOWN' | ItemOutcome;

export const ITEM_COLUMNS = {
  job_id: 'text',
  item_index: 'integer',
  /** The ID of the article in lower case. */
  article_key: 'text',
  /** An `ItemStatus`. */
  status: 'text',
  begun_at: 'integer?',
  input_hash: 'text',
  /** The length of the input; 0 once it is deleted. */
  input_bytes: 'integer',
  /** The members that name the text, as JSON. */
  target: 'text',
  /** The outcome without the ID, as JSON. */
  outcome: 'text?',
  /** The update, as JSON; in a revert, with what its article is compared with. */
  input: 'text?',
  /** What stood in its article before it was sent, as JSON. It stays once the item was updated, or is unknown. */
  before: 'text?',
  /** The length of that. */
  before_bytes: 'integer',
  /** The hash of what names its text, equal for all items of one text. Null where `before` is. */
  text_key: 'text?',
  /** 1 where an update can put back what stood before. */
  restorable: 'integer',
  /**
   * What the job has made, with this item, of the members that all texts of its article share, as JSON. Null where the item
   * sets none of them, or `text_key` is null.
   */
  shared: 'text?',
} as const satisfies Columns;

/**
 * The tables of jobs. Columns of the state are text and integers alone, which both dialects treat alike: a flag is 0 or 1,
 * and a time is in milliseconds since 1970, by the clock of the ledger. The other tables are used by SQL alone.
 */
export interface StateTables {
  article_update_jobs: {
    job_id: string;
    /** Empty for a job that is being deleted: no caller has the empty key. */
    caller_key: string;
    /** See `state_services`. Callers see their jobs of all services; a key belongs to one. */
    service: string;
    idempotency_key: string;
    binding_key: string;
    goes_on_alone: number;
    /** The team account that publishes what was updated; null where nothing is published. */
    publish_user_id: string | null;
    publish_message: string | null;
    keep_before: KeepBefore;
    /** The job that this one reverts. */
    revert_of: string | null;
    /** The items of that job from this index on were copied; null where all were. */
    copied_from: number | null;
    /** The items with texts, of which each takes a read where `keep_before` asks for it. */
    with_texts: number;
    /** The items that have begun, and of which a revert can put back what stood before. */
    restorable: number;
    state: JobState;
    waiting_for: JobWait | null;
    total: number;
    /**
     * The items by status. All others are pending; in a job that has ended, those count as not attempted. In flight are also
     * those that are publishing, and updated those whose publication is unknown.
     */
    in_flight: number;
    /** In a job that has ended, these count as updated. */
    to_publish: number;
    updated: number;
    failed: number;
    unknown: number;
    not_attempted: number;
    /** The unknown items that were not read back, which still have their texts, and those whose publication is unknown. */
    unresolved: number;
    /** The outcome of the items that had not begun when the job ended, as JSON. */
    rest_outcome: string | null;
    owner: string | null;
    run_number: number;
    created_at: number;
    /** When the last part came to an open job, or when a paused one was paused. */
    changed_at: number;
    ended_at: number | null;
    /** In a job that has ended, pending items before this index have no text. Null when none has. */
    text_cursor: number | null;
    /** What it counts of the state, with all of its items. */
    bytes: number;
  };
  article_update_job_items: RowOf<typeof ITEM_COLUMNS> & { readonly status: ItemStatus };
}

/** A job. */
export type JobRow = StateTables['article_update_jobs'];

/** An item of a job. */
export type ItemRow = StateTables['article_update_job_items'];
