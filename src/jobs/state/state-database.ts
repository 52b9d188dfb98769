import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Migrations } from '../../store/database/migrations.ts';
import { type DatabaseOptions, openDatabase, type ServingDatabase } from '../../store/database/open-database.ts';
import type { StateTables } from './tables.ts';

/** The changes of the schema in their order. A released one is never changed; later changes follow it. */
const migrations: Migrations = (dialect) => ({
  '0001-initial': { up: (db) => createStateSchema(db, dialect.textType) },
  '0002-shared': { up: (db) => createSharedTables(db, dialect.textType) },
  '0003-lengths': { up: addLengths },
  '0004-services': { up: (db) => addServices(db, dialect.textType) },
  '0005-shares': { up: (db) => addQuotas(db, dialect.textType) },
  '0006-publications': { up: (db) => addPublications(db, dialect.textType) },
  '0007-reverts': { up: (db) => addReverts(db, dialect.textType) },
  '0008-shared-members': { up: (db) => addSharedMembers(db, dialect.textType) },
  '0009-accepted-tokens': { up: (db) => addAcceptedTokens(db, dialect.textType) },
  '0010-forks': { up: (db) => addForks(db, dialect.textType) },
  '0011-noted-texts': { up: (db) => addNotedTexts(db, dialect.textType) },
  '0012-creations': { up: (db) => addCreations(db, dialect.textType) },
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

async function executeAll<Tables>(db: Kysely<Tables>, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}

/**
 * The first schema of the state, in SQL of both dialects. The items of a job are found by their status, so that neither a
 * page nor the next items cost more in a larger job.
 */
const createStateSchema = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [
    // The last heartbeat of each process, and when it expires.
    sql`create table job_owners (owner ${text} not null primary key, alive_until bigint not null)`,
    ...jobTable(text),
    ...itemTable(text),
    ...keyTable(text),
    sql`create table state_usage (shard integer not null primary key, bytes bigint not null)`,
    sql`insert into state_usage (shard, bytes) values (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)`,
  ]);

/** The column of the service, which a later migration has added, and its place in the key. */
const serviceColumn = (text: Expression<unknown>) => ({ column: sql`service ${text} not null,`, key: sql`service,` });

const NO_SERVICE = { column: sql``, key: sql`` };

const jobTable = (text: Expression<unknown>, service = NO_SERVICE) => [
  sql`create table article_update_jobs (
    job_id ${text} not null primary key,
    caller_key ${text} not null,
    ${service.column}
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
    unique (caller_key, ${service.key} idempotency_key)
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
    input ${text},
    primary key (job_id, item_index)
  )`,
  sql`create index article_update_job_items_by_status on article_update_job_items (job_id, status, item_index)`,
  sql`create index article_update_job_items_unknown on article_update_job_items (job_id, article_key)
    where status = 'UNKNOWN'`,
  sql`create index article_update_job_items_unresolved on article_update_job_items (job_id, item_index)
    where status = 'UNKNOWN' and input_bytes > 0`,
];

const keyTable = (text: Expression<unknown>, service = NO_SERVICE) => [
  sql`create table idempotency_keys (
    key_id ${text} not null primary key,
    caller_key ${text} not null,
    ${service.column}
    operation ${text} not null,
    idempotency_key ${text} not null,
    input_hash ${text} not null,
    owner ${text} not null,
    answer ${text},
    created_at bigint not null,
    bytes integer not null,
    unique (caller_key, ${service.key} operation, idempotency_key)
  )`,
  sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`,
];

/** The tables of what several gateways share, in SQL of both dialects. */
const createSharedTables = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [
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
      write_ends_at bigint not null
    )`,
    // The scopes whose reads a write may have changed, and the generation of each.
    sql`create table read_scopes (
      scope ${text} not null primary key,
      generation bigint not null,
      changed_at bigint not null
    )`,
    sql`create index read_scopes_by_age on read_scopes (changed_at)`,
    sql`create table read_marks (mark_id ${text} not null primary key, scope ${text} not null, ends_at bigint not null)`,
    sql`create index read_marks_of_scope on read_marks (scope)`,
    // One row: the last generation, and the least one that any scope has.
    sql`create table read_generations (id integer not null primary key, last bigint not null, epoch bigint not null)`,
    sql`insert into read_generations (id, last, epoch) values (1, 0, 0)`,
  ]);

/** The length of each note and invalidation, so that a clock that is set back prolongs none. Older rows get the longest. */
const addLengths = (db: Kysely<unknown>): Promise<void> =>
  executeAll(db, [
    sql`alter table group_locks add column write_ms bigint not null default 600000`,
    sql`alter table read_marks add column ms bigint not null default 600000`,
  ]);

