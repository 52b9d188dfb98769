import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * Keys belong to a service, which those of before do not name: theirs is empty until a ledger is opened. Neither dialect
 * can change the columns of a constraint, so the tables are copied. Renaming them first locks them, so that nothing is
 * written meanwhile.
 */
export async function addServices(db: Kysely<unknown>, text: Expression<unknown>): Promise<void> {
  for (const statement of [...jobTable(text), ...keyTable(text), serviceTable(text)]) await statement.execute(db);
}

type Statements = (text: Expression<unknown>) => readonly RawBuilder<unknown>[];

const JOB_COLUMNS = sql.raw(`job_id, caller_key, idempotency_key, binding_key, goes_on_alone, state, waiting_for, total,
  in_flight, updated, failed, unknown, not_attempted, unresolved, rest_outcome, owner, run_number, created_at, changed_at,
  ended_at, text_cursor`);

const jobTable: Statements = (text) => [
  sql`alter table article_update_jobs rename to article_update_jobs_before`,
  sql`create table article_update_jobs (
    job_id ${text} not null primary key,
    caller_key ${text} not null,
    service ${text} not null,
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
    unique (caller_key, service, idempotency_key)
  )`,
  sql`insert into article_update_jobs (service, ${JOB_COLUMNS}) select '', ${JOB_COLUMNS} from article_update_jobs_before`,
  sql`drop table article_update_jobs_before`,
  sql`create index article_update_jobs_of_caller on article_update_jobs (caller_key, created_at, job_id)`,
  sql`create index article_update_jobs_not_ended on article_update_jobs (caller_key) where ended_at is null`,
  sql`create index article_update_jobs_active on article_update_jobs (owner)
    where state = 'RUNNING' or in_flight > 0 or (unresolved > 0 and state <> 'PAUSED')`,
  sql`create index article_update_jobs_idle on article_update_jobs (state, changed_at) where ended_at is null`,
  sql`create index article_update_jobs_ended on article_update_jobs (ended_at) where ended_at is not null`,
  sql`create index article_update_jobs_with_text on article_update_jobs (job_id) where text_cursor is not null`,
];

const KEY_COLUMNS = sql.raw(
  'key_id, caller_key, operation, idempotency_key, input_hash, owner, answer, created_at, bytes',
);

const keyTable: Statements = (text) => [
  sql`alter table idempotency_keys rename to idempotency_keys_before`,
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
    bytes integer not null,
    unique (caller_key, service, operation, idempotency_key)
  )`,
  sql`insert into idempotency_keys (service, ${KEY_COLUMNS}) select '', ${KEY_COLUMNS} from idempotency_keys_before`,
  sql`drop table idempotency_keys_before`,
  sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`,
];

const serviceTable = (text: Expression<unknown>) =>
  sql`create table state_services (service ${text} not null primary key, used_at bigint not null)`;
