import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * The first schema of the state, in SQL of both dialects. The items of a job are found by their status, so that neither a
 * page nor the next items cost more in a larger job.
 */
export async function createStateSchema(db: Kysely<unknown>, text: Expression<unknown>): Promise<void> {
  for (const statement of [...jobTables(text), ...itemTables(text), ...keyTables(text), ...usageTable()]) {
    await statement.execute(db);
  }
}

type Statements = (text: Expression<unknown>) => readonly RawBuilder<unknown>[];

const jobTables: Statements = (text) => [
  sql`create table job_owners (owner ${text} not null primary key, alive_until bigint not null)`,
  sql`create table article_update_jobs (
    job_id ${text} not null primary key,
    caller_key ${text} not null,
    idempotency_key ${text} not null,
    binding_key ${text} not null,
    goes_on_alone integer not null,
    state ${text} not null,
    waiting_for ${text},
    total integer not null,
    in_flight integer not null,
    updated integer not null,
    failed integer not null,
    unknown integer not null,
    not_attempted integer not null,
    unresolved integer not null,
    rest_outcome ${text},
    owner ${text},
    run_number integer not null,
    created_at bigint not null,
    changed_at bigint not null,
    ended_at bigint,
    text_cursor integer,
    unique (caller_key, idempotency_key)
  )`,
  sql`create index article_update_jobs_of_caller on article_update_jobs (caller_key, created_at, job_id)`,
  sql`create index article_update_jobs_not_ended on article_update_jobs (caller_key) where ended_at is null`,
  sql`create index article_update_jobs_active on article_update_jobs (owner)
    where state = 'RUNNING' or in_flight > 0 or (unresolved > 0 and state <> 'PAUSED')`,
  sql`create index article_update_jobs_idle on article_update_jobs (state, changed_at) where ended_at is null`,
  sql`create index article_update_jobs_ended on article_update_jobs (ended_at) where ended_at is not null`,
  sql`create index article_update_jobs_with_text on article_update_jobs (job_id) where text_cursor is not null`,
];

/** The input is the last column: SQLite reads the columns before a long text without it. */
const itemTables: Statements = (text) => [
  sql`create table article_update_job_items (
    job_id ${text} not null,
    item_index integer not null,
    article_key ${text} not null,
    status ${text} not null,
    begun_at bigint,
    input_hash ${text} not null,
    input_bytes integer not null,
    target ${text} not null,
    outcome ${text},
    input ${text},
    primary key (job_id, item_index)
  )`,
  sql`create index article_update_job_items_by_status on article_update_job_items (job_id, status, item_index)`,
  sql`create index article_update_job_items_unknown on article_update_job_items (job_id, article_key)
    where status = 'UNKNOWN'`,
  sql`create index article_update_job_items_unresolved on article_update_job_items (job_id, item_index)
    where status = 'UNKNOWN' and input_bytes > 0`,
];

const keyTables: Statements = (text) => [
  sql`create table idempotency_keys (
    key_id ${text} not null primary key,
    caller_key ${text} not null,
    operation ${text} not null,
    idempotency_key ${text} not null,
    input_hash ${text} not null,
    owner ${text} not null,
    answer ${text},
    created_at bigint not null,
    bytes integer not null,
    unique (caller_key, operation, idempotency_key)
  )`,
  sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`,
];

const usageTable = () => [
  sql`create table state_usage (shard integer not null primary key, bytes bigint not null)`,
  sql`insert into state_usage (shard, bytes) values (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)`,
];
