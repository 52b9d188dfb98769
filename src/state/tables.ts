import type { ColumnTypes } from '../database/dialect.ts';
import type { ItemOutcome, JobState, JobWait } from '../domain/articles/article-update-jobs.ts';

/** How far an item is. Pending: it has not begun. In flight: it has begun, and has no outcome yet. */
export type ItemStatus = 'PENDING' | 'IN_FLIGHT' | ItemOutcome;

/**
 * The tables of the state. Their columns are text and integers alone, which both dialects treat alike: a flag is 0 or 1,
 * and a time is in milliseconds since 1970, by the clock of the ledger.
 */
export interface StateTables {
  /** The processes that have told that they live. */
  job_owners: {
    owner: string;
    alive_until: number;
    /** How long that was when it was told. */
    alive_ms: number;
  };
  article_update_jobs: {
    job_id: string;
    /** Empty for a job that is being deleted: no caller has the empty key. */
    caller_key: string;
    /** See `state_services`. Callers see their jobs of all services; a key belongs to one. */
    service: string;
    idempotency_key: string;
    binding_key: string;
    goes_on_alone: number;
    state: JobState;
    waiting_for: JobWait | null;
    total: number;
    /** The items by status. All others are pending; in a job that has ended, those count as not attempted. */
    in_flight: number;
    updated: number;
    failed: number;
    unknown: number;
    not_attempted: number;
    /** The unknown items that were not read back. They still have their texts. */
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
  article_update_job_items: {
    job_id: string;
    item_index: number;
    /** The ID of the article in lower case. */
    article_key: string;
    status: ItemStatus;
    begun_at: number | null;
    input_hash: string;
    /** The length of the input; 0 once it is deleted. */
    input_bytes: number;
    /** The members that name the text, as JSON. */
    target: string;
    /** The outcome without the ID, as JSON. */
    outcome: string | null;
    /** The update, as JSON. */
    input: string | null;
  };
  idempotency_keys: {
    key_id: string;
    caller_key: string;
    service: string;
    operation: string;
    idempotency_key: string;
    input_hash: string;
    owner: string;
    answer: string | null;
    created_at: number;
    /** Null for a key that is kept as long as all others. */
    expires_at: number | null;
    bytes: number;
  };
  /** The services that gateways with this state stand in front of, by their URLs. */
  state_services: { service: string; used_at: number };
  /** The registered gateways, which share budgets, locks and marks. */
  gateways: {
    /** Names one process. */
    instance: string;
    /** Unused, like the next one, and left to the gateways of before, which may still run. */
    name: string;
    started_at: number;
    alive_until: number;
  };
  token_budgets: { token_key: string; budget: string; changed_at: number };
  group_locks: {
    group_key: string;
    holder: string;
    /** Unused, and 0: the lock itself is that of a session. */
    held_until: number;
    /** Until when a write that was begun may take effect; 0 for none. */
    write_ends_at: number;
    /** How long that was when it was noted. */
    write_ms: number;
  };
  /** The scopes whose reads a write may have changed, and the generation of each. */
  read_scopes: { scope: string; generation: number; changed_at: number };
  read_marks: { mark_id: string; scope: string; ends_at: number; ms: number };
  /** One row: the last generation that was given, and the one that all scopes have at least. */
  read_generations: { id: number; last: number; epoch: number };
  /** The bytes of a caller are the sum of its shards, and those of all have the empty key. */
  state_usage: { caller_key: string; shard: number; bytes: number };
}

export const ITEM_COLUMNS: ColumnTypes<StateTables['article_update_job_items']> = {
  job_id: 'text',
  item_index: 'integer',
  article_key: 'text',
  status: 'text',
  begun_at: 'integer',
  input_hash: 'text',
  input_bytes: 'integer',
  target: 'text',
  outcome: 'text',
  input: 'text',
};
