import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Migrations } from '../../store/database/migrations.ts';
import { type DatabaseOptions, openDatabase, type ServingDatabase } from '../../store/database/open-database.ts';
import type { StateTables } from './tables.ts';

/**
 * The changes of the schema in their order. A released one is never changed; later changes follow it. Steps from before the
 * first release are one. States that made them one by one know their names.
 */
const migrations: Migrations = (dialect) => ({
  '0001-initial': NO_CHANGE,
  '0002-shared': NO_CHANGE,
  '0003-lengths': NO_CHANGE,
  '0004-services': NO_CHANGE,
  '0005-shares': NO_CHANGE,
  '0006-publications': NO_CHANGE,
  '0007-reverts': { up: (db) => createStateSchema(db, dialect.textType) },
  '0008-shared-members': { up: (db) => addSharedMembers(db, dialect.textType) },
  '0009-accepted-tokens': { up: (db) => addAcceptedTokens(db, dialect.textType) },
  '0010-forks': { up: (db) => addForks(db, dialect.textType) },
  '0011-noted-texts': { up: (db) => addNotedTexts(db, dialect.textType) },
  '0012-creations': { up: (db) => addCreations(db, dialect.textType) },
  '0013-job-names': { up: (db) => addJobNames(db, dialect.textType) },
});

/** Where the database of the state is. */
export interface StateDatabaseOptions extends DatabaseOptions {
  readonly url: string;
  /** The setting that the URL is from. */
  readonly setting: string;
}

/** Opens the database of the state, which may also be that of the store. Throws with a message for people. */
export async function openStateDatabase({
  url,
  setting,
  ...options
}: StateDatabaseOptions): Promise<ServingDatabase<StateTables>> {
  const database = await openNamed(url, setting, options);
  await executeAll(database.db, database.dialect.eraseDeleted).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return database;
}

async function openNamed(url: string, setting: string, options: DatabaseOptions) {
  try {
    return await openDatabase<StateTables>(url, { ...options, schema: { migrations, of: 'state', setting } });
  } catch (error) {
    if (!(error instanceof Error) || error.message.includes(setting)) throw error;
    throw new Error(`The state cannot be opened (${setting}). ${error.message}`, { cause: error });
  }
}

const NO_CHANGE = { up: async () => {} };

async function executeAll<Tables>(db: Kysely<Tables>, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}

/**
 * The first schema of the state, in SQL of both dialects. The items of a job are found by their status, so that neither a
 * page nor the next items cost more in a larger job.
 */
const createStateSchema = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [
    // The last heartbeat of each process, when it expires, and its length.
    sql`create table job_owners (
      owner ${text} not null primary key, alive_until bigint not null, alive_ms bigint not null
    )`,
    ...jobTable(text),
    ...itemTable(text),
    ...keyTable(text),
    // The bytes of each caller, for its quota, beside the sum of all.
    sql`create table state_usage (
      caller_key ${text} not null, shard integer not null, bytes bigint not null, primary key (caller_key, shard)
    )`,
    // The services of the gateways with this state, by their URLs.
    sql`create table state_services (service ${text} not null primary key, used_at bigint not null)`,
    ...sharedTables(text),
  ]);

const jobTable = (text: Expression<unknown>) => [
  sql`create table article_update_jobs (
    job_id ${text} not null primary key,
    caller_key ${text} not null,
    service ${text} not null,
    idempotency_key ${text} not null,
    binding_key ${text} not null,
    goes_on_alone integer not null,
    publish_user_id ${text},
    publish_message ${text},
    keep_before ${text} not null,
    revert_of ${text},
    copied_from integer,
    with_texts integer not null,
    restorable integer not null,
    state ${text} not null,
    waiting_for ${text},
    total integer not null,
    in_flight integer not null,
    to_publish integer not null,
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
    bytes bigint not null,
    unique (caller_key, service, idempotency_key)
  )`,
  sql`create index article_update_jobs_of_caller on article_update_jobs (caller_key, created_at, job_id)`,
  sql`create index article_update_jobs_not_ended on article_update_jobs (caller_key) where ended_at is null`,
  sql`create index article_update_jobs_active on article_update_jobs (owner)
    where state = 'RUNNING' or in_flight > 0 or (unresolved > 0 and state <> 'PAUSED')`,
  sql`create index article_update_jobs_idle on article_update_jobs (state, changed_at) where ended_at is null`,
  sql`create index article_update_jobs_ended on article_update_jobs (ended_at) where ended_at is not null`,
  sql`create index article_update_jobs_with_text on article_update_jobs (job_id) where text_cursor is not null`,
  sql`create index article_update_jobs_reverts on article_update_jobs (revert_of) where revert_of is not null`,
];