const JOB_COLUMNS = sql.raw(`job_id, caller_key, idempotency_key, binding_key, goes_on_alone, state, waiting_for, total,
  in_flight, updated, failed, unknown, not_attempted, unresolved, rest_outcome, owner, run_number, created_at, changed_at,
  ended_at, text_cursor`);

const KEY_COLUMNS = sql.raw(
  'key_id, caller_key, operation, idempotency_key, input_hash, owner, answer, created_at, bytes',
);

/** Jobs and keys belong to a service. Older rows have an empty one until a ledger is opened. */
const addServices = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [
    ...copyWithService('article_update_jobs', JOB_COLUMNS, jobTable(text, serviceColumn(text))),
    ...copyWithService('idempotency_keys', KEY_COLUMNS, keyTable(text, serviceColumn(text))),
    // The services of the gateways with this state, by their URLs.
    sql`create table state_services (service ${text} not null primary key, used_at bigint not null)`,
  ]);

/**
 * Copies a table, since neither dialect can change the columns of a constraint. Renaming it first locks it, so that nothing is
 * written meanwhile. The indexes of the old table are dropped with it, so the new ones can have their names.
 */
function* copyWithService(table: string, columns: RawBuilder<unknown>, statements: readonly RawBuilder<unknown>[]) {
  const before = sql.table(`${table}_before`);
  const after = sql.table(table);
  yield sql`alter table ${after} rename to ${before}`;
  yield* statements.slice(0, 1);
  yield sql`insert into ${after} (service, ${columns}) select '', ${columns} from ${before}`;
  yield sql`drop table ${before}`;
  yield* statements.slice(1);
}

/** Before this migration, all heartbeats had the same lifetime. */
const HEARTBEAT_LIFETIME_MS = sql.lit(10_000);

/** The bytes of a row besides its texts, as they are counted. */
const ROW_BYTES = sql.lit(400);

/**
 * The bytes of each caller, for its quota, beside the sum of all. Gateways from before this migration still change the rows of
 * the sum, so these stay as they are.
 */
const addQuotas = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [
    sql`alter table job_owners add column alive_ms bigint not null default ${HEARTBEAT_LIFETIME_MS}`,
    sql`alter table idempotency_keys add column expires_at bigint`,
    sql`create index idempotency_keys_by_end on idempotency_keys (expires_at) where expires_at is not null`,
    sql`alter table article_update_jobs add column bytes bigint not null default 0`,
    sql`update article_update_jobs set bytes = ${ROW_BYTES} * (1 + total) + (
      select coalesce(sum(input_bytes), 0) from article_update_job_items as i where i.job_id = article_update_jobs.job_id
    ) where caller_key <> ''`,
    sql`alter table state_usage rename to state_usage_before`,
    sql`create table state_usage (
      caller_key ${text} not null default '', shard integer not null, bytes bigint not null, primary key (caller_key, shard)
    )`,
    sql`insert into state_usage (caller_key, shard, bytes) select '', shard, 0 from state_usage_before`,
    sql`drop table state_usage_before`,
    sql`insert into state_usage (caller_key, shard, bytes) select caller_key, 8, sum(bytes) from (
      select caller_key, bytes from article_update_jobs where caller_key <> ''
      union all select caller_key, bytes from idempotency_keys
    ) as kept group by caller_key`,
    sql`update state_usage set bytes = (
      select coalesce(sum(kept.bytes), 0) from state_usage as kept where kept.caller_key <> ''
    ) where caller_key = '' and shard = 0`,
  ]);

/** Older jobs publish nothing. */
const addPublications = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [
    sql`alter table article_update_jobs add column publish_user_id ${text}`,
    sql`alter table article_update_jobs add column publish_message ${text}`,
    sql`alter table article_update_jobs add column to_publish integer not null default 0`,
  ]);

/** Older jobs keep no snapshots. */
const addReverts = (db: Kysely<unknown>, text: Expression<unknown>): Promise<void> =>
  executeAll(db, [
    sql`alter table article_update_jobs add column keep_before ${text} not null default 'NEVER'`,
    sql`alter table article_update_jobs add column revert_of ${text}`,
    sql`alter table article_update_jobs add column copied_from integer`,
    sql`alter table article_update_jobs add column with_texts integer not null default 0`,
    sql`alter table article_update_jobs add column restorable integer not null default 0`,
    sql`create index article_update_jobs_reverts on article_update_jobs (revert_of) where revert_of is not null`,
    sql`alter table article_update_job_items add column before ${text}`,
    sql`alter table article_update_job_items add column before_bytes integer not null default 0`,
    sql`alter table article_update_job_items add column text_key ${text}`,
    sql`alter table article_update_job_items add column restorable integer not null default 0`,
    sql`create index article_update_job_items_kept on article_update_job_items (job_id, text_key, item_index)
      where text_key is not null`,
  ]);

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