/** SQLite reads the columns before a long text without it, so the input and the snapshot come last. */
const itemTable = (text: Expression<unknown>) => [
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
    before_bytes integer not null,
    text_key ${text},
    restorable integer not null,
    input ${text},
    before ${text},
    primary key (job_id, item_index)
  )`,
  sql`create index article_update_job_items_by_status on article_update_job_items (job_id, status, item_index)`,
  sql`create index article_update_job_items_unknown on article_update_job_items (job_id, article_key)
    where status = 'UNKNOWN'`,
  sql`create index article_update_job_items_unresolved on article_update_job_items (job_id, item_index)
    where status = 'UNKNOWN' and input_bytes > 0`,
  sql`create index article_update_job_items_kept on article_update_job_items (job_id, text_key, item_index)
    where text_key is not null`,
];

const keyTable = (text: Expression<unknown>) => [
  sql`create table idempotency_keys (
    key_id ${text} not null primary key,
    caller_key ${text} not null,
    service ${text} not null,
    operation ${text} not null,
    idempotency_key ${text} not null,
    input_hash ${text} not null,
    owner ${text} not null,
    answer ${text},
    created_at bigint not null,
    expires_at bigint,
    bytes integer not null,
    unique (caller_key, service, operation, idempotency_key)
  )`,
  sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`,
  sql`create index idempotency_keys_by_end on idempotency_keys (expires_at) where expires_at is not null`,
];

/** The tables of what several gateways share. Each note and invalidation has its length, so that a clock that is set back prolongs none. */
const sharedTables = (text: Expression<unknown>) => [
  // The registered gateways, which use budgets, locks and invalidations together. `name` and `started_at` are unused.
  sql`create table gateways (
    instance ${text} not null primary key,
    name ${text} not null,
    started_at bigint not null,
    alive_until bigint not null
  )`,
  sql`create table token_budgets (
    token_key ${text} not null primary key,
    budget ${text} not null,
    changed_at bigint not null
  )`,
  sql`create index token_budgets_by_age on token_budgets (changed_at)`,
  // The notes of writes that may still take effect. `held_until` is unused: the lock itself belongs to a session.
  sql`create table group_locks (
    group_key ${text} not null primary key,
    holder ${text} not null,
    held_until bigint not null,
    write_ends_at bigint not null,
    write_ms bigint not null
  )`,
  // The scopes whose reads a write may have changed, and the generation of each.
  sql`create table read_scopes (
    scope ${text} not null primary key,
    generation bigint not null,
    changed_at bigint not null
  )`,
  sql`create index read_scopes_by_age on read_scopes (changed_at)`,
  sql`create table read_marks (
    mark_id ${text} not null primary key, scope ${text} not null, ends_at bigint not null, ms bigint not null
  )`,
  sql`create index read_marks_of_scope on read_marks (scope)`,
  // One row: the last generation, and the least one that any scope has.
  sql`create table read_generations (id integer not null primary key, last bigint not null, epoch bigint not null)`,
  sql`insert into read_generations (id, last, epoch) values (1, 0, 0)`,
];

/** Older items have no history of shared members, and are put back each for its own text. */
const addSharedMembers = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [
    sql`alter table article_update_job_items add column shared ${text}`,
    sql`create index article_update_job_items_shared on article_update_job_items (job_id, article_key, item_index)
      where shared is not null`,
  ]);

/** The tokens that the service has accepted, and when. */
const addAcceptedTokens = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [
    sql`create table accepted_tokens (token_key ${text} not null primary key, accepted_at bigint not null)`,
    sql`create index accepted_tokens_by_age on accepted_tokens (accepted_at)`,
  ]);

/** Older jobs send updates of published versions as they are. */
const addForks = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [
    sql`alter table article_update_jobs add column if_published ${text} not null default 'UPDATE'`,
    sql`alter table article_update_jobs add column fork_user_id ${text}`,
    sql`alter table article_update_job_items add column fork ${text}`,
    sql`create index article_update_job_items_forked on article_update_job_items (job_id, article_key)
      where fork is not null`,
  ]);

/** Of older items nothing was noted. */
const addNotedTexts = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [
    sql`alter table article_update_job_items add column noted ${text}`,
    sql`create index article_update_job_items_partly on article_update_job_items (job_id, item_index)
      where restorable = 2`,
  ]);

/** The creates that gateways have announced before their calls, a row for each place of an announcement. */
const addCreations = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [
    sql`create table announced_creations (
      announcement_id ${text} not null,
      place ${text} not null,
      gateway ${text} not null,
      announced_at bigint not null,
      primary key (announcement_id, place)
    )`,
    sql`create index announced_creations_of_place on announced_creations (place)`,
    sql`create index announced_creations_by_age on announced_creations (announced_at)`,
  ]);

/** Older jobs have no names. */
const addJobNames = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [sql`alter table article_update_jobs add column name ${text}`]);
